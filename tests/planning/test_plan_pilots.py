"""Tests of plans that are estimated from the answers of a study."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.models import Job, Membership, Study, User
from annotate.planning.models import Plan
from annotate.planning.selectors.checks import latest_check
from annotate.planning.selectors.pilots import pilot_choices
from annotate.planning.selectors.plans import usual_parameters
from annotate.planning.services.pilots import read_pilot
from annotate.planning.services.plans import designs_of, planning_of, request_plan, use_plan
from annotate.questions.services import refresh
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.tasktypes.plan_parameters import clean_parameters
from tests.console_study import page_of
from tests.factories import MembershipFactory, UserFactory, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

ITEMS = 40
FEW = {"studies": 40, "answers": [2, 3], "annotators": 12, "target": None}


@pytest.fixture(scope="module")
def made(share: Callable[[Callable[[], Any]], Any]) -> tuple[int, int]:
    """A study in which simulated annotators have completed a pilot with a fifth of the judgements, and a plan that the
    pilot estimates.
    """

    def make() -> tuple[int, int]:
        user = UserFactory()
        study = make_study(items=ITEMS, judgements=3, user=user, pilot_hits=3, piloting=True)
        simulate(study, user=SYSTEM, annotators=8, careless=0.2)
        planned(study, user, pilot=study.public_id)
        return study.pk, user.pk

    return share(make)


@pytest.fixture
def study(made: tuple[int, int]) -> Study:
    return Study.objects.get(pk=made[0])


@pytest.fixture
def owner(made: tuple[int, int]) -> User:
    return User.objects.get(pk=made[1])


def parameters_of(study: Study, **changed: Any) -> dict[str, Any]:
    return {**usual_parameters(study, planning_of(study)), **FEW, "items": ITEMS, **changed}


def planned(study: Study, user: User, **changed: Any) -> Plan:
    job = request_plan(study, parameters_of(study, **changed), user=user)
    assert isinstance(job, Job)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert not job.error
    return study.plans.order_by("-number")[0]


@pytest.mark.nightly
def test_a_study_that_was_planned_from_its_pilot_ends_near_the_predicted_interval(study: Study) -> None:
    plan = study.plans.get()
    pilot = plan.result["pilot"]
    assert pilot == {"study": study.public_id, "answers": 45, "questions": 15, "annotators": 8, "simulated": True}
    assert len(plan.result["draws"]["spread"]) == 200
    use_plan(plan.pk, **designs_of(plan)[-1], user=SYSTEM)
    change_settings(study.pk, user=SYSTEM, piloting=False)
    simulate(study, user=SYSTEM, annotators=12, careless=0.2)
    refresh.refresh_open_studies()
    for job in Job.objects.filter(state="waiting"):
        jobs.run(job.pk)
    check = latest_check(study, plan)
    assert check is not None
    assert check.per_question == 3
    # The interval misses one study in twenty, and random pseudonyms make each run another study. bench/plan.py measures
    # how often the interval covers the figure.
    planned_figure = plan.result["designs"][-1]["figures"]["reliability"]
    low, high = planned_figure["low"], planned_figure["high"]
    assert low - (high - low) / 2 < check.measured.value < high + (high - low) / 2


@pytest.mark.nightly
def test_the_same_answers_give_the_stored_plan_and_further_answers_another_plan(study: Study, owner: User) -> None:
    parameters = parameters_of(study, pilot=study.public_id)
    assert request_plan(study, parameters, user=owner) == study.plans.get()
    change_settings(study.pk, user=SYSTEM, piloting=False)
    simulate(study, user=SYSTEM, annotators=8, hits=2)
    assert isinstance(request_plan(study, parameters, user=owner), Job)


def test_a_pilot_narrows_the_estimates(study: Study, owner: User) -> None:
    spread = study.plans.get().result["assumptions"]["spread"]
    assert 0.3 <= spread["low"] < spread["value"] < spread["high"] <= 6


def test_the_page_shows_the_pilot_and_the_estimates(study: Study, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    page = " ".join(markup(client.get(page_of(study, "plan/"))).split())
    numbers = f"{study.plans.get().result['pilot']['answers']} judgements of 8 simulated annotators in this study"
    assert f"Estimated from {numbers}." in page
    assert "Spread of the utilities" in page
    assert f'<option value="{study.public_id}" selected>This study (' in page


@pytest.mark.nightly
def test_the_newest_plan_without_a_pilot_suggests_the_study_as_the_pilot(study: Study, owner: User) -> None:
    own = f'<option value="{study.public_id}" selected>This study ('
    assumed = planned(study, owner, pilot=None)
    client = Client()
    client.force_login(owner)
    assert own in " ".join(markup(client.get(page_of(study, "plan/"))).split())
    stored = " ".join(markup(client.get(page_of(study, f"plan/{assumed.number}/"))).split())
    assert own not in stored, "the form of a chosen plan contains the parameters of this plan"


def test_only_studies_of_the_same_type_in_which_the_user_is_a_member_are_offered(study: Study, owner: User) -> None:
    copy = make_study(items=8, user=owner)
    assert [choice.is_own for choice in pilot_choices(study, owner)] == [True]
    assert pilot_choices(copy, owner)[0].public_id == study.public_id
    assert not pilot_choices(copy, owner)[0].is_own
    stranger = UserFactory()
    assert pilot_choices(copy, stranger) == []
    member = MembershipFactory(study=copy, role=Membership.Role.MANAGER).user
    with pytest.raises(Refused, match="must be a member of the pilot study") as refusal:
        request_plan(copy, parameters_of(copy, pilot=study.public_id), user=member)
    assert refusal.value.code == "unknown-pilot"
    assert isinstance(request_plan(copy, parameters_of(copy, pilot=study.public_id), user=owner), Job)


@pytest.mark.nightly
def test_the_title_of_another_study_is_shown_only_to_its_members(study: Study, owner: User) -> None:
    copy = make_study(items=8, user=owner, design=False, state=Study.State.DRAFT)
    Study.objects.filter(pk=study.pk).update(title="Secret project")
    planned(copy, owner, pilot=study.public_id, items=ITEMS)
    client = Client()
    client.force_login(owner)
    assert "in the study “Secret project”" in markup(client.get(page_of(copy, "plan/")))
    client.force_login(MembershipFactory(study=copy, role=Membership.Role.MANAGER).user)
    page = markup(client.get(page_of(copy, "plan/")))
    assert "in another study" in page
    assert "Secret project" not in page


@pytest.mark.nightly
def test_a_pilot_with_too_few_answers_is_refused_by_its_job(owner: User) -> None:
    study = make_study(items=8, judgements=1, user=owner)
    simulate(study, user=SYSTEM, annotators=2, hits=1)
    job = request_plan(study, parameters_of(study, pilot=study.public_id, items=8), user=owner)
    assert isinstance(job, Job)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.error.startswith("At least 10 items must have two or more answers (so far: ")


def test_a_pilot_must_be_named_by_its_id(study: Study, owner: User) -> None:
    with pytest.raises(Refused, match="ID of a study"):
        request_plan(study, parameters_of(study, pilot=5), user=owner)


def test_a_pilot_with_many_answers_limits_the_number_of_simulated_studies(study: Study) -> None:
    planning = planning_of(study)
    parameters = clean_parameters(planning, parameters_of(study, pilot=study.public_id))
    pilot = read_pilot(study, parameters, planning, user=SYSTEM)
    assert pilot is not None
    simulated = pilot.answers.answers * parameters.studies
    assert read_pilot(study, parameters, replace(planning, largest_plan=simulated), user=SYSTEM)
    with pytest.raises(Refused, match=f"{simulated:,} judgements in all") as refused:
        read_pilot(study, parameters, replace(planning, largest_plan=simulated - 1), user=SYSTEM)
    assert refused.value.code == "impossible-plan"
