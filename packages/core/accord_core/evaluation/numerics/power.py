"""The smallest detectable difference between two systems' correlations with a set of scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from accord_core.evaluation.numerics.correlation import spearman
from accord_core.numerics.printed import coefficient

Z_SIGNIFICANCE, Z_POWER = 1.959964, 0.841621  # The values are for a two-sided test at the 5% level with 80% power.
FEWEST_ITEMS = 10
BETWEEN = (0.5, 0.7, 0.9)


class Detectable(NamedTuple):
    """The smallest detectable difference between two systems. `between` is the correlation between their predictions.

    `difference` is the difference between the correlations with the scores, and `corrected` is the difference between
    the correlations corrected for noise. Both are None if no difference is large enough.
    """

    between: float
    difference: float | None
    corrected: float | None


def smallest_difference(items: int, correlation: float, between: float) -> float | None:
    """Return the smallest difference in Spearman's correlation that is significant at the 5% level in 80% of samples.

    Both systems are correlated with the scores of the same `items`, with a mean `correlation`, and `between` is the
    correlation between the two systems. The result is the solution of d = (1.96 + 0.84)·SE(d) for the correlations
    ρ ± d/2. SE² is the sum of both variances minus twice the covariance of dependent correlations (Pearson and Filon
    1898; Steiger 1980), times 1 + ρ²/2, because Spearman's correlation varies more than Pearson's (Bonett and Wright
    2000). The variables are assumed to be approximately normal. The result is None for fewer than 10 items, for
    correlations that two systems cannot have together, and if no difference is large enough.
    """
    if items < FEWEST_ITEMS or not (abs(correlation) < 1 and abs(between) < 1):
        return None
    differences = np.linspace(0, 2 * (1 - abs(correlation)), 20_001)[1:-1]
    one, other = correlation + differences / 2, correlation - differences / 2
    possible = 1 - one**2 - other**2 - between**2 + 2 * one * other * between > 0
    squares = one**2 + other**2
    covariance = between * (1 - squares) - one * other / 2 * (1 - squares - between**2)
    variance = (1 - one**2) ** 2 + (1 - other**2) ** 2 - 2 * covariance
    error = np.sqrt(np.maximum(0, variance) * (1 + correlation**2 / 2) / (items - 3))
    shown = possible & (differences >= (Z_SIGNIFICANCE + Z_POWER) * error)
    return float(differences[np.argmax(shown)]) if shown.any() else None


def detectable_difference(scores: ArrayLike, one: ArrayLike, other: ArrayLike) -> float | None:
    """Return the smallest detectable difference between the predictions `one` and `other` of two systems, or None. All
    arrays have the shape (n,).
    """
    x, a, b = (np.asarray(values, dtype=np.float64) for values in (scores, one, other))
    of_one, of_other, between = (spearman(*pair).value for pair in ((x, a), (x, b), (a, b)))
    if of_one is None or of_other is None or between is None:
        return None
    return smallest_difference(len(x), (of_one + of_other) / 2, between)


def detectable_differences(items: int, correlation: float | None, ceiling: float | None) -> list[Detectable]:
    """Return the smallest detectable differences for a system that has this `correlation` with the scores, compared
    with systems that are more or less similar. `ceiling` is the noise ceiling of the scores.
    """
    return list(_detectable(items, correlation, ceiling)) if correlation is not None else []


def _detectable(items: int, correlation: float, ceiling: float | None) -> Iterator[Detectable]:
    for between in BETWEEN:
        difference = smallest_difference(items, correlation, between)
        yield Detectable(between, difference, difference / ceiling if difference and ceiling else None)


def detectable_sentence(rows: list[Detectable]) -> str:
    """Return a sentence with the smallest detectable differences, or an empty string if there are none."""
    shown = [
        f"{coefficient(row.difference)} if their predictions correlate with {coefficient(row.between, 1)}"
        for row in rows
        if row.difference is not None
    ]
    if not shown:
        return ""
    return (
        "The smallest detectable difference between the correlations of two systems (80% power, 5% level) "
        f"is {', '.join(shown)}."
    )
