"""Tests of plans for best–worst studies: simulated figures, statistics of a pilot, and the coverage of predictions."""

from itertools import combinations

import numpy as np
import pytest

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.pilot import Pilot
from accord_core.bws.numerics.planning import BETWEEN_SYSTEMS, SYSTEMS, BestWorstStudies, best_worst_studies
from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.bws.numerics.scoring import Judgements, counting_scores, counting_standard_errors, spearman
from accord_core.bws.numerics.simulation import judge, simulate_judgements
from accord_core.evaluation.numerics.power import smallest_difference
from accord_core.numerics.planning import (
    Assumption,
    Level,
    _rising,
    answers_needed,
    draw_parameters,
    forecast,
    predict_figures,
    simulate_pilots,
    simulate_studies,
)
from accord_core.numerics.predictions import Prediction, similar_studies

ITEMS = 60
ASSUMED = {"spread": 1.5, "careless": 0.0}


def judgements_of(items: int = ITEMS, *, per_tuple: int = 4, annotators: int = 12, seed: int = 1) -> Judgements:
    utility = np.random.default_rng(seed).normal(0, 1.5, items)
    return simulate_judgements(
        best_worst_design(items, seed=2), utility, per_tuple=per_tuple, annotators=annotators, careless=0.2, seed=seed
    )


@pytest.mark.nightly
def test_figures_of_a_simulated_study_agree_with_the_figures_of_reports() -> None:
    judgements = judgements_of()
    utility = np.random.default_rng(1).normal(0, 1.5, ITEMS)
    model = best_worst_studies(ITEMS)
    model = BestWorstStudies(judgements.items[: 2 * ITEMS], ITEMS, 12, model.assumptions)
    for level in (2, 3, 4):
        first = judgements.take(np.arange(level * 2 * ITEMS))
        truth, error, detectable = model.whole(judgements, level, utility)
        assert detectable * truth == pytest.approx(smallest_difference(ITEMS, SYSTEMS * truth, BETWEEN_SYSTEMS))
        assert error == pytest.approx(counting_standard_errors(first).mean())
        assert truth == pytest.approx(spearman(counting_scores(first).score, utility))
        generator = np.random.default_rng(3)
        splits = np.concatenate([model.split_twice(judgements, level, generator) for _ in range(400)])
        expected = split_half_reliability(first, splits=800)
        halves = splits / (2 - splits)  # the inverse of the Spearman–Brown formula
        assert halves.mean() == pytest.approx(expected.spearman_mean, abs=0.012)
        assert halves.std() == pytest.approx(expected.spearman_sd, rel=0.2)


@pytest.mark.nightly
def test_the_prediction_describes_the_reliability_of_simulated_studies() -> None:
    model = best_worst_studies(ITEMS, annotators=12, careless=(0.2, 0.2))
    predicted = forecast(model, [2], studies=300).levels[0].figures["reliability"]
    generator = np.random.default_rng(8)
    realised = []
    for seed in range(60):
        judgements = simulate_judgements(
            model.tuples, generator.normal(0, 1.5, ITEMS), annotators=12, careless=generator.binomial(12, 0.2) / 12,
            seed=seed,
        )  # fmt: skip
        half = split_half_reliability(judgements, splits=40).spearman_mean
        realised.append(2 * half / (1 + half))
    assert predicted.value == pytest.approx(np.median(realised), abs=0.05)
    inside = [predicted.low <= value <= predicted.high for value in realised]
    assert 0.85 <= np.mean(inside) <= 0.999


@pytest.mark.nightly
def test_the_statistics_of_a_pilot_agree_with_their_definition() -> None:
    judgements = judgements_of(20, per_tuple=3, annotators=5)
    signs = np.zeros((len(judgements), 20))
    rows = np.arange(len(judgements))
    signs[rows, judgements.best] += 1
    signs[rows, judgements.worst] -= 1
    shown = [set(row) for row in judgements.items.tolist()]
    pairs = [(i, j) for i, j in combinations(range(len(rows)), 2) if shown[i] == shown[j]]
    agreement = np.array([signs[i] @ signs[j] / 2 for i, j in pairs])
    across = [
        signs[i, item] * signs[j, item]
        for i, j in combinations(range(len(rows)), 2)
        if shown[i] != shown[j]
        for item in shown[i] & shown[j]
    ]
    means = []
    for annotator in range(5):
        own = [value for (i, j), value in zip(pairs, agreement, strict=True)
               if annotator in (judgements.annotator[i], judgements.annotator[j])]  # fmt: skip
        means.append(sum(own) / (len(own) + 5))
    expected = [agreement.mean(), (agreement == 1).mean(), np.mean(across), np.std(means), min(means)]
    assert Pilot.of(judgements).statistics == pytest.approx(expected)


