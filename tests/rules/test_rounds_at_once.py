"""Rule: an adaptive round is added only once, also while annotators claim HITs and the study is closed."""

from __future__ import annotations

from typing import Any

import pytest

from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import round_parameters
from annotate.data.services.rounds import add_round
from annotate.models import Study
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.studies.services.study import close_study
from tests.factories import assert_slots_add_up, do_hit, make_annotator, make_study, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


def choose(study: Study, questions: int) -> int:
    study = Study.objects.select_related("design").get(pk=study.pk)
    parameters = round_parameters(study, questions)
    report = make_report(
        study.pk, kind="round", parameters=parameters, user=SYSTEM, progress=lambda share, message: None
    )
    return report.number


def added_or_refused(study: Study, number: int) -> str:
    try:
        add_round(study.pk, number, user=SYSTEM)
    except Refused as refusal:
        return refusal.code
    return "added"


def answered_study(judgements: int) -> Study:
    """Return an open study in which one annotator has done every HIT."""
    study = make_study(items=8, judgements=judgements)
    first = make_annotator(study)
    for _ in range(study.hits.count()):
        do_hit(first)
    return study


@pytest.mark.nightly
def test_a_round_is_added_once_while_the_study_is_closed(at_once: Any) -> None:
    study = answered_study(judgements=1)
    slots, number = study.slots.count(), choose(study, 6)
    outcomes = at_once(
        [
            lambda: added_or_refused(study, number),
            lambda: added_or_refused(study, number),
            lambda: close_study(study.pk, user=SYSTEM).state,
        ]
    )
    assert sorted(outcomes[:2]) == ["added", "changed"]
    added = study.rounds.get()
    assert study.questions.filter(adaptive_round=added).count() == 6
    assert study.slots.count() == slots + added.last_hit - added.first_hit + 1
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_claims_continue_while_a_round_is_added(at_once: Any) -> None:
    study = answered_study(judgements=2)
    number, second = choose(study, 6), make_annotator(study)
    outcomes = at_once([lambda: added_or_refused(study, number), lambda: take(second).hit.number])
    assert outcomes == ["added", 1]
    assert_slots_add_up(study)
