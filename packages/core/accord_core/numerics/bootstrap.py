"""Percentile bootstrap intervals for coefficients, calculated from resampled items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from accord_core.numerics.intervals import t_quantile
from accord_core.numerics.labels import Floats, Ints

# The maximum number of values that are in memory at once. Resamples are drawn in blocks that contain at most this many
# values.
BLOCK = 4_000_000
TAIL = 2.5

Estimator = Callable[[Floats], Floats]
"""A function from the frequencies of U units in B samples (B, U) to F figures per sample (F, B). Undefined figures are
NaN.
"""


@dataclass(frozen=True)
class Coefficient:
    """A coefficient and its 95% confidence interval.

    An undefined `value` is None, with a short `reason`. `low` and `high` are None without resamples, with a single
    unit, or if no resample has a value. `undefined_resamples` is the number of resamples without a value.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    undefined_resamples: int = 0

    def as_figure(self) -> dict[str, Any]:
        """Return the coefficient as a JSON object with the keys `value`, `low` and `high`, and, if necessary, `reason`
        and `undefined_resamples`.
        """
        figure: dict[str, Any] = {"value": self.value, "low": self.low, "high": self.high}
        if self.reason is not None:
            figure["reason"] = self.reason
        if self.undefined_resamples:
            figure["undefined_resamples"] = self.undefined_resamples
        return figure


class Interval(NamedTuple):
    """A percentile interval: the 2.5th and 97.5th percentiles, which can be None, and the number of resamples without a
    value.
    """

    low: float | None
    high: float | None
    undefined: int


def percentile_intervals(
    estimate: Estimator,
    times: Ints,
    *,
    resamples: int,
    seed: int,
    width: int = 1,
    around: Sequence[float] | None = None,
    expanded: bool = False,
) -> list[Interval]:
    """Return percentile bootstrap intervals for F figures (Efron and Tibshirani 1993, chapter 13).

    `times` (U,) is the number of equal items in each of U units. A resample draws as many items as there are in total,
    with replacement, which is a multinomial draw of units. `width` is the number of values that `estimate` needs per
    unit. The percentiles of a figure exclude resamples in which it is undefined. With `around`, F values, the resamples
    of each figure are shifted to this mean. Use this for figures that are biased by resampling. A single item has no
    interval, because all of its resamples are equal.

    With few units, percentile intervals are too narrow. `expanded` uses the percentiles Φ(±t·√(n/(n − 1))) for n items,
    with the quantile t for n − 1 degrees of freedom (Hesterberg 2015), instead of the 2.5th and 97.5th percentiles.
    """
    blocks = [estimate(weights) for weights in _samples(times, resamples, seed, width)]
    figures = np.concatenate(blocks, axis=1)
    n = int(times.sum())
    if n < 2:
        return [Interval(None, None, 0)] * len(figures)
    centres = [None] * len(figures) if around is None else around
    tail = _expanded_tail(n) if expanded else TAIL
    return [_interval(values, centre, tail) for values, centre in zip(figures, centres, strict=True)]


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient of two arrays with the same shape, and NaN for each denominator of 0."""
    result = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def _samples(times: Ints, resamples: int, seed: int, width: int) -> Iterator[Floats]:
    generator = np.random.default_rng([seed, 0xB0])
    n = int(times.sum())
    size = max(1, BLOCK // max(1, len(times) * width))
    for start in range(0, resamples, size):
        count = min(size, resamples - start)
        if len(times) < n:
            yield generator.multinomial(n, times / n, size=count).astype(np.float64)
        else:
            # If each unit is one item, drawing items is several times faster than drawing from a multinomial over many
            # cells.
            drawn = [np.bincount(generator.integers(n, size=n), minlength=n) for _ in range(count)]
            yield np.stack(drawn).astype(np.float64)


def _expanded_tail(n: int) -> float:
    """Return the lower percentile of an expanded interval from n items. The t distribution has at least two degrees of
    freedom, so the percentile for two items equals that for three.
    """
    return 100 * NormalDist().cdf(-t_quantile(max(2, n - 1)) * (n / (n - 1)) ** 0.5)


def _interval(values: Floats, centre: float | None, tail: float) -> Interval:
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, undefined)
    if centre is not None:
        defined += centre - defined.mean()
    low, high = np.percentile(defined, [tail, 100 - tail])
    return Interval(float(low), float(high), undefined)
