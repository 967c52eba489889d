"""Tests of the second-order jackknife, compared with known variances."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy.stats import kstat

from accord_core.numerics.intervals import t_quantile
from accord_core.numerics.jackknife import (
    PAIRS,
    Errors,
    Removals,
    crossed_errors,
    fisher_interval,
    jackknife_part,
    unit_groups,
)


def test_the_correction_removes_the_variance_that_interactions_add():
    """The squared mean of n standard normal values has the variance 2/n², all of it from interactions."""
    n, generator = 24, np.random.default_rng(1)
    removals = Removals(n, generator)
    corrected, plain = [], []
    for _ in range(400):
        values = generator.normal(size=n)
        left = np.concatenate([[n], np.full(n, n - 1), np.full(len(removals.pairs), n - 2)])
        figures = ((removals.totals(values[:, None]) / left) ** 2).T
        corrected.append(removals.part(figures).variance[0])
        plain.append(jackknife_part(figures[1 : n + 1]).variance[0])
    truth = 2 / n**2
    assert np.mean(plain) > 1.8 * truth
    # The corrected variance is at least half of the other variance, so it is slightly too large on average.
    assert 0.9 * truth < np.mean(corrected) < 1.5 * truth


def test_a_mean_has_its_usual_variance():
    generator = np.random.default_rng(2)
    values, removals = generator.normal(size=30), Removals(30, generator)
    left = np.concatenate([[30], np.full(30, 29), np.full(len(removals.pairs), 28)])
    part = removals.part((removals.totals(values[:, None]) / left).T)
    assert part.variance[0] == pytest.approx(values.var(ddof=1) / 30)
    assert len(removals.pairs) == PAIRS


def test_units_are_left_out_in_at_most_100_groups():
    group, groups = unit_groups(np.repeat(np.arange(250), 3), np.random.default_rng(1))
    assert groups == 100
    assert len({*zip(np.repeat(np.arange(250), 3).tolist(), group.tolist(), strict=True)}) == 250
    assert set(np.bincount(group)) == {6, 9}


def test_crossed_errorss_are_at_least_the_largest_part():
    parts = [jackknife_part(np.array([[0.1], [0.2], [0.4]])), jackknife_part(np.array([[0.1], [0.1], [0.2]]))]
    variance, _, t = crossed_errors(parts, [jackknife_part(np.array([[0.0], [0.9], [0.5]]))])
    assert variance[0] == parts[0].variance[0]
    assert t == pytest.approx(4.303, abs=0.002)  # two degrees of freedom


def test_intervals_stay_below_1():
    low, high, _ = fisher_interval(0.98, 0.04, 0.04)
    assert 0.8 < low < 0.98 < high < 1
    assert fisher_interval(float("nan"), 0.1, 0.1)[:2] == (None, None)


def test_the_third_cumulant_of_a_mean_is_that_of_its_values():
    values = np.random.default_rng(4).exponential(size=25)
    without = (values.sum() - values) / 24
    part = jackknife_part(without[:, None])
    assert part.variance[0] == pytest.approx(kstat(values, 2) / 25)
    assert part.third[0] == pytest.approx(kstat(values, 3) / 25**2)


def test_skewed_errors_move_the_ends_and_other_errors_do_not():
    variance, t = np.array([0.04, 0.04, 0.04]), 2.0
    below, above = Errors(variance, np.array([0.0, -0.0032, 0.0032]), t).distances()
    assert (below[0], above[0]) == pytest.approx((0.4, 0.4))
    assert below[1] > 0.4 > above[1], "a few low values can lower the true figure by more than they raise it"
    assert (below[2], above[2]) == pytest.approx((above[1], below[1]))
    # The transformation g(T) = T + λT²/3 + λ²T³/27 + λ/6 of Hall (1992) maps each distance back to t.
    skewness, ends = -0.4, np.array([below[1], -above[1]]) / 0.2
    transformed = ends + skewness * ends**2 / 3 + skewness**2 * ends**3 / 27 + skewness / 6
    assert transformed == pytest.approx([t, -t])


@pytest.mark.parametrize("groups", [3, 5, 10, 20, 100])
def test_similar_skewness_gives_similar_distances(groups):
    """With few groups, t is large, and the transformation has a vertical tangent below a skewness of .45."""
    skewness = np.linspace(0, 0.6, 1201)
    errors = Errors(np.ones_like(skewness), skewness, t_quantile(groups - 1))
    below, above = errors.distances()
    assert np.abs(np.diff(np.log([below, above]))).max() < 0.04
    assert above.max() < 2.3 * errors.t


@pytest.mark.parametrize(("annotators", "share"), [(20, 0.2), (40, 0.1), (40, 0.2)])
def test_skewed_intervals_contain_small_shares_more_often_than_symmetric_intervals(annotators, share):
    """Each annotator answers at random with the probability `share`. Samples with few of these annotators have low
    variances, so symmetric intervals are too low.
    """
    covered = {"symmetric": 0.0, "skewed": 0.0}
    for random in range(annotators + 1):
        chance = comb(annotators, random) * share**random * (1 - share) ** (annotators - random)
        values = np.r_[np.ones(random), np.zeros(annotators - random)]
        errors = crossed_errors([jackknife_part(((values.sum() - values) / (annotators - 1))[:, None])], [])
        below, above = errors.distances()[:, 0]
        half = errors.t * errors.variance[0] ** 0.5
        covered["symmetric"] += chance * (abs(values.mean() - share) <= half)
        covered["skewed"] += chance * (values.mean() - below <= share <= values.mean() + above)
    assert covered["symmetric"] < 0.925
    assert 0.95 < covered["skewed"] < 0.99
