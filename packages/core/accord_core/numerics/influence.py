"""Figures with their influence values, from which intervals and corrections follow without resamples.

An influence value is the derivative of a figure with respect to a unit's weight. The mean of the influence values with
these weights is 0, and their variance is the variance of the figure, multiplied by the number of units (Hampel 1974).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from accord_core.numerics.labels import Floats

STEP = 1e-5


class Influence(NamedTuple):
    """F figures as `value` (F,), and the influence value of each unit as `of_unit` (F, U). Undefined figures are
    NaN.
    """

    value: Floats
    of_unit: Floats


def influence_of_sums(counts: Floats, estimate: Callable[[Floats], Floats], weights: Floats) -> Influence:
    """Return figures that are functions of means, such as shares, F1 and κ, with their influence values.

    `counts` (U, K) contains the counts of each unit, and `weights` (U,) the weights, with any positive sum. `estimate`
    maps means (B, K) to figures (F, B), as for `accord_core.evaluation.measures`. The derivatives are central
    differences.
    """
    means = weights @ counts / weights.sum()
    steps = np.diag(STEP * np.maximum(np.abs(means), STEP))
    with np.errstate(invalid="ignore"):
        slopes = (estimate(means + steps) - estimate(means - steps)) / (2 * np.diag(steps))
        return Influence(estimate(means[None])[:, 0], slopes @ (counts - means).T)


def influence_of_spearman(one: Floats, other: Floats, weights: Floats) -> Influence:
    """Return Spearman's ρ of two scores (U,) of weighted units, with midranks for ties and with its influence values.

    A unit also changes the ranks of the other units (Croux and Dehon 2010). The figure is undefined if all values of a
    score are equal.
    """
    share = weights / weights.sum()
    covariance, of_covariance = _product(one, other, share)
    variances = [_product(values, values, share) for values in (one, other)]
    spread = (variances[0][0] * variances[1][0]) ** 0.5
    if not spread > 0:
        return Influence(np.array([np.nan]), np.full((1, len(one)), np.nan))
    rho = covariance / spread
    of_variances = np.sum([influence / value for value, influence in variances], axis=0)
    return Influence(np.array([rho]), (of_covariance / spread - rho / 2 * of_variances)[None])


def _product(one: Floats, other: Floats, share: Floats) -> tuple[float, Floats]:
    """Return the mean product of two scores' ranks, and the influence value of each unit (U,)."""
    ranks, ranks_of_other = _midranks(one, share), _midranks(other, share)
    mean = float(share @ (ranks * ranks_of_other))
    on_others = _sums_above(one, share * ranks_of_other) + _sums_above(other, share * ranks)
    return mean, ranks * ranks_of_other - 3 * mean + on_others


def _midranks(values: Floats, share: Floats) -> Floats:
    """Return the weighted share of lower values plus half of the share of equal values, minus ½. The mean is 0."""
    level = np.unique(values, return_inverse=True)[1]
    at_level = np.bincount(level, share)
    ranks: Floats = (np.cumsum(at_level) - at_level / 2)[level] - 0.5
    return ranks


def _sums_above(values: Floats, summed: Floats) -> Floats:
    """Return for each unit the sum of `summed` (U,) over the units with higher values, plus half of the sum over the
    units with equal values.
    """
    level = np.unique(values, return_inverse=True)[1]
    at_level = np.bincount(level, summed)
    sums: Floats = (at_level.sum() - np.cumsum(at_level) + at_level / 2)[level]
    return sums
