"""Tests of the number of sets that an annotator can still answer."""

import pytest

from annotate.core.services import sets_left as module
from annotate.core.services.claim import claim
from annotate.core.services.sets_left import sets_left
from annotate.core.services.submit import submit
from annotate.models import Participation, Study
from tests.factories import answers_to, make_annotator, make_study

pytestmark = pytest.mark.django_db


def left(participation: Participation) -> int | None:
    return sets_left(Participation.objects.select_related("study", "annotator").get(pk=participation.pk))


def take_all(participation: Participation) -> list[int | None]:
    """Claim and submit all sets, and return what was left with each claimed set in progress."""
    counts = []
    while (assignment := claim(participation.pk).assignment) is not None:
        counts.append(left(participation))
        submit(participation.pk, assignment.public_id, answers_to(assignment))
    return counts


@pytest.mark.parametrize("limit", [None, 2])
def test_the_count_is_the_number_of_sets_that_an_annotator_then_gets(limit: int | None) -> None:
    study = make_study(hits_per_annotator=limit)
    annotator = make_annotator(study)
    counts = take_all(annotator)
    assert len(counts) > 1
    assert counts == list(range(len(counts), 0, -1))
    assert left(annotator) == 0


def test_sets_that_others_hold_or_the_budget_does_not_allow_do_not_count() -> None:
    study = make_study(judgements=1)
    first, second = make_annotator(study), make_annotator(study)
    before = left(second)
    assert before
    assert before > 2
    claim(first.pk)
    assert left(second) == before - 1
    Study.objects.filter(pk=study.pk).update(budget_cap=2 * study.reward, reward=study.reward)
    assert left(second) == 1


def test_with_gold_only_the_own_limit_counts() -> None:
    study = make_study(gold=8, gold_block=5, hits_per_annotator=None)
    annotator = make_annotator(study)
    assert left(annotator) is None
    Study.objects.filter(pk=study.pk).update(hits_per_annotator=3)
    take_all(annotator)
    assert left(annotator) == 0


def test_more_than_the_most_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    annotator = make_annotator(make_study())
    total = left(annotator)
    assert total
    assert total > 1
    monkeypatch.setattr(module, "MOST", total - 1)
    assert left(annotator) is None
