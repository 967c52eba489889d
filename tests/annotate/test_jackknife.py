"""Tests of the second-order jackknife, compared with known variances."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.numerics.jackknife import PAIRS, Removals, crossed_variance, fisher_interval, jackknife_part, unit_groups


def test_the_correction_removes_the_variance_that_interactions_add():
    """The squared mean of n standard normal values has the variance 2/n², all of it from interactions."""
    n, generator = 24, np.random.default_rng(1)
    removals = Removals(n, generator)
    corrected, plain = [], []
    for _ in range(400):
        values = generator.normal(size=n)
        left = np.concatenate([[n], np.full(n, n - 1), np.full(len(removals.pairs), n - 2)])
        figures = ((removals.totals(values[None]) / left) ** 2).T
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
    part = removals.part((removals.totals(values[None]) / left).T)
    assert part.variance[0] == pytest.approx(values.var(ddof=1) / 30)
    assert len(removals.pairs) == PAIRS


def test_units_are_left_out_in_at_most_100_groups():
    group, groups = unit_groups(np.repeat(np.arange(250), 3), np.random.default_rng(1))
    assert groups == 100
    assert len({*zip(np.repeat(np.arange(250), 3).tolist(), group.tolist(), strict=True)}) == 250
    assert set(np.bincount(group)) == {6, 9}


def test_crossed_variances_are_at_least_the_largest_part():
    parts = [jackknife_part(np.array([[0.1], [0.2], [0.4]])), jackknife_part(np.array([[0.1], [0.1], [0.2]]))]
    variance, t = crossed_variance(parts, [jackknife_part(np.array([[0.0], [0.9], [0.5]]))])
    assert variance[0] == parts[0].variance[0]
    assert t == pytest.approx(4.303, abs=0.002)  # two degrees of freedom


def test_intervals_stay_below_1():
    low, high, _ = fisher_interval(0.98, 0.04)
    assert 0.8 < low < 0.98 < high < 1
    assert fisher_interval(float("nan"), 0.1)[:2] == (None, None)
