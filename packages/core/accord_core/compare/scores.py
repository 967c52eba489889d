"""Agreement between the scores of the same items in two studies."""

from __future__ import annotations

import numpy as np

from accord_core.evaluation.numerics.correlation import spearman_estimator, why_undefined
from accord_core.numerics.bootstrap import Coefficient, Interval, percentile_intervals, ratio
from accord_core.numerics.labels import Floats

FIGURES = {"spearman": "Spearman’s ρ", "pearson": "Pearson’s r", "rmse": "RMSE"}


def score_agreement(one: Floats, other: Floats, *, resamples: int, seed: int) -> dict[str, Coefficient]:
    """Return Spearman's and Pearson's correlation and the root mean squared difference of two lists of scores (I,).

    The 95% percentile intervals come from resampled items, and there are none without `resamples`. They are expanded,
    because they would otherwise be too narrow for few items. Correlations are the measures of sets of scores (type II)
    in QRA++ (Belz 2025).
    """
    reason = why_undefined(one, other)
    if not len(one):
        return dict.fromkeys(FIGURES, Coefficient(None, reason="there are no shared items"))
    rank = spearman_estimator(one, other)
    # The sums of equal values would differ by rounding errors, which a correlation would multiply.
    x, y = one - one.mean(), other - other.mean()
    squares = (one - other) ** 2
    columns = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y, squares], axis=1)

    def estimate(weights: Floats) -> Floats:
        n, sx, sy, xx, yy, xy, difference = (weights @ columns).T
        spread = np.sqrt(np.maximum(n * xx - sx**2, 0) * np.maximum(n * yy - sy**2, 0))
        pearson = np.clip(ratio(n * xy - sx * sy, spread), -1, 1)
        return np.stack([rank(weights)[0], pearson, np.sqrt(difference / n)])

    values = estimate(np.ones((1, len(one))))[:, 0].tolist()
    intervals = [Interval(None, None, 0)] * len(values)
    if resamples:
        times = np.ones(len(one), dtype=np.int64)
        intervals = percentile_intervals(estimate, times, resamples=resamples, seed=seed, width=7, expanded=True)
    figures = {
        name: Coefficient(value, interval.low, interval.high, undefined_resamples=interval.undefined)
        for name, value, interval in zip(FIGURES, values, intervals, strict=True)
    }
    if reason:
        undefined = Coefficient(None, reason=reason.replace("predictions", "scores of the repeat"))
        figures |= {"spearman": undefined, "pearson": undefined}
    return figures


def order_upheld(one: Floats, other: Floats) -> tuple[int, int]:
    """Return the number of pairs of items with different scores in the original (`one`), and how many of them have the
    same order in the repeat (`other`).

    Each order of two items counts as a finding (type IV in QRA++, Belz 2025).
    """
    upper = np.triu_indices(len(one), 1)
    first = np.sign(one[:, None] - one[None, :])[upper]
    second = np.sign(other[:, None] - other[None, :])[upper]
    return int((first != 0).sum()), int(((first != 0) & (first == second)).sum())
