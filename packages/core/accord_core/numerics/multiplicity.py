"""Correction of p-values for multiple comparisons."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values of a family of tests in the same order, corrected by the method of Holm (1979).

    If all tests whose corrected p-value is below a level count as significant, the probability of one or more false
    findings is below this level, whatever the dependence between the tests. None values do not count as tests.
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        corrected[place] = largest
    return corrected
