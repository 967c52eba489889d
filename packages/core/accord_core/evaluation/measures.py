"""Comparisons between two systems, and figures with intervals that are calculated from counts over a corpus.

Precision, recall, F1 and the alignment error rate are ratios of sums of these counts. The resampled units are units of
the corpus, such as sentence pairs, with all their counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.measure import Difference, Measure
from accord_core.numerics.bootstrap import percentile_intervals, ratio

Floats = NDArray[np.float64]

Estimate = Callable[[Floats], Floats]
"""A function from B sums of K counts (B, K) to F figures per sum (F, B). Undefined figures are NaN.
"""

BLOCK = 1_000_000


class Ratio(NamedTuple):
    """The name of a figure that is a ratio of sums.

    `lower` is true if a lower value is better. `undefined` is the reason to show if the figure is undefined.
    """

    name: str
    lower: bool = False
    undefined: str = "the denominator is 0"


def measures_of_sums(
    names: Sequence[Ratio], counts: Floats, estimate: Estimate, *, resamples: int, seed: int
) -> list[Measure]:
    """Return F measures, calculated from the sums of `counts` (U, K) over all units.

    `low` and `high` are the ends of the 95% percentile interval over resampled units (Efron and Tibshirani 1993,
    chapter 13). Both are None without resamples, or if no resample has a value.
    """
    values = estimate(counts.sum(axis=0, keepdims=True))[:, 0]
    intervals = _intervals(lambda weights: estimate(weights @ counts), len(counts), resamples, seed, counts.shape[1])
    return [
        Measure(name.name, _plain(value), low, high, name.undefined if np.isnan(value) else "", name.lower)
        for name, value, (low, high) in zip(names, values, intervals or [(None, None)] * len(names), strict=True)
    ]


def differences_of_sums(
    names: Sequence[Ratio],
    one: Floats,
    other: Floats,
    estimate: Estimate,
    *,
    resamples: int,
    permutations: int,
    seed: int,
) -> list[Difference]:
    """Return the measures of `one` minus the measures of `other`. Both arrays have the shape (U, K) and contain counts
    for the same units.

    The interval comes from resampled units, with the same units for both systems. `p` is two-sided: the probability of
    a difference that is at least as large if the counts of each unit were assigned to the two systems at random (Noreen
    1989; Yeh 2000). The observed difference counts as one of the permutations, so p is never 0. Raises ValueError if
    the units are not the same.
    """
    if one.shape != other.shape:
        raise ValueError(f"The counts of {one.shape} and {other.shape} must belong to the same units.")
    sums, less = one.sum(axis=0, keepdims=True), other.sum(axis=0, keepdims=True)
    values = (estimate(sums) - estimate(less))[:, 0]

    def difference(weights: Floats) -> Floats:
        return estimate(weights @ one) - estimate(weights @ other)

    intervals = _intervals(difference, len(one), resamples, seed, 2 * one.shape[1])
    reached, change = np.zeros(len(values)), other - one
    for swap in _coins(len(one), permutations, seed):
        moved = swap @ change
        swapped = estimate(sums + moved) - estimate(less - moved)
        # Two differences that are equal except for rounding errors count as equally large. Undefined differences do not
        # count as large differences.
        reached += (np.abs(swapped) >= np.abs(values)[:, None] - 1e-12).sum(axis=1)
    return [
        Difference(
            name.name,
            _plain(value),
            low,
            high,
            None if np.isnan(value) or not permutations else (hits + 1) / (permutations + 1),
            name.undefined if np.isnan(value) else "",
            name.lower,
        )
        for name, value, hits, (low, high) in zip(
            names, values, reached.tolist(), intervals or [(None, None)] * len(names), strict=True
        )
    ]


def precision_recall_f1(found_a: Floats, a: Floats, found_b: Floats, b: Floats) -> Floats:
    """Return precision (found_a / a), recall (found_b / b) and F1 as an array (3, B), with NaN for undefined figures.
    F1 is 0 if precision and recall are 0.
    """
    precision, recall = ratio(found_a, a), ratio(found_b, b)
    both = precision + recall
    f1 = np.where(both == 0, 0.0, ratio(2 * precision * recall, both))
    return np.stack([precision, recall, f1])


def _intervals(
    estimate: Estimate, units: int, resamples: int, seed: int, width: int
) -> list[tuple[float | None, float | None]]:
    if not resamples or not units:
        return []
    ones = np.ones(units, dtype=np.int64)
    return [
        (interval.low, interval.high)
        for interval in percentile_intervals(estimate, ones, resamples=resamples, seed=seed, width=width, expanded=True)
    ]


def _coins(units: int, permutations: int, seed: int) -> Iterator[Floats]:
    generator = np.random.default_rng([seed, 0xD1])
    size = max(1, BLOCK // max(1, units))
    for start in range(0, permutations, size):
        yield (generator.random((min(size, permutations - start), units)) < 0.5).astype(np.float64)


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