def test_without_annotators_the_pilot_has_three_statistics() -> None:
    judgements = judgements_of(20)
    without = Judgements(judgements.items, judgements.best, judgements.worst, 20)
    statistics = Pilot.of(without).statistics
    assert statistics[:3].tolist() == Pilot.of(judgements).statistics[:3].tolist()
    assert np.isnan(statistics[3:]).all()


def test_a_pilot_whose_judgements_have_no_item_in_common_is_refused() -> None:
    items = np.arange(8).reshape(2, 4)
    with pytest.raises(ValueError, match="no two of them have an item in common"):
        Pilot.of(Judgements(items, items[:, 0], items[:, 1], 8))


@pytest.mark.nightly  # paraphrase/test_planning.py has a quick test of the shared engine
def test_predictions_after_a_pilot_cover_the_realised_reliability() -> None:
    """`bench/plan.py` shows that 92% to 98% of 400 intervals are correct, for larger studies."""
    pilot = judgements_of(40, per_tuple=2, annotators=8)
    model = best_worst_studies(ITEMS, annotators=12, pilot=pilot)
    parameters = draw_parameters(model, 900)
    statistics, figures = simulate_pilots(model, parameters), simulate_studies(model, parameters, [2])
    inside, widths = [], []
    for study in range(80):
        generator = np.random.default_rng([study, 3])
        values = {each.name: each.draw(generator) for each in model.assumptions}
        observed = model.simulate_pilot(values, generator)
        realised = np.mean([model.simulate(values, [2], np.random.default_rng([study, 4]))[0]])
        similar = similar_studies(statistics, observed)
        predicted = predict_figures(model, [2], similar, parameters[similar.draws], figures[similar.draws])
        _, low, high = predicted.levels[0].figures["reliability"]
        inside.append(low <= realised <= high)
        widths.append(high - low)
    assert 0.87 <= np.mean(inside) <= 0.999
    assert np.mean(widths) < 0.6


@pytest.mark.nightly
def test_a_clear_pilot_gives_a_higher_forecast_than_a_pilot_of_guesses() -> None:
    clear = judgements_of(40, annotators=8)
    generator = np.random.default_rng(1)
    best, worst = judge(clear.items, np.zeros(40), np.ones(len(clear), dtype=bool), generator)
    guessed = Judgements(clear.items, best, worst, 40, clear.annotator)
    values = []
    for pilot in (clear, guessed):
        model = best_worst_studies(ITEMS, annotators=12, pilot=pilot)
        result = forecast(model, [2], studies=60)
        assert result.fits
        values.append(result.levels[0].figures["reliability"].value)
    assert values[0] > 0.5
    assert values[1] < 0.3


@pytest.mark.nightly
def test_the_target_is_found_by_bisection_and_impossible_targets_state_the_best_value() -> None:
    model = best_worst_studies(ITEMS, annotators=30, careless=(0.0, 0.0))
    result = forecast(model, [2, 4], studies=40)
    needed = answers_needed(model, result, 0.92)
    assert needed.answers is not None
    values = [
        np.mean([model.simulate(ASSUMED, [level], np.random.default_rng(n))[0] for n in range(40)])
        for level in (needed.answers - 1, needed.answers)
    ]
    assert values[0] < 0.93
    assert values[1] > 0.91
    assert answers_needed(model, result, 0.9999).answers is None
    assert 0.98 < answers_needed(model, result, 0.9999).value < 0.9999


def test_the_quality_rule_improves_the_study_but_not_the_pilot() -> None:
    values = {"spread": 1.5, "careless": 0.4}
    reliability = {
        caught: np.mean(
            [
                best_worst_studies(ITEMS, caught=caught).simulate(values, [4], np.random.default_rng(n))[0]
                for n in range(30)
            ]
        )
        for caught in (0.0, 1.0)
    }
    assert reliability[1.0] > reliability[0.0] + 0.1


def test_ranges_of_assumptions_are_drawn_from_the_whole_range() -> None:
    generator = np.random.default_rng(1)
    draws = [Assumption("spread", 1, 4, "positive").draw(generator) for _ in range(2_000)]
    assert 1 <= min(draws) < 1.05
    assert 3.9 < max(draws) <= 4
    assert np.median(draws) == pytest.approx(2, abs=0.1)


def test_the_predicted_figure_never_falls_with_more_answers() -> None:
    noisy = (0.98, 0.992, 0.989, 0.995)
    levels = [Level(answers, {"r": Prediction(value, value, value)}) for answers, value in enumerate(noisy, start=2)]
    rising = [level.figures["r"].value for level in _rising(levels, "r")]
    assert rising == pytest.approx([0.98, 0.9905, 0.9905, 0.995])
    assert _rising(levels[:2], "r") == levels[:2]
