"""The largest standard error to be expected among a study's counting-based scores."""

from typing import NamedTuple

import numpy as np

from accord_core.bws.numerics.maxdiff import choice_moments, maxdiff_scores
from accord_core.bws.numerics.scoring import Floats, Judgements, counting_scores, counting_standard_errors, tuple_index
from accord_core.numerics.intervals import Z_95

POINTS, OPPONENTS = 41, 400


class LargestError(NamedTuple):
    """The largest standard error of a score in [-1, 1], with the ends of its 95% interval. `floor` is the largest
    standard error with infinitely many judgements of the same tuples.
    """

    value: float
    low: float
    high: float
    floor: float


def largest_standard_error(judgements: Judgements, *, seed: int = 1) -> LargestError | None:
    """Return the largest standard error, or None if an item has fewer than two tuples, or if no item's judgements vary.

    The standard errors of single items (`counting_standard_errors`) come from few tuples, so the largest of them is far
    too large. MaxDiff therefore determines how the standard error depends on an item's utility, and the mean of the
    items' own variances determines the level. An item with the utility u has the score variance W(u)/n + B(u)/R after n
    judgements of R tuples: W is the mean variance within a tuple, and B the variance between tuples, over random
    opponents from the other items. More judgements of the same tuples reduce only W's share of the variance, not B's.

    The interval treats the items' variances as independent, and the dependence on the utility as known.
    """
    items, tuples = judgements.items, tuple_index(judgements)
    _, first = np.unique(tuples, return_index=True)
    clusters = np.bincount(items[first].ravel(), minlength=judgements.n_items)
    appearances = counting_scores(judgements).appearances
    judged = appearances > 0
    own = counting_standard_errors(judgements)[judged] ** 2
    if not len(own) or not np.isfinite(own).all() or not own.any():
        return None
    utility = maxdiff_scores(judgements).utility[judged]
    within, between = _variances(utility, items.shape[1], seed)
    fixed = between / clusters[judged]
    modelled = within / appearances[judged] + fixed
    level = own.mean() / modelled.mean()
    error = own.std(ddof=1) / own.mean() / np.sqrt(len(own)) if len(own) > 1 else np.inf
    value, floor = np.sqrt(level * np.array([modelled.max(), fixed.max()]))
    factor = float(np.exp(Z_95 * error / 2))
    return LargestError(float(value), float(value) / factor, float(value) * factor, float(floor))


def _variances(utility: Floats, size: int, seed: int) -> tuple[Floats, Floats]:
    """Return the variance of a choice within a tuple and between tuples, at each item's utility (N,), for tuples with
    random opponents. The variances are calculated at quantiles of the utilities and interpolated.
    """
    generator = np.random.default_rng([seed, 0x5E])
    grid = np.quantile(utility, np.linspace(0, 1, POINTS))
    opponents = utility[generator.integers(len(utility), size=(OPPONENTS, size - 1))]
    shown = np.empty((size, POINTS, OPPONENTS))
    shown[0], shown[1:] = grid[:, None], opponents.T[:, None]
    net, variance = (each[0] for each in choice_moments(shown, np.ones(shown.shape, dtype=np.bool_)))
    return np.interp(utility, grid, variance.mean(axis=1)), np.interp(utility, grid, net.var(axis=1, ddof=1))
