"""Orders of items: midranks, Borda scores, and Kendall's coefficient of concordance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio

Floats = NDArray[np.float64]
TOO_FEW = "no question has two orders"
ALL_TIED = "every order ties all items"


def midranks(ranks: Sequence[float]) -> Floats:
    """Return the ranks (n,), from 1 for the first item. Tied items have the mean of the ranks that they share."""
    given = np.asarray(ranks, dtype=np.float64)
    before = (given[None, :] < given[:, None]).sum(axis=1)
    tied = (given[None, :] == given[:, None]).sum(axis=1)
    middle: Floats = before + (tied + 1) / 2
    return middle


def borda(ranks: Sequence[float]) -> Floats:
    """Return the Borda scores (n,) of an order of n items: the share of the other items that are behind an item, where
    ties count as half. The order of a single item has the score 0.5.
    """
    middle = midranks(ranks)
    n = len(middle)
    scores: Floats = (n - middle) / (n - 1) if n > 1 else np.full(n, 0.5)
    return scores


def concordance(orders: Floats) -> float:
    """Return Kendall's W of m orders (m, n) of the same n items, corrected for ties. W is 1 if all orders are equal. It
    is NaN with fewer than two orders or items, and if every order ties all items.

    Source: Kendall and Gibbons (1990), Rank Correlation Methods, 5th edition, chapter 6.
    """
    m, n = orders.shape
    if m < 2 or n < 2:
        return float("nan")
    ranks = np.array([midranks(row) for row in orders])
    sums = ranks.sum(axis=0)
    spread = 12 * ((sums - sums.mean()) ** 2).sum()
    ties = sum(int((times**3 - times).sum()) for times in (np.unique(row, return_counts=True)[1] for row in orders))
    largest = m**2 * (n**3 - n) - m * ties
    return float(spread / largest) if largest else float("nan")


def mean_concordance(questions: Sequence[Floats], *, resamples: int, seed: int) -> tuple[Coefficient, float | None]:
    """Return the mean of Kendall's W over questions, and its mean if all orders were random.

    Each question is an array (m, n) of m orders of its n items. Questions without W are excluded. The 95% interval
    resamples questions, with expanded percentiles. The expected W of m random orders is 1/m.
    """
    comparable = [orders for orders in questions if len(orders) > 1 and orders.shape[1] > 1]
    if not comparable:
        return Coefficient(None, reason=TOO_FEW), None
    pairs = [(value, 1 / len(orders)) for orders in comparable if not np.isnan(value := concordance(orders))]
    if not pairs:
        return Coefficient(None, reason=ALL_TIED), None
    values, chance = np.array(pairs).T

    def estimate(weights: Floats) -> Floats:
        return ratio(weights @ values, weights.sum(axis=1))[None, :]

    times = np.ones(len(values), dtype=np.int64)
    if resamples:
        ((low, high, _),) = percentile_intervals(estimate, times, resamples=resamples, seed=seed, expanded=True)
    else:
        low = high = None
    return Coefficient(float(values.mean()), low, high), float(chance.mean())
