"""Tests of the judgements of a study as a pilot."""

import numpy as np
import pytest

from accord_core.bws.numerics.planning import best_worst_studies
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.exchange.arrays import json_array
from accord_core.numerics.unfinished import TooFewAnswers
from annotate.tasktypes import Columns
from bws.pilot import measured, pilot
from bws.report import progress_report


def columns_of(*, tuples: int = 60) -> Columns:
    generator = np.random.default_rng(1)
    shown = generator.random((tuples, 30)).argsort(axis=1)[:, :4]
    judgements = simulate_judgements(shown, generator.normal(0, 1.5, 30), annotators=6)
    nothing = np.zeros(0, dtype=np.int64)
    return {
        "tuples": shown,
        "items": judgements.items,
        "best": judgements.best,
        "worst": judgements.worst,
        "annotator": judgements.annotator,
        "round": np.zeros(len(judgements.items), dtype=np.int64),
        "keys": json_array([f"i{number}" for number in range(30)]),
        "target": np.array(0.9),
        "gold_passed": nothing,
        "gold_annotator": nothing,
    }


def test_the_judgements_of_a_study_are_the_pilot_of_a_plan() -> None:
    answers = pilot(columns_of())
    assert (answers.answers, answers.questions, answers.annotators, answers.per_question) == (120, 60, 6, 2.0)
    assert best_worst_studies(60, pilot=answers.pilot).observed is not None


def test_the_measured_reliability_is_the_figure_of_the_progress_report() -> None:
    columns = columns_of()
    report = progress_report(columns, {}, 7, lambda share, text: None)
    figure = measured(columns, 7)
    assert figure.value == report.headline.ends[1].value
    halves = [report.own["reliability"]["within"]["interval"]["spearman"][end] for end in ("low", "high")]
    assert [figure.low, figure.high] == [2 * half / (1 + half) for half in halves]


def test_a_study_without_enough_judgements_is_no_pilot() -> None:
    with pytest.raises(TooFewAnswers, match=r"At least 10 items must have two or more answers \(so far: 4\)\."):
        pilot(columns_of(tuples=1))
    names = ("items", "best", "worst", "annotator", "round")
    with pytest.raises(TooFewAnswers, match=r"so far: 0"):
        pilot(columns_of() | {name: columns_of()[name][:0] for name in names})
