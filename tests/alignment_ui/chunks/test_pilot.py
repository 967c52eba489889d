"""Tests of the annotations of a chunk-alignment study as a pilot."""

from itertools import combinations

import numpy as np
import pytest

from accord_core.chunks.numerics.planning import chunk_studies
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.numerics.unfinished import TooFewAnswers
from alignment_ui.chunks.columns import columns
from alignment_ui.chunks.pilot import measured, pilot
from tests.alignment_ui.chunks.test_combined_annotations import report, study
from tests.chunk_annotators import simulated

PAIRS = 14


def test_pairs_with_two_annotators_are_the_pilot_of_a_plan() -> None:
    answers = pilot(columns(study(*simulated(PAIRS, seed=8), gold=0)))
    assert (answers.answers, answers.questions, answers.annotators) == (3 * PAIRS, PAIRS, 3)
    model = chunk_studies(100, pilot=answers.pilot)
    assert np.isfinite(model.observed).all()
    values = {"errors": 1.0, "careless": 0.1}
    assert np.isfinite(model.simulate_unfinished(values, np.random.default_rng(1))).all()


def test_the_measured_f1_pools_all_comparisons() -> None:
    annotated, truth = simulated(PAIRS, seed=8)
    data = columns(study(annotated, truth, gold=0))
    figure = measured(data, 1)
    assert figure.value == pytest.approx(pilot(data).pilot.statistics[0])
    assert figure.low < figure.value < figure.high


def test_with_two_annotators_the_measured_f1_is_the_figure_of_the_report_and_of_the_official_scorer() -> None:
    annotated, truth = simulated(PAIRS, seed=8, people=2)
    data = study(annotated, truth, gold=0)
    figure = measured(columns(data), 1)
    assert figure.value == pytest.approx(report(data)["agreement"]["overall"]["f1_ali"]["value"])
    ((one, other),) = combinations([[each.answers[who] for each in annotated] for who in (0, 1)], 2)
    assert figure.value == pytest.approx(ists_scores(one, other).total.as_dict()["f1_ali"])


def test_a_study_without_enough_annotations_is_no_pilot() -> None:
    data = columns(study(*simulated(9, seed=8), gold=0))
    with pytest.raises(TooFewAnswers, match=r"At least 10 sentence pairs .* \(so far: 9\)\."):
        pilot(data)
