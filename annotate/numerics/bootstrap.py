"""Coefficients with percentile intervals from resampled items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from annotate.numerics.labels import Floats, Ints

# How many numbers are in memory at a time: resamples are drawn in blocks of this size.
BLOCK = 4_000_000

Estimator = Callable[[Floats], Floats]
"""Takes how often each of U units is in each of B samples, (B, U); gives F figures of each, (F, B), or NaN."""


@dataclass(frozen=True)
class Coefficient:
    """A figure and its 95 % interval.

    Where `value` is undefined it is None and `reason` says why, in a few words. `low` and `high` are None where
    no interval was asked for or none of the resamples gives a value; `undefined_resamples` is how many gave none.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    undefined_resamples: int = 0


class Interval(NamedTuple):
    """The 2.5th and the 97.5th percentile, or None, and how many resamples had no value."""

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
) -> list[Interval]:
    """Percentile bootstrap intervals (Efron and Tibshirani 1993, chapter 13) of F figures from the same resamples.

    `times` (U,) says how many items are alike in each of U units; as many items as there are in all are drawn with
    replacement, which is a multinomial draw of units. `width` is how many numbers `estimate` needs for each unit.
    Resamples in which a figure is undefined are left out of its percentiles. With `around`, F values, the resamples of
    each figure are moved so that their mean is that value, for figures that resampling itself biases.
    """
    blocks = [estimate(weights) for weights in _samples(times, resamples, seed, width)]
    figures = np.concatenate(blocks, axis=1)
    centres = [None] * len(figures) if around is None else around
    return [_interval(values, centre) for values, centre in zip(figures, centres, strict=True)]


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient of two arrays of one shape, NaN where the denominator is 0."""
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
            # Every unit is one item; drawing items is then several times faster than a multinomial of so many cells.
            drawn = [np.bincount(generator.integers(n, size=n), minlength=n) for _ in range(count)]
            yield np.stack(drawn).astype(np.float64)


def _interval(values: Floats, centre: float | None) -> Interval:
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, undefined)
    if centre is not None:
        defined += centre - defined.mean()
    low, high = np.percentile(defined, [2.5, 97.5])
    return Interval(float(low), float(high), undefined)
