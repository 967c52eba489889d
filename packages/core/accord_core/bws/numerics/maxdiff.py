"""The MaxDiff model, which estimates each item's utility and each annotator's reliability from best–worst choices."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.lbfgs import Minimum, minimise
from accord_core.bws.numerics.scoring import (
    Bools,
    Floats,
    Ints,
    Judgements,
    drop_inconsistent,
    first_in_row,
    tuple_index,
)

# The EM algorithm stops when each annotator's reliability changes by at most this amount.
TOLERANCE = 1e-4
PENALTY = 0.05
Loss = Callable[[Floats], tuple[float, Floats]]
# A few L-BFGS steps per round also increase the likelihood, and are many times faster than a full search.
STEPS_A_ROUND = 5
GROUPS = 20  # groups of annotators that are left out together


@dataclass(frozen=True, eq=False)
class MaxDiffScores:
    """`utility` and the approximate `standard_error` are in logits and have the shape (n_items,). The utility and the
    standard error are NaN for an item without judgements.

    `dropped` is the number of judgements that name the same item as best and worst. `iterations` is the number of
    L-BFGS iterations or of EM rounds. If `converged` is false, the estimation ended at its limit.
    """

    utility: Floats
    standard_error: Floats
    dropped: int
    iterations: int
    converged: bool


def maxdiff_scores(judgements: Judgements, *, penalty: float = PENALTY, limit: int = 1000) -> MaxDiffScores:
    """Fit MaxDiff by penalised maximum likelihood: P(best = i, worst = j | tuple) ∝ exp(u_i − u_j), i ≠ j.

    The function maximises the log likelihood minus penalty·‖u‖² by L-BFGS. The utilities have a mean of zero over the
    items that were shown. The standard error is 1/√(diagonal of the Fisher information + 2·penalty), which is
    approximate because it ignores the correlations between utilities. A row that repeats an item counts as a choice
    among its different items. Raises ValueError unless the penalty is positive, because without a penalty the utility
    of an item that is always chosen as best has no finite maximum. Source: Marley and Louviere (2005), the maxdiff
    model.
    """
    choices, dropped = _choices(judgements, penalty)
    fit = _maximise(choices, np.ones(len(choices.best)), np.zeros(judgements.n_items), penalty, limit)
    information = _variance(choices, fit.at, np.ones(len(choices.best)))
    return _scores(choices, fit.at, information, penalty, dropped, fit.iterations, fit.converged)


def maxdiff_with_reliabilities(
    judgements: Judgements, *, penalty: float = PENALTY, limit: int = 200
) -> tuple[MaxDiffScores, Floats]:
    """Fit MaxDiff to judgements by annotators, some of whom choose at random. The function also returns each
    annotator's reliability as an array of shape (annotators,).

    Each judgement follows MaxDiff with the probability a of its annotator, and otherwise chooses one of the k(k − 1)
    pairs at random: a·MaxDiff + (1 − a)/(k(k − 1)). Utilities and the reliabilities a in [0, 1] are estimated by EM.
    The prior of a is weak, with one judgement by MaxDiff and no random judgement, so new annotators are trusted. The
    standard error uses the observed information (Louis 1982) and treats the reliabilities as known. The row of an
    annotator in the result is the annotator's number in `judgements.annotator`. The reliability is NaN for an annotator
    without consistent judgements. Raises ValueError if the annotators are unknown.
    """
    if judgements.annotator is None:
        raise ValueError(
            "The annotators' reliabilities cannot be calculated, because the judgements do not name their annotators."
        )
    choices, dropped = _choices(judgements, penalty)
    annotator = choices.annotator
    n_judgements = np.bincount(annotator, minlength=int(judgements.annotator.max(initial=-1)) + 1)
    reliability = np.full(len(n_judgements), 0.9)
    followed = np.ones(len(annotator))
    utility = np.zeros(judgements.n_items)
    converged, rounds = not len(annotator), 0
    while not converged and rounds < limit:
        rounds += 1
        utility = _maximise(choices, followed, utility, penalty, STEPS_A_ROUND).at
        likelihood = _likelihood(choices, utility)
        model = reliability[annotator] * likelihood
        followed = model / (model + (1 - reliability[annotator]) / choices.pairs[choices.of_tuple])
        before = reliability
        reliability = (np.bincount(annotator, weights=followed, minlength=len(n_judgements)) + 1) / (n_judgements + 1)
        converged = bool(np.abs(reliability - before).max() < TOLERANCE)
    fit = _maximise(choices, followed, utility, penalty, 1000)
    utility, converged = fit.at, converged and fit.converged
    information = _variance(choices, utility, followed) - _missing_information(choices, utility, followed)
    scores = _scores(choices, utility, np.maximum(information, 0), penalty, dropped, rounds, converged)
    return scores, np.where(n_judgements > 0, reliability, np.nan)


def judgement_likelihoods(judgements: Judgements, utility: ArrayLike) -> tuple[Floats, Floats]:
    """Return each judgement's probability (M,) under MaxDiff with these utilities (n_items,), and under a random choice
    of two different items. Raises ValueError if a judgement names the same item as best and worst.
    """
    choices, dropped = _choices(judgements, 1.0)
    if dropped:
        raise ValueError(
            f"{dropped:,} judgements name the same item as best and worst. Exclude these judgements first."
        )
    u = np.nan_to_num(np.asarray(utility, dtype=np.float64))
    return _likelihood(choices, u), 1 / choices.pairs[choices.of_tuple]


def negative_log_likelihood(judgements: Judgements) -> Loss:
    """Return a function from utilities (n_items,) to the negative log likelihood of all consistent judgements and its
    gradient (n_items,).
    """
    choices, _ = _choices(judgements, 1.0)
    return _negative_log_likelihood(choices, np.ones(len(choices.best)))


def likelihoods_without_own(judgements: Judgements, weight: Floats, penalty: float) -> Floats:
    """Return each judgement's probability (M,) under MaxDiff utilities that are fitted to other annotators' judgements
    with these weights (M,) and this penalty. Every row must be consistent.

    Each annotator is left out alone or, with more than `GROUPS` annotators, with others in one of `GROUPS` groups,
    because a fit for each of hundreds of annotators would take minutes.
    """
    choices, _ = _choices(judgements, penalty)
    group = np.unique(choices.annotator, return_inverse=True)[1] % GROUPS
    every = _maximise(choices, weight, np.zeros(judgements.n_items), penalty, 1000).at
    likelihood = np.empty(len(choices.best))
    for number in range(int(group.max(initial=-1)) + 1):
        own = group == number
        without = _maximise(choices, np.where(own, 0.0, weight), every, penalty, 1000).at
        likelihood[own] = _likelihood(choices, without)[own]
    return likelihood


def log_likelihoods(judgements: Judgements, utilities: Iterable[Floats]) -> list[float]:
    """Return the log likelihood of all consistent judgements under MaxDiff for each of these utilities (n_items,)."""
    choices, _ = _choices(judgements, 1.0)
    return [float(np.log(_likelihood(choices, utility)).sum()) for utility in utilities]


def choice_moments(utility: Floats, shown: Bools) -> tuple[Floats, Floats]:
    """Return the mean and the variance of a variable that is +1 for the best item, −1 for the worst item and 0
    otherwise, in tuples with these utilities (k, …). `shown` is false in unused cells of the tuples.
    """
    up, down, total = _exponentials(utility, shown)
    best = (up * down.sum(axis=0) - shown) / total
    worst = (down * up.sum(axis=0) - shown) / total
    return best - worst, best + worst - (best - worst) ** 2


def min_max(utility: ArrayLike) -> Floats:
    """Scale utilities to the range from 0 (lowest) to 1 (highest). NaN values remain NaN. If all utilities are equal,
    all values are NaN.
    """
    u = np.asarray(utility, dtype=np.float64)
    known = u[~np.isnan(u)]
    if not len(known) or known.min() == known.max():
        return np.full(u.shape, np.nan)
    scaled: Floats = (u - known.min()) / (known.max() - known.min())
    return scaled


class _Choices(NamedTuple):
    """The judgements whose best and worst items differ. Values that depend only on the tuple are stored in one row per
    tuple.
    """

    items: Ints  # (k, T), the different items of each tuple: one long row per position makes short sums fast
    shown: Bools  # (k, T), false in the unused cells of rows that repeat an item
    pairs: Ints  # (T,), the number of possible (best, worst) pairs
    of_tuple: Ints  # (M,), the tuple of each judgement
    best: Ints  # (M,)
    worst: Ints  # (M,)
    annotator: Ints  # (M,), zeros if the judgements do not name annotators
    n_items: int


def _choices(judgements: Judgements, penalty: float) -> tuple[_Choices, int]:
    if not penalty > 0:
        raise ValueError(
            f"The penalty must be positive, not {penalty}. Without a penalty, some utilities have no finite maximum."
        )
    consistent, dropped = drop_inconsistent(judgements)
    of_tuple = tuple_index(consistent)
    _, first = np.unique(of_tuple, return_index=True)
    items = consistent.items[first]
    shown = first_in_row(items)
    different = shown.sum(axis=1)
    annotator = np.zeros(len(consistent), dtype=np.int64) if consistent.annotator is None else consistent.annotator
    pairs = different * (different - 1)
    items, shown = np.ascontiguousarray(items.T), np.ascontiguousarray(shown.T)
    return _Choices(
        items, shown, pairs, of_tuple, consistent.best, consistent.worst, annotator, consistent.n_items
    ), dropped


def _maximise(choices: _Choices, weight: Floats, start: Floats, penalty: float, limit: int) -> Minimum:
    """Return the utilities that maximise the weighted, penalised log likelihood. `weight` contains each judgement's
    weight and has the shape (M,).
    """
    likelihood = _negative_log_likelihood(choices, weight)

    def loss(u: Floats) -> tuple[float, Floats]:
        value, gradient = likelihood(u)
        return value + penalty * float(u @ u), gradient + 2 * penalty * u

    return minimise(loss, start, tolerance=1e-4, limit=limit)


def _negative_log_likelihood(choices: _Choices, weight: Floats) -> Loss:
    """Return a function from utilities (n_items,) to the negative log likelihood and its gradient (n_items,)."""
    n = choices.n_items
    net = np.bincount(choices.best, weight, n) - np.bincount(choices.worst, weight, n)
    per_tuple = np.bincount(choices.of_tuple, weight, len(choices.pairs))
    cells = choices.items.ravel()

    def loss(u: Floats) -> tuple[float, Floats]:
        up, down, total = _exponentials(u[choices.items], choices.shown)
        expected = (up * down.sum(axis=0) - down * up.sum(axis=0)) * (per_tuple / total)
        return float(per_tuple @ np.log(total) - net @ u), np.bincount(cells, expected.ravel(), n) - net

    return loss


def _exponentials(u: Floats, shown: Bools) -> tuple[Floats, Floats, Floats]:
    """Return exp(u) and exp(−u) (k, T), which are 0 in unused cells, and the sum (T,) of exp(u_i − u_j) over i ≠ j.

    The middle of the tuple's range is subtracted from u, which does not change the result and keeps the exponentials
    small. The sum is (Σ exp u)(Σ exp −u) minus its k terms with i = j.
    """
    x = u - (u.max(axis=0) + u.min(axis=0)) / 2
    up = np.exp(x)
    down = shown / up
    up *= shown
    return up, down, up.sum(axis=0) * down.sum(axis=0) - shown.sum(axis=0)


def _likelihood(choices: _Choices, u: Floats) -> Floats:
    """Return each judgement's probability (M,) under MaxDiff."""
    _, _, total = _exponentials(u[choices.items], choices.shown)
    return np.exp(u[choices.best] - u[choices.worst]) / total[choices.of_tuple]


