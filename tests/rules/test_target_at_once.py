"""Tests of the pause at a target while other actions happen at the same time."""

import pytest

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.submit import submit
from annotate.models import Study
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import close_study
from annotate.studies.services.target import check_target
from tests.console_study import report_on
from tests.factories import answers_to, assert_slots_add_up, make_annotator, make_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def study():
    study = make_study(items=8, judgements=6, target_figure="reliability", target_value="0.01", target_pauses=True)
    simulate(study, user=SYSTEM, annotators=4, hits=12, seed=3, as_people=True)
    report_on(study, "progress")
    return study


def test_several_jobs_pause_the_study_once(study, at_once):
    assert sum(at_once([lambda: check_target(study.pk)] * 6)) == 1
    assert study.events.filter(verb="paused").count() == 1


@pytest.mark.nightly
def test_a_claim_during_the_pause_gives_a_hit_that_counts_or_nothing(study, at_once):
    late, *people = [make_annotator(study) for _ in range(7)]

    def work(ann):
        claimed = claim(ann.pk)
        if claimed.assignment is None:
            return claimed.why
        return submit(ann.pk, claimed.assignment.public_id, answers_to(claimed.assignment)).credited

    results = at_once([lambda: check_target(study.pk), *(lambda ann=ann: work(ann) for ann in people)])
    assert results[0] is True
    assert set(results[1:]) <= {True, "paused"}
    assert_slots_add_up(study)
    study.refresh_from_db()
    assert study.state == Study.State.PAUSED
    assert claim(late.pk).why == "paused"


def test_a_study_that_is_closed_at_the_same_time_stays_closed(study, at_once):
    at_once([lambda: check_target(study.pk), lambda: close_study(study.pk, user=SYSTEM)])
    study.refresh_from_db()
    assert study.state == Study.State.CLOSED


def test_a_study_whose_target_is_removed_at_the_same_time_has_one_state(study, at_once):
    paused, _ = at_once(
        [lambda: check_target(study.pk), lambda: change_settings(study.pk, user=SYSTEM, target_figure="")]
    )
    study.refresh_from_db()
    assert study.state == (Study.State.PAUSED if paused else Study.State.OPEN)
    assert study.target_figure == ""
    assert not check_target(study.pk)
