"""Spearman's rank correlation of two scores of the same items, with a bootstrap interval over items."""

from __future__ import annotations

import numpy as np

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio
from accord_core.numerics.labels import Floats

FEWEST = 3


def rank_correlation(one: Floats, other: Floats, *, resamples: int, seed: int) -> Coefficient:
    """Return Spearman's correlation of two scores (I,), with a 95% percentile interval over resampled items."""
    if len(one) < FEWEST:
        return Coefficient(None, reason=f"fewer than {FEWEST} items")

    def estimate(weights: Floats) -> Floats:
        return _correlations(_mid_ranks(one, weights), _mid_ranks(other, weights), weights)[None, :]

    value = float(estimate(np.ones((1, len(one))))[0, 0])
    if np.isnan(value):
        return Coefficient(None, reason="all scores are equal")
    times = np.ones(len(one), dtype=np.int64)
    ((low, high, undefined),) = percentile_intervals(estimate, times, resamples=resamples, seed=seed, width=6)
    return Coefficient(value, low, high, None, undefined)


def _mid_ranks(values: Floats, weights: Floats) -> Floats:
    """Return the ranks (B, I) of the values in samples in which each item occurs as often as its weight (B, I). Equal
    values have the mean of their ranks.
    """
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return ranks[:, group]


def _correlations(one: Floats, other: Floats, weights: Floats) -> Floats:
    """Return the weighted Pearson correlation of each sample (B,), or NaN if a sample has only equal values."""
    total = weights.sum(axis=1, keepdims=True)
    one = one - (one * weights).sum(axis=1, keepdims=True) / total
    other = other - (other * weights).sum(axis=1, keepdims=True) / total
    products, squares = (weights * one * other).sum(axis=1), (weights * one**2).sum(axis=1)
    return ratio(products, np.sqrt(squares * (weights * other**2).sum(axis=1)))