def _variance(choices: _Choices, u: Floats, weight: Floats) -> Floats:
    """Return the diagonal (n_items,) of the Fisher information, which equals the observed information in this model."""
    _, variance = choice_moments(u[choices.items], choices.shown)
    per_tuple = np.bincount(choices.of_tuple, weight, len(choices.pairs))
    sums = np.bincount(choices.items.ravel(), (variance * per_tuple).ravel(), choices.n_items)
    return sums.astype(np.float64)


def _missing_information(choices: _Choices, u: Floats, followed: Floats) -> Floats:
    """Return the information (n_items,) that is lost because it is unknown which judgements followed MaxDiff. This
    information is the variance of these judgements' score function.
    """
    mean, _ = choice_moments(u[choices.items], choices.shown)
    items = choices.items[:, choices.of_tuple]
    chosen = (items == choices.best).astype(np.float64) - (items == choices.worst)
    score = (chosen - mean[:, choices.of_tuple]) * choices.shown[:, choices.of_tuple]
    lost = followed * (1 - followed) * score**2
    return np.bincount(items.ravel(), lost.ravel(), choices.n_items).astype(np.float64)


def _scores(
    choices: _Choices, u: Floats, information: Floats, penalty: float, dropped: int, iterations: int, converged: bool
) -> MaxDiffScores:
    judged = np.zeros(choices.n_items, dtype=np.bool_)
    judged[choices.items] = True
    utility = np.full(choices.n_items, np.nan)
    utility[judged] = u[judged] - u[judged].mean() if judged.any() else 0.0
    error = np.where(judged, 1 / np.sqrt(information + 2 * penalty), np.nan)
    return MaxDiffScores(utility, error, dropped, iterations, converged)
