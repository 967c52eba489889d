"""Tests of plans that are requested, stored and chosen at the same time."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.planning.models import Plan
from annotate.planning.services.plans import designs_of, make_plan, request_plan, use_plan
from tests.factories import make_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]

SMALL = {"items": 100, "answers": [2], "studies": 20}


@pytest.fixture
def study():
    return make_study(items=8, state="draft", design=False)


def store(study, **changed):
    return make_plan(study.pk, {**SMALL, **changed}, user=SYSTEM, progress=lambda share, text: None)


@pytest.mark.nightly
def test_identical_requests_give_one_job_and_one_plan(study, at_once):
    requested = at_once([lambda: request_plan(study, SMALL, user=SYSTEM)] * 5)
    assert len({job.pk for job in requested}) == study.jobs.count() == 1
    plans = at_once([lambda: store(study)] * 2)  # as if two workers ran the job
    assert request_plan(study, SMALL, user=SYSTEM) == study.plans.get() == plans[0] == plans[1]


@pytest.mark.nightly
def test_the_same_plan_is_stored_once_and_other_plans_get_numbers_of_their_own(study, at_once):
    plans = at_once([*[lambda: store(study)] * 3, lambda: store(study, seed=2), lambda: store(study, seed=3)])
    assert len({plan.pk for plan in plans}) == 3
    assert sorted(study.plans.values_list("number", flat=True)) == [1, 2, 3]


@pytest.mark.nightly
def test_a_study_uses_one_of_the_plans_that_are_chosen_at_the_same_time(study, at_once):
    plans = [store(study, seed=seed) for seed in range(3)]
    at_once([lambda plan=plan: use_plan(plan.pk, **designs_of(plan)[0], user=SYSTEM) for plan in plans])
    assert Plan.objects.filter(study=study, chosen__isnull=False).count() == 1
    assert study.events.filter(verb="chose plan").count() == 3
