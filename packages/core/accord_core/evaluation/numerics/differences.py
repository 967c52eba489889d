"""Comparisons between two systems, with a paired bootstrap for the interval and a permutation test for the p-value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.evaluation.numerics.correlation import spearman, spearman_estimator, weighted_midranks
from accord_core.numerics.bootstrap import percentile_intervals, ratio

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BLOCK = 1_000_000


def paired_difference(
    scores: ArrayLike,
    one: ArrayLike,
    other: ArrayLike,
    *,
    seed: int = 1,
    resamples: int = 1000,
    permutations: int = 10_000,
) -> dict[str, Any]:
    """Return the Spearman correlation of `one` with the scores minus that of `other`. All arrays have the shape (n,).

    `low` and `high` are the ends of the 95% interval over resampled items, with the same items for both systems (Efron
    and Tibshirani 1993). `p` is two-sided: the probability of a difference that is at least as large if the ranks of
    each item were assigned to the two systems at random (Noreen 1989; Yeh 2000). The observed difference counts as one
    of the permutations, so p is never 0. The test uses ranks, because the systems may have different scales. The
    difference is undefined if one of the correlations is undefined. `reason` then contains the reason.
    """
    x, a, b = (np.asarray(values, dtype=np.float64) for values in (scores, one, other))
    of_one, of_other = spearman(x, a), spearman(x, b)
    empty = {"value": None, "low": None, "high": None, "p": None, "permutations": permutations}
    if of_one.value is None or of_other.value is None:
        return {**empty, "reason": of_one.reason or of_other.reason}
    estimate = spearman_estimator(x, a, b)
    ones = np.ones(len(x), dtype=np.int64)
    low = high = None
    if resamples:
        (interval,) = percentile_intervals(
            lambda weights: np.subtract(*estimate(weights))[None], ones, resamples=resamples, seed=seed, width=8
        )
        low, high = interval.low, interval.high
    rank_x, rank_a, rank_b = (weighted_midranks(values)(ones[None].astype(np.float64))[0] for values in (x, a, b))
    rank_x -= rank_x.mean()

    def swapped(swap: Bools) -> Floats:
        mixed_a, mixed_b = np.where(swap, rank_b, rank_a), np.where(swap, rank_a, rank_b)
        return _correlations(mixed_a, rank_x) - _correlations(mixed_b, rank_x)

    value = of_one.value - of_other.value
    return {
        "value": value,
        "low": low,
        "high": high,
        "p": _p(value, len(x), swapped, permutations, seed),
        "permutations": permutations,
    }


def paired_mean_difference(
    one: ArrayLike,
    other: ArrayLike,
    groups: ArrayLike,
    *,
    seed: int = 1,
    resamples: int = 1000,
    permutations: int = 10_000,
) -> dict[str, Any]:
    """Return the mean of `one` minus the mean of `other`. Each array contains one system's figures for the same n
    items. All items in a group are resampled together.

    The function corresponds to `paired_difference`, but `groups` (n,), such as paraphrase sets, are resampled and
    assigned to the systems as a whole. A single group has neither an interval nor a p-value.
    """
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if a.shape != b.shape or not len(a):
        return {
            "value": None,
            "low": None,
            "high": None,
            "p": None,
            "permutations": permutations,
            "reason": "no sentence has a figure from both systems",
        }
    _, number = np.unique(np.asarray(groups), return_inverse=True)
    sums, counts = np.bincount(number, weights=a - b), np.bincount(number)
    value = float((a - b).mean())
    low = high = None
    if len(sums) < 2:
        return {"value": value, "low": None, "high": None, "p": None, "permutations": permutations}
    if resamples:
        (interval,) = percentile_intervals(
            lambda weights: ratio(weights @ sums, weights @ counts)[None],
            np.ones(len(sums), dtype=np.int64),
            resamples=resamples,
            seed=seed,
            expanded=True,
        )
        low, high = interval.low, interval.high
    p = _p(value, len(sums), lambda swap: np.where(swap, -sums, sums).sum(axis=1) / len(a), permutations, seed)
    return {"value": value, "low": low, "high": high, "p": p, "permutations": permutations}


def _p(value: float, units: int, swapped: Callable[[Bools], Floats], permutations: int, seed: int) -> float | None:
    if not permutations:
        return None
    generator = np.random.default_rng([seed, 0xD1])
    size = max(1, BLOCK // units)
    reached = 0
    for start in range(0, permutations, size):
        swap = generator.random((min(size, permutations - start), units)) < 0.5
        # Two differences that are equal except for rounding errors count as equally large.
        reached += int((np.abs(swapped(swap)) >= abs(value) - 1e-12).sum())
    return (reached + 1) / (permutations + 1)


def _correlations(rows: Floats, centred: Floats) -> Floats:
    """Return Pearson's r between each row and `centred`, as an array of shape (B,). The result is 0 for a row in which
    all values are equal.
    """
    rows = rows - rows.mean(axis=1, keepdims=True)
    spread = np.sqrt((rows * rows).sum(axis=1) * (centred * centred).sum())
    coefficients: Floats = np.divide(rows @ centred, spread, out=np.zeros(len(rows)), where=spread > 0)
    return coefficients
