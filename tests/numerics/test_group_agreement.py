"""Tests of the agreement between groups and of the rank correlation, against SciPy and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from accord_core.numerics.group_agreement import agreement_of_counts, f1_of_sums, kappa_of_sums, shares_of_sums
from accord_core.numerics.rank_correlation import _correlations, _mid_ranks, rank_correlation

SETTINGS = {"resamples": 200, "seed": 1}


def test_shares_divide_by_the_last_count() -> None:
    counts = np.array([[1.0, 0, 1], [0.5, 1, 1]])
    best, worst = agreement_of_counts(counts, shares_of_sums, **SETTINGS)
    assert (best.value, worst.value) == (0.75, 0.5)
    assert best.low is not None
    assert best.low <= 0.75 <= best.high


@given(st.integers(0, 1_000))
def test_kappa_is_cohens(seed: int) -> None:
    one, other = np.random.default_rng(seed).random((2, 60)) < 0.6
    cells = np.array([[np.sum(one & other), np.sum(one & ~other), np.sum(~one & other), np.sum(~one & ~other)]])
    raw, kappa = kappa_of_sums(cells.astype(float))[:, 0]
    assert raw == pytest.approx(np.mean(one == other))
    assert kappa == pytest.approx(cohen_kappa_score(one, other))


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert f1_of_sums(np.array([[2.0, 4, 3, 3]]))[0, 0] == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert f1_of_sums(np.array([[0.0, 4, 0, 3]]))[0, 0] == 0
    assert f1_of_sums(np.array([[0.0, 0, 0, 3]]))[0, 0] == 0  # the first group has no links
    assert np.isnan(f1_of_sums(np.zeros((1, 4)))[0, 0])


def test_an_undefined_figure_has_a_reason() -> None:
    (only,) = agreement_of_counts(np.zeros((5, 4)), f1_of_sums, **SETTINGS)
    assert (only.value, only.low, only.high) == (None, None, None)
    assert only.reason


def test_equal_resamples_are_no_interval() -> None:
    (only,) = agreement_of_counts(np.ones((20, 2)), shares_of_sums, **SETTINGS)
    assert (only.value, only.low, only.high) == (1.0, None, None)


def test_one_question_has_no_interval() -> None:
    (only,) = agreement_of_counts(np.array([[1.0, 1]]), shares_of_sums, **SETTINGS)
    assert (only.value, only.low) == (1.0, None)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=30), st.integers(0, 100))
def test_the_rank_correlation_is_spearmans_also_in_resamples(pairs: list[tuple[int, int]], seed: int) -> None:
    one, other = np.array(pairs, dtype=float).T
    drawn = np.random.default_rng(seed).integers(len(one), size=len(one))
    weights = np.bincount(drawn, minlength=len(one)).astype(float)[None, :]
    (value,) = _correlations(_mid_ranks(one, weights), _mid_ranks(other, weights), weights)
    if len(set(one[drawn])) > 1 and len(set(other[drawn])) > 1:
        assert value == pytest.approx(stats.spearmanr(one[drawn], other[drawn]).statistic)


@pytest.mark.parametrize(("items", "reason"), [(2, "fewer than 3 items"), (5, "all scores are equal")])
def test_too_few_or_equal_scores_have_no_correlation(items: int, reason: str) -> None:
    figure = rank_correlation(np.zeros(items), np.arange(items, dtype=float), **SETTINGS)
    assert (figure.value, figure.reason) == (None, reason)
