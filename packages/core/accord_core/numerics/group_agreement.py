"""Agreement between groups of annotators, such as people and a system, from counts that are summed over questions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio
from accord_core.numerics.labels import Floats

Estimate = Callable[[Floats], Floats]
"""A function that maps sums of C counts in B samples, with the shape (B, C), to F figures per sample, with the shape
(F, B). Undefined figures are NaN.
"""
UNDEFINED = "undefined for these answers"


def agreement_of_counts(counts: Floats, estimate: Estimate, *, resamples: int, seed: int) -> list[Coefficient]:
    """Return F figures from the counts of each question (Q, C), with 95% bootstrap intervals over questions.

    The percentiles are expanded, because the intervals would otherwise be too narrow for few questions. There are no
    intervals with 0 `resamples`, nor if all resamples have the same value, for example because two programs agree on
    each question.
    """
    values = estimate(counts.sum(axis=0, keepdims=True))[:, 0]
    if not resamples:
        return [_coefficient(float(value), None, None, 0) for value in values]
    intervals = percentile_intervals(
        lambda weights: estimate(weights @ counts),
        np.ones(len(counts), dtype=np.int64),
        resamples=resamples,
        seed=seed,
        width=counts.shape[1],
        expanded=True,
    )
    return [_coefficient(float(value), *interval) for value, interval in zip(values, intervals, strict=True)]


def shares_of_sums(sums: Floats) -> Floats:
    """Return each count except the last divided by the last count. `sums` (B, C) gives figures (C − 1, B)."""
    return np.stack([ratio(sums[:, at], sums[:, -1]) for at in range(sums.shape[1] - 1)])


def f1_of_sums(sums: Floats) -> Floats:
    """Return the F1 (1, B) from sums (B, 4): the matched and the total weight of the first group, and the matched and
    the total weight of the second group. F1 is 0 if only one of the groups has links.
    """
    precision, recall = ratio(sums[:, 0], sums[:, 1]), ratio(sums[:, 2], sums[:, 3])
    f1 = ratio(2 * precision * recall, precision + recall)
    return np.where(np.isnan(f1) & (sums[:, 1] + sums[:, 3] > 0), 0.0, f1)[None, :]


def kappa_of_sums(sums: Floats) -> Floats:
    """Return the raw agreement and Cohen's κ (2, B) from sums (B, 4) of pairs of votes: both yes, only the first yes,
    only the second yes, and both no.
    """
    total = sums.sum(axis=1)
    cells = ratio(sums, np.repeat(total[:, None], 4, axis=1))
    observed = cells[:, 0] + cells[:, 3]
    first, second = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
    expected = first * second + (1 - first) * (1 - second)
    return np.stack([observed, ratio(observed - expected, 1 - expected)])


def _coefficient(value: float, low: float | None, high: float | None, undefined: int) -> Coefficient:
    if np.isnan(value):
        return Coefficient(None, reason=UNDEFINED)
    return (
        Coefficient(value, undefined_resamples=undefined)
        if low == high
        else Coefficient(value, low, high, None, undefined)
    )
