"""Signs of careless annotators, such as favoured screen positions, disagreement with others, and short answer times."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, tuple_index

FEWEST_ANSWERS = 10
FLAGGED_BELOW = 0.001
# The maximum number of answers for which null distributions are sampled in one pass.
GROWN = 256


@dataclass(frozen=True, eq=False)
class PositionBias:
    """The deviation of an annotator's (best, worst) positions from a uniform distribution, as χ² over the k(k − 1)
    cells and a p-value.

    `counts` (k, k) contains the number of times that each best position (row) was chosen with each worst position
    (column).
    """

    chi2: float
    degrees: int
    p: float
    n: int
    counts: Ints

    @property
    def flagged(self) -> bool:
        return self.p < FLAGGED_BELOW


@dataclass(frozen=True, eq=False)
class Agreement:
    """An annotator's agreement with others on the best item, the worst item and the complete answer. All arrays have
    the shape (annotators,).

    `judgements` is the number of the annotator's judgements on tuples that other annotators also judged. If the number
    is 0, the shares are NaN.
    """

    share: Floats
    best: Floats
    worst: Floats
    judgements: Ints


def position_bias(
    best_position: ArrayLike, worst_position: ArrayLike, size: int, *, draws: int = 100_000, seed: int = 1
) -> PositionBias | None:
    """Check an annotator's choices for position bias. Both position arrays have the shape (n,), and positions are
    counted from 0 to `size` − 1. The result is None if there are fewer than 10 answers.

    Positions must be screen positions, shuffled for each question, so that a careful annotator uses all cells equally
    often. p is the share of `draws` seeded Monte Carlo samples of n uniform answers with a χ² that is at least as
    large. The answers themselves count as one of the samples (Davison and Hinkley 1997, §4.2), so p is never 0. Raises
    ValueError for a position outside the tuple, or if best and worst are the same position.
    """
    best, worst = np.asarray(best_position), np.asarray(worst_position)
    wrong = (best < 0) | (best >= size) | (worst < 0) | (worst >= size) | (best == worst)
    if wrong.any():
        answer = int(np.argmax(wrong))
        raise ValueError(
            f"In answer {answer}, the best position is {best[answer]} and the worst position is {worst[answer]}. The "
            f"two positions "
            f"must be different numbers from 0 to {size - 1}."
        )
    n, cells = len(best), size * (size - 1)
    if n < FEWEST_ANSWERS:
        return None
    counts = np.bincount(best * size + worst, minlength=size * size).reshape(size, size)
    squares = int((counts**2).sum())
    sums, at_least = _uniform_squares(n, cells, draws, seed)
    place = np.searchsorted(sums, squares)
    as_large = int(at_least[place]) if place < len(sums) else 0
    return PositionBias(squares * cells / n - n, cells - 1, (as_large + 1) / (draws + 1), n, counts)


def agreement_with_others(judgements: Judgements) -> Agreement:
    """Each annotator's agreement with the others on the best and worst items in the same tuples.

    Each judgement is compared with every other annotator's judgement of the same tuple, which can agree on the best
    item, the worst item, both or neither. The shares are averaged first over the other annotators and then over the
    annotator's judgements. `share` is the mean of the shares for best and worst. The rows have the numbers in
    `judgements.annotator`. Raises ValueError if the annotators are unknown.
    """
    if judgements.annotator is None:
        raise ValueError(
            "Agreement with other annotators cannot be calculated, because the judgements do not name their annotators."
        )
    who, tuples = judgements.annotator, tuple_index(judgements)
    annotators = int(who.max(initial=-1)) + 1
    others = _fellows(tuples, who)
    shared = others > 0
    count = np.bincount(who[shared], minlength=annotators)
    shares = []
    for chosen in (judgements.best, judgements.worst):
        same = _fellows(tuples * judgements.n_items + chosen, who)
        total = np.bincount(who[shared], weights=same[shared] / others[shared], minlength=annotators)
        shares.append(np.divide(total, count, out=np.full(annotators, np.nan), where=count > 0))
    return Agreement((shares[0] + shares[1]) / 2, shares[0], shares[1], count)


def median_seconds(annotator: ArrayLike, seconds: ArrayLike) -> Floats:
    """Return each annotator's median answer time (annotators,), or NaN if no time is known. Short times are a reason to
    review answers, but never proof of carelessness.

    `annotator` (M,) contains the number of the annotator who answered, and `seconds` (M,) contains the response time,
    or NaN if unknown.
    """
    who, time = np.asarray(annotator, dtype=np.int64), np.asarray(seconds, dtype=np.float64)
    known = ~np.isnan(time)
    medians = np.full(int(who.max(initial=-1)) + 1, np.nan)
    who, time = who[known], time[known]
    order = np.lexsort((time, who))
    time, count = time[order], np.bincount(who, minlength=len(medians))
    start, some = np.cumsum(count) - count, count > 0
    lower, upper = start + (count - 1) // 2, start + count // 2
    medians[some] = (time[lower[some]] + time[upper[some]]) / 2
    return medians


@lru_cache(maxsize=1024)
def _uniform_squares(n: int, cells: int, draws: int, seed: int) -> tuple[Ints, Ints]:
    """Return the distinct sums of squared counts for n uniform answers, in ascending order. Also return, for each sum,
    the number of draws whose sum is at least as large.

    χ² is this sum times cells/n, minus n. The sum is a whole number, so equal values of χ² compare as equal.
    """
    if n <= GROWN:
        return _growing_squares(min(GROWN, 2 ** math.ceil(math.log2(n))), cells, draws, seed)[n]
    generator = np.random.default_rng([seed, 0xCA, cells, n])
    counts = generator.multinomial(n, np.full(cells, 1 / cells), size=draws)
    return _tail((counts**2).sum(axis=1))


@lru_cache(maxsize=16)
def _growing_squares(most: int, cells: int, draws: int, seed: int) -> list[tuple[Ints, Ints]]:
    """Return the null distributions for 0 to `most` answers. All distributions are sampled in one pass. Answers are
    added to each simulated sample one at a time.

    Annotators in a study have different numbers of answers. One such pass serves all annotators in the time of a single
    draw. A longer pass begins with the same answers, so p does not depend on the other annotators in the test.
    """
    generator = np.random.default_rng([seed, 0xCA, cells])
    counts, sums = np.zeros(draws * cells, dtype=np.int64), np.zeros(draws, dtype=np.int64)
    start = np.arange(draws) * cells
    tails = [_tail(sums)]
    for _ in range(most):
        cell = start + generator.integers(0, cells, size=draws, dtype=np.uint8)
        before = counts[cell]
        counts[cell] = before + 1
        sums += 2 * before + 1
        tails.append(_tail(sums))
    return tails


def _tail(sums: Ints) -> tuple[Ints, Ints]:
    times = np.bincount(sums)
    values = np.flatnonzero(times)
    return values, np.cumsum(times[values][::-1])[::-1]


def _fellows(group: Ints, who: Ints) -> Ints:
    """Return the number of other annotators' judgements in each judgement's group (M,)."""
    _, group = np.unique(group, return_inverse=True)
    _, own, times = np.unique(group * (int(who.max(initial=0)) + 1) + who, return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(group)[group] - times[own]) if len(group) else np.zeros(0, dtype=np.int64)
