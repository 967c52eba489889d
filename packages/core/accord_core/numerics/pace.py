"""A forecast of the time needed for the remaining work at the current pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, sqrt

import numpy as np
from numpy.typing import NDArray

LENGTHS = (24, 6)  # of a period, in hours
FEWEST = 3  # periods; with fewer days, the forecast uses the shorter periods
SHORTEST = FEWEST * min(LENGTHS)  # hours of data that a forecast needs
FOR_INTERVAL = 5 * 24  # hours of data that the interval needs; after two days, it contained the end too rarely
LONGEST = 365 * 24  # hours; forecasts do not go further
CONFIDENCE = 0.9


@dataclass(frozen=True)
class Forecast:
    """The number of hours until the remaining work is done, with a 90% prediction interval.

    A value is None if it is longer than `LONGEST`. Both ends of the interval are None in the first five days of work.
    """

    low: float | None
    expected: float | None
    high: float | None


def hours_needed(counts: Sequence[int], remaining: int) -> Forecast | None:
    """Forecast the hours until `remaining` units of work are done. `counts` contains the number of units completed in
    each past hour, oldest first and without gaps. The last hour in `counts` ends now.

    The periods of the forecast are days. With fewer than three whole days, the periods are 6 hours long. If n periods
    had the mean m and the standard deviation s, the work in the next T periods is predicted to be T·m, with the
    standard error s·√(T + T²/n): the variation of the future periods, and the uncertainty about the mean. The
    prediction interval of this sum follows Student's t distribution with n − 1 degrees of freedom. The ends of the
    forecast are the T at which the ends of that interval equal `remaining`. Within a period, the work follows the mean
    pattern of the past periods.

    Returns None if there are fewer than 18 hours, or if no work was done in these periods.
    """
    if len(counts) < SHORTEST:
        return None
    periods = _periods(counts)
    totals = periods.sum(axis=1)
    mean, deviation = float(totals.mean()), float(totals.std(ddof=1))
    if not mean:
        return None
    profile = periods.mean(axis=0)
    expected = _hours(remaining / mean, profile)
    if len(counts) < FOR_INTERVAL:
        return Forecast(None, expected, None)
    low, high = _ends(remaining, mean, deviation, len(totals))
    return Forecast(_hours(low, profile), expected, _hours(high, profile))


def _periods(counts: Sequence[int]) -> NDArray[np.float64]:
    """Return the counts as an array of shape (periods, hours per period). The last period ends now, and the earliest
    hours are dropped if they do not fill a whole period.
    """
    length = next(length for length in LENGTHS if len(counts) // length >= FEWEST)
    whole = len(counts) // length
    return np.array(counts[-whole * length :], dtype=float).reshape(whole, length)


def _ends(remaining: int, mean: float, deviation: float, periods: int) -> tuple[float, float | None]:
    """Return the lower and upper limits of the prediction interval, in periods. The upper limit is None if the mean may
    be 0.

    The ends are the roots of (remaining − T·mean)² = t²·deviation²·(T + T²/periods), as in Fieller's theorem.
    """
    from scipy.special import stdtrit  # a slow import, which few commands need

    spread = (float(stdtrit(periods - 1, (1 + CONFIDENCE) / 2)) * deviation) ** 2
    a, b, c = mean**2 - spread / periods, remaining * mean + spread / 2, remaining**2
    root = sqrt(max(0.0, b**2 - a * c))  # rounding can make the difference negative if the deviation is 0
    low = c / (b + root) if remaining else 0.0
    return low, (b + root) / a if a > 0 else None


def _hours(periods: float | None, profile: NDArray[np.float64]) -> float | None:
    """Convert periods to hours. The mean pattern `profile` determines how many hours a fraction of a period takes."""
    if periods is None or periods * len(profile) > LONGEST:
        return None
    whole = floor(periods)
    reached = np.concatenate([[0.0], profile.cumsum() / profile.sum()])
    hour = min(max(int(np.searchsorted(reached, periods - whole)) - 1, 0), len(profile) - 1)
    share = profile[hour] / profile.sum()
    part = (periods - whole - reached[hour]) / share if share else 0.0
    return float(whole * len(profile) + hour + part)
