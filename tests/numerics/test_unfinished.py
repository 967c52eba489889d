"""Tests of the minimum size of a pilot, and of the predicted figure of an unfinished study."""

import numpy as np
import pytest

from accord_core.bws.numerics.planning import best_worst_studies
from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.numerics.planning import forecast
from accord_core.numerics.unfinished import PilotAnswers, TooFewAnswers, predict_unfinished, require_answers

ITEMS = 80


def test_a_pilot_needs_questions_with_two_answers_and_two_annotators() -> None:
    with pytest.raises(TooFewAnswers, match=r"At least 10 tuples must have two or more answers \(so far: 9\)\."):
        require_answers([2] * 9 + [1] * 50, 5, questions="tuples")
    with pytest.raises(TooFewAnswers, match=r"At least 2 annotators must have answered \(so far: 1\)\."):
        require_answers([2] * 10, 1, questions="tuples")
    require_answers([2] * 10, 2, questions="tuples")
    assert PilotAnswers(None, 30, 12, 4).per_question == 2.5
    assert PilotAnswers(None, 0, 0, 0).per_question == 0


@pytest.mark.nightly
def test_the_prediction_of_an_unfinished_study_describes_half_of_its_tuples() -> None:
    """The plan assumes two judgements of each tuple. Only half of the tuples have been judged, so their reliability is
    smaller than in the plan.
    """
    plan = best_worst_studies(ITEMS, annotators=10, spread=(1.0, 2.0), careless=(0.0, 0.2))
    predicted = forecast(plan, [2], studies=60)
    rows = np.arange(len(plan.tuples)) % 2 == 0
    generator = np.random.default_rng(5)
    realised = []
    for seed in range(60):
        values = predicted.draws[generator.integers(len(predicted.draws))]
        judgements = simulate_judgements(
            plan.tuples[rows], generator.normal(0, values[0], ITEMS), annotators=10,
            careless=generator.binomial(10, values[1]) / 10, seed=seed,
        )  # fmt: skip
        half = split_half_reliability(judgements, splits=20).spearman_mean
        realised.append(2 * half / (1 + half))  # the reliability of all judgements
    model = best_worst_studies(ITEMS, annotators=10, pilot=judgements)
    so_far = predict_unfinished(model, predicted.draws)
    assert so_far.value < predicted.levels[0].figures["reliability"].value - 0.05
    assert so_far.value == pytest.approx(np.median(realised), abs=0.06)
    assert 0.85 <= np.mean([so_far.low <= value <= so_far.high for value in realised]) < 1
    assert predict_unfinished(model, predicted.draws) == so_far


def test_an_undefined_figure_has_no_prediction() -> None:
    judgements = simulate_judgements([[0, 1, 2, 3]], np.zeros(4), per_tuple=2, annotators=2)
    model = best_worst_studies(8, pilot=judgements)
    draws = np.tile([1.5, 0.1], (5, 1))
    assert np.isnan(predict_unfinished(model, draws).low) == np.isnan(predict_unfinished(model, draws).high)
    with pytest.raises(ValueError, match="without a pilot"):
        best_worst_studies(8).simulate_unfinished({"spread": 1.0, "careless": 0.1}, np.random.default_rng(1))
