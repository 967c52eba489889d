"""Means and medians of the judgements of many items, with bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
RESAMPLES = 10_000
ENDS = (2.5, 97.5)  # percentiles


@dataclass(frozen=True)
class Averages:
    """The figures of I items, as arrays (I,). Figures without a value are NaN.

    `low` and `high` are the ends of the 95% interval for the mean, and `median_low` and `median_high` those for the
    median.
    """

    count: Ints
    mean: Floats
    low: Floats
    high: Floats
    median: Floats
    median_low: Floats
    median_high: Floats
    sd: Floats


def averages(item: Ints, value: Floats, items: int, *, low: float, high: float, seed: int) -> Averages:
    """Return the mean and the median of the values of each item.

    `item` (J,) contains the number of the item that each of J judgements is about, from 0 to below `items`, and
    `value` (J,) the judgement, from `low` to `high`.

    An item has few judgements, too few for a bootstrap of its own: with three, the widest possible percentile interval
    covers the mean in 3 of 4 cases. The intervals therefore resample the deviations of all items together (a bootstrap
    of residuals, Davison and Hinkley 1997, §3.3), scaled by √(m/(m − 1)) for the m judgements of an item. They
    generalise to new judgements of the same items, and assume that annotators differ about equally on all items. The
    ends are limited to the scale. Without two judgements of the same item, there are no intervals.
    """
    count = np.bincount(item, minlength=items)
    mean = np.full(items, np.nan)
    np.divide(np.bincount(item, value, items), count, out=mean, where=count > 0)
    deviation = value - mean[item]
    several = count[item] > 1
    squares = np.bincount(item, deviation**2, items)
    sd = np.full(items, np.nan)
    np.divide(squares, count - 1, out=sd, where=count > 1)
    sd = np.sqrt(sd)
    order = np.lexsort((value, item))
    starts = np.concatenate(([0], np.cumsum(count)[:-1]))
    median = np.full(items, np.nan)
    judged = count > 0
    sorted_values, first, many = value[order], starts[judged], count[judged]
    median[judged] = (sorted_values[first + (many - 1) // 2] + sorted_values[first + many // 2]) / 2
    ends = [np.full(items, np.nan) for _ in range(4)]
    if several.any():
        m = count[item[several]]
        residuals = deviation[several] * np.sqrt(m / (m - 1))
        generator = np.random.default_rng([seed, 0x5CA1E])
        for size in np.unique(count[judged]).tolist():
            drawn = generator.choice(residuals, (RESAMPLES, size))
            of_size = count == size
            for centre, errors, (lower, upper) in (
                (mean, drawn.mean(axis=1), ends[:2]),
                (median, np.median(drawn, axis=1), ends[2:]),
            ):
                smallest, largest = np.percentile(errors, ENDS)
                lower[of_size] = np.clip(centre[of_size] - largest, low, high)
                upper[of_size] = np.clip(centre[of_size] - smallest, low, high)
    return Averages(count, mean, ends[0], ends[1], median, ends[2], ends[3], sd)
