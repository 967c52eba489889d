"""Tests of predictions from simulated studies, with and without a pilot."""

import numpy as np
import pytest

from accord_core.numerics.predictions import DRAWS, all_studies, draw_similar, predict, similar_studies

STUDIES = 4_000


def normal(seed: int, spread: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, spread, STUDIES)


def with_pilot(values: np.ndarray, statistics: np.ndarray, observed: list[float]) -> np.ndarray:
    """Return the prediction with this pilot, as the logarithms of (low, value, high)."""
    similar = similar_studies(statistics, observed)
    value, low, high = predict(np.exp(values)[similar.draws], similar, "positive")
    return np.log([low, value, high])


def test_without_a_pilot_the_interval_contains_95_percent_of_the_studies() -> None:
    values = np.exp(normal(1, 0.5))
    value, low, high = predict(values, all_studies(STUDIES), "positive")
    assert [low, value, high] == pytest.approx(np.quantile(values, [0.025, 0.5, 0.975]), rel=0.02)


def test_variance_that_the_actual_figure_will_not_have_is_removed() -> None:
    values = np.tanh(0.8 + normal(1, 0.3) + normal(2, 0.4))
    _, low, high = predict(values, all_studies(STUDIES), "correlation", noise=0.16)
    assert np.arctanh([low, high]) == pytest.approx([0.8 - 1.96 * 0.3, 0.8 + 1.96 * 0.3], abs=0.04)


def test_a_pilot_narrows_the_prediction_to_the_posterior_distribution() -> None:
    truth = np.random.default_rng(1).uniform(-10, 10, STUDIES)
    ends = with_pilot(truth, (truth + normal(2))[:, None], [3.0])
    assert ends == pytest.approx([3 - 1.96, 3, 3 + 1.96], abs=0.25)


def test_undefined_and_constant_statistics_are_ignored() -> None:
    truth = np.random.default_rng(1).uniform(-10, 10, STUDIES)
    statistics = np.column_stack([truth + normal(2), np.full(STUDIES, np.nan), normal(3), np.ones(STUDIES)])
    alone = with_pilot(truth, statistics[:, :1], [3.0])
    assert with_pilot(truth, statistics, [3.0, 2.0, np.nan, 5.0]).tolist() == alone.tolist()


def test_a_pilot_unlike_all_simulated_pilots_is_reported() -> None:
    assert similar_studies(normal(1)[:, None], [9.0]).unusual
    assert not similar_studies(normal(1)[:, None], [2.0]).unusual


def test_a_figure_that_is_undefined_in_all_studies_stays_undefined() -> None:
    assert np.isnan(predict(np.full(9, np.nan), all_studies(9), "share")).all()


def test_equally_probable_draws_have_the_distribution_of_the_prediction() -> None:
    truth = np.random.default_rng(1).uniform(-10, 10, STUDIES)
    similar = similar_studies((truth + normal(2))[:, None], [3.0])
    values = np.exp(truth)[similar.draws]
    drawn = draw_similar(values, similar, "positive")
    assert len(drawn) == DRAWS
    low, middle, high = np.log(np.quantile(drawn, [0.025, 0.5, 0.975]))
    assert [low, middle, high] == pytest.approx([3 - 1.96, 3, 3 + 1.96], abs=0.35)


def test_draws_of_several_parameters_come_from_the_same_studies() -> None:
    similar, number = all_studies(60), np.arange(1.0, 61.0)
    drawn = draw_similar(number, similar, "positive")
    assert draw_similar(2 * number, similar, "positive") == pytest.approx(2 * drawn)
    times = np.bincount(np.round(drawn).astype(int), minlength=61)[1:]
    assert {int(each) for each in times} == {DRAWS // 60, DRAWS // 60 + 1}
