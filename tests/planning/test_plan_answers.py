"""Tests of the answers from which plans are estimated."""

import pytest

from accord_core.exchange.arrays import pack
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.planning.selectors.answers import plan_answers
from annotate.questions.selectors.data import study_data
from annotate.tasktypes import get
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


def count(study: Study, *, with_pilot: bool = False) -> int:
    return len(plan_answers(study, with_pilot=with_pilot).columns["best"])


@pytest.mark.nightly
def test_the_answers_of_people_are_those_of_reports() -> None:
    study = make_study(items=8, judgements=2, gold=4)
    for _ in range(2):
        do_hit(make_annotator(study))
    answers = plan_answers(study, with_pilot=False)
    assert not answers.simulated
    assert pack(answers.columns) == pack(get("bws").reports.columns(study_data(study)))
    assert count(study) == 10


@pytest.mark.nightly
def test_simulated_answers_are_used_until_people_answer() -> None:
    study = make_study(items=8, judgements=2)
    simulate(study, user=SYSTEM, annotators=2, hits=2)
    assert plan_answers(study, with_pilot=False).simulated
    simulated = count(study)
    do_hit(make_annotator(study))
    assert not plan_answers(study, with_pilot=False).simulated
    assert 0 < count(study) <= 5 < simulated


def test_a_pilot_that_the_study_excludes_from_its_scores_is_still_a_pilot() -> None:
    study = make_study(items=8, judgements=1, pilot_hits=1, pilot_counts=False)
    do_hit(make_annotator(study))
    assert (count(study), count(study, with_pilot=True)) == (0, 5)
