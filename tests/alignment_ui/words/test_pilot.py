"""Tests of the alignments of a study as a pilot."""

import numpy as np
import pytest

from accord_core.numerics.unfinished import TooFewAnswers
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.planning import word_studies
from alignment_ui.words.columns import columns
from alignment_ui.words.pilot import measured, pilot
from tests.alignment_ui.words.test_report import report, study

START = Alignment.of({(0, 0), (1, 1), (2, 2)})
VALUES = {"errors": 1.0, "wrong": 0.1, "careless": 0.1}


def study_of(pairs: int, *, withheld: int = 0):
    """Return a study in which each pair has two annotators, and one more pair has one annotator."""
    generator = np.random.default_rng(1)
    shown = {f"n{number}": ("news", None if number < withheld else START, None) for number in range(pairs + 1)}
    answers = []
    for number in range(pairs + 1):
        for who in ("anna", "ben")[: 2 if number < pairs else 1]:
            sure = {link for link in START.links if generator.random() < 0.8}
            answers.append((who, f"n{number}", Alignment.of(sure, {(3, 3)})))
    return study(shown, answers, ignore_identical=False)


def test_pairs_with_two_annotators_are_the_pilot_of_a_plan() -> None:
    answers = pilot(columns(study_of(12)))
    assert (answers.answers, answers.questions, answers.annotators, len(answers.pilot.sizes)) == (25, 13, 2, 12)
    model = word_studies(100, pilot=answers.pilot)
    assert np.isfinite(model.observed[:6]).all()
    assert np.isfinite(model.simulate_unfinished(VALUES, np.random.default_rng(1))).all()


def test_the_measured_f1_is_the_figure_of_the_report() -> None:
    data = study_of(12)
    f1 = report(data, resamples=200, samples=0)["words"][-1]["possible"]["f1"]
    figure = measured(columns(data), 1)
    assert (figure.value, figure.low, figure.high) == (f1["value"], f1["low"], f1["high"])
    assert figure.value == pytest.approx(pilot(columns(data)).pilot.statistics[0])


def test_annotators_who_saw_no_initial_links_are_not_compared_with_initial_links() -> None:
    some, none = pilot(columns(study_of(12, withheld=6))).pilot, pilot(columns(study_of(12, withheld=13))).pilot
    assert [each is None for each in some.start] == [True] * 6 + [False] * 6
    assert np.isfinite(some.statistics[2:6]).all()
    model = word_studies(100, pilot=some)
    assert np.isfinite(model.simulate_pilot(VALUES, np.random.default_rng(1))).all()
    assert none.start is None
    assert np.isnan(none.statistics[2:6]).all()


def test_a_study_without_enough_alignments_is_no_pilot() -> None:
    with pytest.raises(TooFewAnswers, match=r"At least 10 sentence pairs .* \(so far: 9\)\."):
        pilot(columns(study_of(9)))
