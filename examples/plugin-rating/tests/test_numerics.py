"""Tests of the figures against SciPy, brute force, and simulations with known true values."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from accord_rating.numerics.intervals import averages
from accord_rating.numerics.orders import borda, concordance, mean_concordance, midranks
from scipy import stats

LOW, HIGH = 0, 100


@pytest.mark.parametrize("seed", range(5))
def test_midranks_are_those_of_scipy(seed: int) -> None:
    ranks = np.random.default_rng(seed).integers(1, 5, 7)
    assert midranks(ranks).tolist() == stats.rankdata(ranks).tolist()


@pytest.mark.parametrize("ranks", [[1, 2, 3], [2, 1, 2, 3], [1, 1], [1]])
def test_a_borda_score_is_the_share_of_items_behind(ranks: Sequence[int]) -> None:
    n = len(ranks)
    behind = [sum((other > own) + (other == own) / 2 for other in ranks) - 0.5 for own in ranks]
    expected = [count / (n - 1) for count in behind] if n > 1 else [0.5]
    assert borda(ranks).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_concordance_without_ties_is_friedmans_statistic(seed: int) -> None:
    """W = χ²/(m(n − 1)) for Friedman's χ² of m annotators and n items."""
    generator = np.random.default_rng(seed)
    orders = np.array([generator.permutation(6) + 1 for _ in range(4)])
    friedman = stats.friedmanchisquare(*orders.T).statistic
    assert concordance(orders) == pytest.approx(friedman / (4 * 5))


@pytest.mark.parametrize("seed", range(5))
def test_concordance_with_ties_is_friedmans_corrected_statistic(seed: int) -> None:
    orders = np.random.default_rng(seed).integers(1, 4, (5, 6))
    friedman = stats.friedmanchisquare(*orders.T).statistic
    assert concordance(orders) == pytest.approx(friedman / (5 * 5))


def test_concordance_without_ties_follows_from_spearmans_correlations() -> None:
    """The mean Spearman correlation of all pairs of m annotators is (mW − 1)/(m − 1)."""
    generator = np.random.default_rng(8)
    orders = np.array([generator.permutation(5) + 1 for _ in range(4)])
    pairs = [stats.spearmanr(one, other).statistic for one, other in itertools.combinations(orders, 2)]
    assert (4 * concordance(orders) - 1) / 3 == pytest.approx(np.mean(pairs))


def test_equal_orders_are_perfect_and_tied_orders_undefined() -> None:
    assert concordance(np.array([[1, 2, 3]] * 3)) == 1
    assert np.isnan(concordance(np.ones((3, 4))))
    assert mean_concordance([np.ones((3, 4))], resamples=0, seed=1)[0].reason == "every order ties all items"
    assert mean_concordance([np.array([[1, 2, 3]])], resamples=0, seed=1)[0].reason == "no question has two orders"


def test_random_orders_have_the_expected_concordance() -> None:
    generator = np.random.default_rng(3)
    questions = [np.array([generator.permutation(5) for _ in range(4)]) for _ in range(2_000)]
    figure, chance = mean_concordance(questions, resamples=200, seed=1)
    assert chance == 0.25
    assert figure.value == pytest.approx(0.25, abs=0.01)
    assert figure.low < figure.value < figure.high


def test_averages_are_those_of_numpy() -> None:
    generator = np.random.default_rng(4)
    item, value = generator.integers(0, 9, 60), generator.integers(0, 101, 60).astype(float)
    found = averages(item, value, 10, low=LOW, high=HIGH, seed=1)
    for number in range(9):
        own = value[item == number]
        assert found.count[number] == len(own)
        assert found.mean[number] == pytest.approx(own.mean())
        assert found.median[number] == np.median(own)
        assert found.sd[number] == pytest.approx(own.std(ddof=1))
        assert LOW <= found.low[number] <= found.mean[number] <= found.high[number] <= HIGH
        assert found.median_low[number] <= found.median[number] <= found.median_high[number]
    assert found.count[9] == 0
    assert np.isnan([found.mean[9], found.low[9], found.median[9], found.sd[9]]).all()


def test_a_single_judgement_has_the_interval_of_the_other_items() -> None:
    item, value = np.array([0, 1, 1, 2, 2]), np.array([50.0, 40, 60, 20, 40])
    found = averages(item, value, 3, low=LOW, high=HIGH, seed=1)
    assert found.low[0] < 50 < found.high[0]
    alone = averages(np.array([0, 1]), np.array([50.0, 60]), 2, low=LOW, high=HIGH, seed=1)
    assert np.isnan(alone.low).all()


@pytest.mark.parametrize(("judgements", "least", "most"), [(2, 0.91, 0.97), (3, 0.92, 0.97), (5, 0.92, 0.97)])
def test_intervals_for_means_cover_the_true_means(judgements: int, least: float, most: float) -> None:
    """60 studies of 50 items, in which annotators differ by chance."""
    covered = []
    for seed in range(60):
        generator = np.random.default_rng(seed)
        truth = generator.uniform(25, 75, 50)
        item = np.repeat(np.arange(50), judgements)
        value = truth[item] + generator.normal(0, 8, len(item))
        found = averages(item, value, 50, low=-1_000, high=1_000, seed=seed)
        covered.append(((found.low <= truth) & (truth <= found.high)).mean())
    assert least < np.mean(covered) < most
