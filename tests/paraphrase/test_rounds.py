"""Adaptive rounds of paraphrase studies: which questions get further judgements, and how reports use them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accord_core.exchange.arrays import unpack
from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import latest_plan, round_parameters, rounds_of
from annotate.data.services.rounds import add_round
from annotate.models import HitQuestion, Report, Study
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from paraphrase.columns import collected, design_labels
from paraphrase.rounds import expected_errors
from tests.factories import assert_slots_add_up, make_annotator
from tests.paraphrasing import item_rows, paraphrase_study, results_of, work_through

pytestmark = pytest.mark.django_db


def choose(study: Study, questions: int) -> Report:
    study = Study.objects.select_related("design").get(pk=study.pk)
    return make_report(
        study.pk,
        kind="round",
        parameters=round_parameters(study, questions),
        user=SYSTEM,
        progress=lambda share, text: None,
    )


@pytest.fixture(scope="module")
def shared_study(share: Any) -> Study:
    """Return a study in which two of three annotators disagree with the third about the first two questions."""

    def make() -> Study:
        study = paraphrase_study(quality=0)
        rows = item_rows()
        clear = {row["id"]: row["paraphrases"][:2] for row in rows}
        other = clear | {row["id"]: row["paraphrases"][2:] for row in rows[:2]}
        for yes in (clear, clear, other):
            work_through(make_annotator(study), yes)
        return study

    return share(make)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def disputed(study: Study) -> list[str]:
    """Return the refs of the questions about which the third annotator disagrees, in the order of the design."""
    items = [row["id"] for row in item_rows()[:2]]
    questions = study.questions.filter(kind="regular").order_by("pk")
    return [question.ref for question in questions if question.payload["item"] in items]


def test_the_most_uncertain_questions_get_two_further_judgements(study: Study) -> None:
    report = choose(study, 2)
    assert report.result["again"] == disputed(study)
    assert report.result["judgements_each"] == 2, "five judgements are never a tie"
    assert recompute(report) == report.result
    wanted, hits, questions = study.judgements_planned, study.hits.count(), study.questions.count()
    plan = latest_plan(study)
    assert plan is not None
    assert (plan.questions, plan.hits, plan.assignments, plan.cost) == (2, 1, 2, 2 * study.reward)

    added = add_round(study.pk, report.number, user=SYSTEM)
    assert (added.first_hit, added.last_hit) == (hits + 1, hits + 1)
    asked = HitQuestion.objects.filter(hit__study=study, hit__number__gt=hits).order_by("position")
    assert list(asked.values_list("question__ref", flat=True)) == disputed(study)
    assert study.questions.count() == questions
    assert Study.objects.get(pk=study.pk).judgements_planned == wanted + 4
    assert_slots_add_up(study)
    with pytest.raises(Refused, match="Choose the round again"):
        add_round(study.pk, report.number, user=SYSTEM)


@pytest.mark.nightly
def test_labels_use_the_round_and_agreement_does_not(study: Study) -> None:
    before = results_of(study)
    add_round(study.pk, choose(study, 2).number, user=SYSTEM)
    clear = {row["id"]: row["paraphrases"][:2] for row in item_rows()}
    for _ in range(2):
        work_through(make_annotator(study), clear)
    assert [(row.questions, row.judgements) for row in rounds_of(study)] == [(2, 4)]

    after = results_of(study)
    design = before.result["judgements"]
    assert after.result["rounds"] == [{"round": 0, "judgements": design}, {"round": 1, "judgements": 4}]
    assert after.result["agreement"] == before.result["agreement"]
    assert after.result["headline"] == before.result["headline"]
    assert max(after.result["labels"]["n"]) == 5
    columns = unpack(bytes(after.input))
    data = collected(columns)
    assert len(design_labels(columns, data)) == before.result["votes"] < len(data.labels)
    assert expected_errors(data).sum() < expected_errors(collected(unpack(bytes(before.input)))).sum()
    assert recompute(after) == after.result


@pytest.mark.nightly
def test_questions_that_wait_for_judgements_or_have_a_decision_are_not_chosen(study: Study) -> None:
    waiting = paraphrase_study(quality=0)
    work_through(make_annotator(waiting), {})
    assert choose(waiting, 5).result["reason"] == "No question has all judgements of the design yet."
    with pytest.raises(Refused, match="No question has all judgements"):
        add_round(waiting.pk, 1, user=SYSTEM)
    columns = unpack(bytes(choose(study, 5).input))
    data = collected(columns)
    errors = expected_errors(data)
    first, second = np.argsort(-errors)[:2]
    assert sorted(data.refs[at] for at in (first, second)) == sorted(disputed(study))
    data.decided[data.question == first] = 1
    assert expected_errors(data)[first] == 0
