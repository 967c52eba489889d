"""Adaptive rounds of chunk alignment studies: which pairs get a further annotation, and how reports use it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from accord_core.chunks.numerics.scores import ists_scores
from alignment_ui.chunks.adaptive import choose, disputed_weight
from alignment_ui.chunks.columns import collected, columns
from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import round_parameters, rounds_of
from annotate.data.services.rounds import add_round
from annotate.models import Report, Study
from annotate.results.services import make_report, recompute
from annotate.studies.services.target import target_errors
from tests.alignment_ui.chunks.test_combined_annotations import report, study
from tests.alignment_ui.chunks.test_study import SECOND, answer_all, chunk_study, opened, value_of
from tests.chunk_annotators import simulated
from tests.ists_pairs import link, pair, two_annotations


def chosen(data: Any, questions: int) -> Any:
    return choose(columns(data), {"round": 1, "questions": questions}, 1, lambda share, text: None)


@pytest.mark.parametrize(
    ("one", "other", "weight"),
    [
        ([link([0], [0])], [link([0], [0])], 0),
        ([link([0], [0]), link([1], [1])], [link([0], [0])], 1),
        ([link([0], [0], score=4)], [link([0], [0], score=2)], 2 * 0.4),
        ([link([0], [0], "SPE1")], [link([0], [0], "SPE2")], 2),
        ([link([0], [0], "SPE1", flags=["POL"])], [link([0], [0], "SPE1")], 2 * 0.5),
        ([link([0], [0, 1])], [link([0], [0])], 0.5),
    ],
)
def test_disputed_weights_count_links_types_and_scores_in_part(one: Any, other: Any, weight: float) -> None:
    assert disputed_weight([pair(*one), pair(*other)]) == pytest.approx(weight)


@given(two_annotations())
def test_the_disputed_weight_of_all_pairs_is_what_the_official_f1_lacks(both: Any) -> None:
    total = ists_scores(*both).total
    disputed = sum(disputed_weight(two) for two in zip(*both, strict=True))
    figures = total.figures("f1_typ_sco")
    lost = total.gold * (1 - figures.recall) + total.system * (1 - figures.precision)
    assert disputed == pytest.approx(lost, abs=1e-9)


def test_the_most_disputed_pairs_are_chosen_without_decided_and_unfinished_pairs() -> None:
    annotated, truth = simulated(30, seed=3, people=2)
    data = study(annotated, truth, gold=0)
    weights = {true.id: disputed_weight([*each.answers.values()]) for each, true in zip(annotated, truth, strict=True)}
    order = sorted(weights, key=lambda ref: -weights[ref])
    decided, unfinished, *rest = order
    data = replace(
        data,
        decisions={decided: next(row.value for row in data.answers if row.ref == decided)},
        answers=[row for row in data.answers if row.ref != unfinished or row.pseudonym == data.answers[0].pseudonym],
    )
    result = chosen(data, 5)
    again = result.own["again"]
    assert len({*again} - {decided, unfinished}) == 5
    assert sorted((weights[ref] for ref in again), reverse=True) == [weights[ref] for ref in rest[:5]]
    assert result.own["judgements_each"] == 1
    assert chosen(data, 5).own == result.own
    alike = study([replace_answers(each) for each in annotated], truth, gold=0)
    assert chosen(alike, 5).reason == "The annotators do not differ on any sentence pair."
    one = replace(data, answers=[row for row in data.answers if row.pseudonym == data.answers[0].pseudonym])
    assert chosen(one, 5).reason == "No sentence pair has all judgements of the design yet."


def replace_answers(annotated: Any) -> Any:
    return annotated._replace(answers=dict.fromkeys(annotated.answers, annotated.answers[0]))


def test_agreement_and_target_use_the_design_and_final_annotations_use_all_answers() -> None:
    annotated, truth = simulated(20, seed=5)
    whole = study(annotated, truth, gold=0)
    third = sorted({row.pseudonym for row in whole.answers})[2]
    design = replace(whole, answers=[row for row in whole.answers if row.pseudonym != third])
    asked = sorted(row.ref for row in whole.answers if row.pseudonym == third)[:8]
    with_round = replace(
        whole,
        answers=[
            *design.answers,
            *(replace(row, round=1) for row in whole.answers if row.pseudonym == third and row.ref in asked),
        ],
    )
    before, after = report(design), report(with_round)
    assert after["rounds"] == [{"round": 0, "judgements": 40}, {"round": 1, "judgements": 8}]
    assert "rounds" not in before
    assert after["agreement"] == before["agreement"]
    assert after["headline"] == before["headline"]
    assert before["headline"]["attained"][0]["figure"] == "width"
    assert max(len(answers) for answers in collected(columns(with_round)).answers.values()) == 3
    first = {place: answers[0].pair for place, answers in collected(columns(design)).answers.items()}
    final = collected(columns(with_round)).final
    assert any(final[place] != first[place] for place in first), "a third annotation can change the final one"


def test_reports_from_before_rounds_can_still_be_read() -> None:
    stored = columns(study(*simulated(12, seed=5, people=2), gold=0))
    old = {name: array for name, array in stored.items() if name not in ("round", "judgements")}
    assert collected(old).rounds.tolist() == collected(stored).rounds.tolist() == [0] * 24


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_round_adds_an_annotation_of_the_disputed_pair() -> None:
    open_study = opened(chunk_study())
    changed = value_of(SECOND)
    changed["links"][0]["score"] = 2
    answer_all(open_study)
    answer_all(open_study, pair2=changed)
    before = report_on(open_study, "results")
    current = Study.objects.select_related("design").get(pk=open_study.pk)
    round_report = report_on(open_study, "round", **round_parameters(current, 3))
    assert round_report.result["again"] == ["2"]
    assert recompute(round_report) == round_report.result
    add_round(open_study.pk, round_report.number, user=SYSTEM)
    answer_all(open_study, pair2=changed)
    assert [(row.questions, row.judgements) for row in rounds_of(open_study)] == [(1, 1)]
    after = report_on(open_study, "results")
    assert after.result["rounds"] == [{"round": 0, "judgements": 4}, {"round": 1, "judgements": 1}]
    assert after.result["agreement"] == before.result["agreement"]
    current.target_figure, current.target_value, current.target_minimum = "width", 0.05, 1
    assert not target_errors(current)


def report_on(study: Study, kind: str, **parameters: Any) -> Report:
    return make_report(study.pk, kind=kind, parameters=parameters, user=SYSTEM, progress=lambda share, text: None)
