"""Tests of Spearman's correlation, of bins, and of differences between two systems, compared with scipy."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.evaluation.numerics.correlation import bin_scores, spearman, spearman_estimator
from accord_core.evaluation.numerics.differences import paired_difference, paired_mean_difference

FEW = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=30)


def systems(n=300, seed=1):
    """Return true scores and three predictions: a good one, a worse one, and one that is as good as the worse one."""
    generator = np.random.default_rng(seed)
    truth = generator.normal(size=n)
    return truth, *(truth + noise * generator.normal(size=n) for noise in (0.5, 1.5, 1.5))


class TestSpearman:
    @given(FEW)
    def test_equals_scipy_with_ties(self, pairs):
        x, y = np.array(pairs).T
        found = spearman(x, y)
        if len(set(x)) == 1 or len(set(y)) == 1:
            assert found.value is None
            assert "equal" in found.reason
        else:
            assert found.value == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-12)

    @given(FEW, st.integers(0, 1000))
    def test_resamples_are_ranked_anew(self, pairs, seed):
        x, y = np.array(pairs, dtype=float).T
        drawn = np.random.default_rng(seed).integers(len(x), size=len(x))
        ours = spearman_estimator(x, y)(np.bincount(drawn, minlength=len(x)).astype(float)[None])[0, 0]
        if len(set(x[drawn])) == 1 or len(set(y[drawn])) == 1:
            assert np.isnan(ours)
        else:
            assert ours == pytest.approx(scipy.stats.spearmanr(x[drawn], y[drawn]).statistic, abs=1e-9)

    def test_interval_holds_what_fishers_approximation_says(self):
        truth, good, _, _ = systems(n=1000)
        found = spearman(truth, good, resamples=1000)
        error = np.sqrt((1 + found.value**2 / 2) / 997)  # Bonett and Wright 2000
        low, high = np.tanh(np.arctanh(found.value) + np.array([-1.96, 1.96]) * error)
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)

    def test_two_items_say_nothing(self):
        assert spearman([1, 2], [1, 2]).reason == "there are fewer than 3 items"

    def test_refuses_what_cannot_be_compared(self):
        with pytest.raises(ValueError, match=r"number of scores \(3\) must equal the number of predictions \(2\)"):
            spearman([1, 2, 3], [1, 2])
        with pytest.raises(ValueError, match="finite numbers"):
            spearman([1, 2, np.nan], [1, 2, 3])


class TestBins:
    def test_bins_hold_their_upper_edge_and_the_first_its_lower(self):
        outside = [0, 1, 1, 1.5, 2, 2, 2.5, 9]
        found = bin_scores(range(8), range(8), outside, [0, 1, 2], resamples=0)
        assert [(each["low"], each["high"], each["items"]) for each in found] == [(0, 1, 3), (1, 2, 3)]
        assert found[0]["outside"]["value"] == pytest.approx(scipy.stats.spearmanr([0, 1, 2], [0, 1, 1]).statistic)
        assert found[0]["predictions"]["value"] == pytest.approx(1)
        with pytest.raises(ValueError, match="ascend"):
            bin_scores([1], [1], [1], [0, 0])


class TestDifference:
    def test_a_better_system_differs(self):
        truth, good, worse, _ = systems()
        found = paired_difference(truth, good, worse, permutations=999)
        assert found["value"] == pytest.approx(
            scipy.stats.spearmanr(truth, good).statistic - scipy.stats.spearmanr(truth, worse).statistic
        )
        assert 0 < found["low"] < found["value"] < found["high"]
        assert found["p"] == 1 / 1000

    def test_scales_do_not_matter(self):
        truth, good, worse, _ = systems(n=80)
        plain = paired_difference(truth, good, worse, resamples=100, permutations=100)
        stretched = paired_difference(truth, np.exp(good), 100 * worse - 7, resamples=100, permutations=100)
        assert stretched == pytest.approx(plain)

    def test_p_is_uniform_where_systems_are_equally_good(self):
        figures = []
        for seed in range(200):
            truth, _, one, other = systems(n=40, seed=seed)
            figures.append(paired_difference(truth, one, other, seed=seed, resamples=0, permutations=199)["p"])
        assert np.mean(np.array(figures) <= 0.1) == pytest.approx(0.1, abs=0.06)
        assert np.mean(figures) == pytest.approx(0.5, abs=0.07)

    def test_the_same_system_twice(self):
        truth, good, _, _ = systems(n=30)
        found = paired_difference(truth, good, good, permutations=99)
        assert (found["value"], found["low"], found["high"], found["p"]) == (0, 0, 0, 1)

    def test_undefined_with_a_reason(self):
        found = paired_difference([1, 2, 3], [1, 2, 3], [5, 5, 5])
        assert (found["value"], found["p"], found["reason"]) == (None, None, "all predictions are equal")

    def test_means_against_every_change_of_signs(self):
        one, other, groups = np.array([3.0, 2, 5, 4, 1, 7]), np.array([1.0, 2, 2, 5, 0, 3]), [0, 0, 1, 2, 2, 3]
        by_group = np.array([2.0, 3, 0, 4])
        signs = np.array(np.meshgrid(*[[-1, 1]] * 4)).reshape(4, -1)
        exact = (np.abs(by_group @ signs) >= by_group.sum() - 1e-9).mean()
        found = paired_mean_difference(one, other, groups, permutations=20_000)
        assert found["value"] == pytest.approx(9 / 6)
        assert found["p"] == pytest.approx(exact, abs=0.01)

    def test_one_group_has_no_interval(self):
        found = paired_mean_difference([1, 2], [0, 0], [5, 5])
        assert (found["value"], found["low"], found["p"]) == (1.5, None, None)
