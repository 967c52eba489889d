"""Spearman's correlation between predictions and collected scores with its interval, also by bins of another score
(STR-2021 §4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FEWEST = 3


def bin_scores(
    scores: ArrayLike,
    predictions: ArrayLike,
    outside: ArrayLike,
    edges: Sequence[float],
    *,
    seed: int = 1,
    resamples: int = 1000,
) -> list[dict[str, Any]]:
    """Return the correlations of the collected scores with another score and with the predictions, in each bin of the
    other score (STR-2021 §4).

    Each bin has the form (edge, next edge], and the first bin also includes its lower edge. A bin contains `low`,
    `high`, `items`, `outside` and `predictions`. Items outside all edges are not in any bin. Raises ValueError if the
    edges are not in ascending order.
    """
    x, y = checked(scores, predictions)
    _, z = checked(scores, outside)
    if len(edges) < 2 or any(low >= high for low, high in pairwise(edges)):
        raise ValueError("Bins need at least two edges in ascending order.")
    bins = []
    for number, (low, high) in enumerate(pairwise(edges)):
        here = (z <= high) & ((z >= low) if number == 0 else (z > low))
        against = {"outside": z, "predictions": y}
        figures = {
            name: spearman(x[here], other[here], resamples=resamples, seed=seed).as_figure()
            for name, other in against.items()
        }
        bins.append({"low": float(low), "high": float(high), "items": int(here.sum()), **figures})
    return bins


def spearman(x: ArrayLike, y: ArrayLike, *, resamples: int = 0, seed: int = 1) -> Coefficient:
    """Return Spearman's ρ between two (n,) arrays, with midranks for ties. The confidence interval is based on
    resampled items, which are ranked again in each sample.

    The correlation is undefined if there are fewer than three items, or if all values of either variable are equal.
    """
    x, y = checked(x, y)
    reason = why_undefined(x, y)
    if reason:
        return Coefficient(None, reason=reason)
    estimate = spearman_estimator(x, y)
    ones = np.ones(len(x), dtype=np.int64)
    value = float(estimate(ones[None].astype(np.float64))[0, 0])
    if not resamples:
        return Coefficient(value)
    (interval,) = percentile_intervals(estimate, ones, resamples=resamples, seed=seed, width=6)
    return Coefficient(value, interval.low, interval.high, undefined_resamples=interval.undefined)


def spearman_estimator(x: Floats, *others: Floats) -> Callable[[Floats], Floats]:
    """Return a function that maps the items' draw counts (B, n) to Spearman's ρ (F, B) between `x` and F other arrays.
    Undefined values are NaN.
    """
    rank_x, ranks = weighted_midranks(x), [weighted_midranks(other) for other in others]

    def estimate(weights: Floats) -> Floats:
        total = weights.sum(axis=1, keepdims=True)
        centre = (total + 1) / 2  # mean of the midranks of any sample
        a = rank_x(weights) - centre
        spread_a = (weights * a * a).sum(axis=1)
        coefficients = []
        for rank in ranks:
            b = rank(weights) - centre
            product = np.sqrt(spread_a * (weights * b * b).sum(axis=1))
            coefficients.append(np.clip(ratio((weights * a * b).sum(axis=1), product), -1.0, 1.0))
        return np.stack(coefficients)

    return estimate


def weighted_midranks(values: Floats) -> Callable[[Floats], Floats]:
    """Return a function that maps the items' draw counts (B, n) to the midranks (B, n) of their values in each sample.

    The values are sorted only once, because a sample needs only the counts of lower values.
    """
    _, level = np.unique(values, return_inverse=True)
    order = np.argsort(level, kind="stable")
    starts = np.flatnonzero(np.diff(level[order], prepend=-1))

    def ranks(weights: Floats) -> Floats:
        at_level = np.add.reduceat(weights[:, order], starts, axis=1)
        rank = np.cumsum(at_level, axis=1) - at_level / 2 + 0.5
        midranks: Floats = rank[:, level]
        return midranks

    return ranks


def why_undefined(x: Floats, y: Floats) -> str | None:
    """Return the reason why the correlation of two arrays (n,) is undefined, or None if it is defined."""
    if len(x) < FEWEST:
        return f"there are fewer than {FEWEST} items"
    if (x == x[0]).all():
        return "all collected scores are equal"
    return "all predictions are equal" if (y == y[0]).all() else None


def checked(scores: ArrayLike, predictions: ArrayLike) -> tuple[Floats, Floats]:
    """Return both lists as arrays (n,). Raises ValueError for different lengths, and for values that are not finite."""
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(predictions, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"The number of scores ({x.size}) must equal the number of predictions ({y.size}).")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("All scores and predictions must be finite numbers.")
    return x, y
