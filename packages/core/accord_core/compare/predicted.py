"""Prediction intervals for the agreement between a study and a repeat, from simulated repeats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from accord_core.numerics.labels import Floats

DRAWS = 199
"""Simulated repeats. The interval then runs from the fifth smallest to the fifth largest of their figures."""
SHARE = 0.95


class Predicted(NamedTuple):
    """The interval, and the mean of the simulated figures."""

    low: float
    high: float
    mean: float


def predicted_interval(figures: Floats) -> Predicted | None:
    """Return the interval that contains the figure of a further repeat with a probability of 95%, from the figures (D,)
    of simulated repeats. The interval is None if fewer than 39 of the figures are defined.

    If the figure of the real repeat is exchangeable with D simulated ones, it lies between their k-th smallest and k-th
    largest with a probability of at least 1 − 2k/(D + 1) (Wilks 1941). k is the largest number for which this is 95%.
    """
    defined = np.sort(figures[~np.isnan(figures)])
    k = int((1 - SHARE) / 2 * (len(defined) + 1) + 1e-9)
    if k < 1:
        return None
    return Predicted(float(defined[k - 1]), float(defined[-k]), float(defined.mean()))
