"""Functions that calculate how often a quality rule stops an annotator if each gold answer is either correct or wrong.

Every annotator answers the gold questions in a random order. The number of correct answers among all gold questions has
a Poisson-binomial distribution, because the questions differ in difficulty. The order is random, so all positions of
the correct answers are equally likely. If j of the first n answers are correct, answer n is therefore correct with
probability j/n, whatever the difficulties. `stop_shares` follows this argument through all states of the rule, and only
`count_chances` depends on the difficulties. Both functions are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

WIDEST_EXACT = 8
"""The largest number of answers in a window that `stop_shares` accepts. Each additional answer doubles the number of
states.
"""


@dataclass(frozen=True)
class GoldRule:
    """A quality rule: an annotator is stopped if the accuracy is below `threshold` after at least `minimum` answers.

    The accuracy includes the last `window` gold answers, or all gold answers if `window` is 0. Raises ValueError for a
    threshold outside [0, 1], a minimum below 1, or a negative window.
    """

    threshold: float
    minimum: int
    window: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError("the threshold must be between 0 and 1")
        if self.minimum < 1:
            raise ValueError("the minimum must be at least one gold answer")
        if self.window < 0:
            raise ValueError("the window cannot be negative")

    @property
    def is_exact(self) -> bool:
        """Whether the window is short enough for `stop_shares`. A window of 0 also allows an exact calculation."""
        return self.window <= WIDEST_EXACT


@dataclass(frozen=True)
class Stops:
    """The probabilities of a stop at each gold answer, starting with the first answer.

    `runs` is the number of simulated annotators, or 0 if the probabilities are exact.
    """

    at: Floats
    runs: int = 0

    def first(self, answers: int) -> Stops:
        """Return the probabilities for annotators who give only this many gold answers."""
        return Stops(self.at[:answers], self.runs)

    @property
    def by(self) -> Floats:
        """The probability of a stop at or before each gold answer."""
        return np.minimum(1.0, np.cumsum(self.at))

    @property
    def stopped(self) -> float:
        return float(min(1.0, self.at.sum()))

    @property
    def answers_before_stop(self) -> float | None:
        """The mean number of gold answers that stopped annotators give, including the last one. The value is None if a
        stop is impossible.
        """
        total = self.at.sum()
        return float(self.at @ np.arange(1, len(self.at) + 1) / total) if total > 0 else None

    @property
    def answers(self) -> float:
        """The expected number of gold answers until a stop or until the last gold answer."""
        numbers = np.arange(1, len(self.at) + 1)
        return float(self.at @ numbers + (1 - self.stopped) * len(self.at))

    @property
    def standard_error(self) -> float:
        """The Monte Carlo standard error of `stopped`, or 0 if the probability is exact.

        As in the interval of Agresti and Coull (1998), two further runs are counted as stopped and two as not stopped,
        so that the error is not 0 if all runs have the same outcome.
        """
        if not self.runs:
            return 0.0
        runs = self.runs + 4
        share = (self.stopped * self.runs + 2) / runs
        return float(np.sqrt(share * (1 - share) / runs))


def count_chances(correct: Sequence[float] | Floats, answers: int) -> Floats:
    """Return the distribution of the number of correct answers among the first n gold questions, for each n.

    `correct` contains the probability of a correct answer to each gold question. The questions are in random order. Row
    n − 1 of the result belongs to n, from 1 to `answers`, and column j to j correct answers. Raises ValueError if there
    are fewer gold questions than `answers`, or if a probability is outside [0, 1].
    """
    chances = np.asarray(correct, dtype=np.float64)
    if not 1 <= answers <= len(chances):
        raise ValueError(f"{len(chances)} gold questions cannot have {answers} answers")
    if ((chances < 0) | (chances > 1)).any():
        raise ValueError("the probability of a correct answer must be between 0 and 1")
    distribution = _poisson_binomial(chances)
    rows = np.zeros((answers, answers + 1))
    for n in range(len(chances), 0, -1):
        if n <= answers:
            rows[n - 1, : n + 1] = distribution
        # The first n − 1 answers are the first n answers with one random answer removed.
        j = np.arange(n)
        distribution = distribution[:-1] * (n - j) / n + distribution[1:] * (j + 1) / n
    return rows


def stop_shares(rule: GoldRule, answers: int) -> Floats:
    """Return the probability that the rule stops an annotator exactly at answer n, given j correct answers among the
    first n.

    Row n − 1 belongs to n, from 1 to `answers`, and column j to j correct answers. Raises ValueError if the window is
    longer than `WIDEST_EXACT`.
    """
    if not rule.is_exact:
        raise ValueError(f"a window of more than {WIDEST_EXACT} answers needs a simulation")
    # Each row of a state is a pattern of the last `window` answers as bits, and the latest answer is the lowest bit.
    bits = np.array([pattern.bit_count() for pattern in range(1 << rule.window)])
    state = np.zeros((len(bits), answers + 1))
    state[0, 0] = 1.0
    shares = np.zeros((answers, answers + 1))
    for n in range(1, answers + 1):
        state = _next_state(state, n)
        if n >= rule.minimum:
            fails = _below(rule, n, bits, answers)
            shares[n - 1] = np.where(fails, state, 0.0).sum(axis=0)
            state = np.where(fails, 0.0, state)
    return shares


def stops(counts: Floats, shares: Floats) -> Stops:
    """Return the probabilities of a stop from the results of `count_chances` and `stop_shares`."""
    return Stops((counts * shares).sum(axis=1))


def crossing_shares(
    answers: int, lower: Callable[[int, Floats], Bools], upper: Callable[[int, Floats], Bools]
) -> tuple[Floats, Floats]:
    """Return the probabilities that a test ends in its lower or upper region at answer n, given j correct answers among
    the first n.

    `lower` and `upper` are functions of n and of all numbers of correct answers. The results have the same shape as
    those of `stop_shares`.
    """
    state = np.zeros((1, answers + 1))
    state[0, 0] = 1.0
    ends = np.zeros((2, answers, answers + 1))
    correct = np.arange(answers + 1, dtype=np.float64)
    for n in range(1, answers + 1):
        state = _next_state(state, n)
        for end, region in zip(ends, (lower, upper), strict=True):
            reached = region(n, correct)
            end[n - 1] = np.where(reached, state[0], 0.0)
            state[0, reached] = 0.0
    return ends[0], ends[1]


def _poisson_binomial(chances: Floats) -> Floats:
    distribution = np.zeros(len(chances) + 1)
    distribution[0] = 1.0
    for chance in chances:
        distribution[1:] = distribution[1:] * (1 - chance) + distribution[:-1] * chance
        distribution[0] *= 1 - chance
    return distribution


def _next_state(state: Floats, n: int) -> Floats:
    """Return the state after answer n. Rows are the last answers as bits, and columns are the numbers of correct
    answers.

    An entry is the probability of these last answers without a stop, given the number of correct answers.
    """
    patterns, columns = state.shape
    correct = np.arange(columns) / n
    wrong_now = state * np.clip(1 - correct, 0.0, None)
    right_now = np.zeros_like(state)
    right_now[:, 1:] = state[:, :-1] * np.minimum(correct[1:], 1.0)
    if patterns == 1:
        return wrong_now + right_now
    # The oldest answer, which is the highest bit, leaves the window.
    half = (2, patterns // 2, columns)
    now = [each.reshape(half).sum(axis=0) for each in (wrong_now, right_now)]
    following: Floats = np.stack(now, axis=1).reshape(state.shape)
    return following


def _below(rule: GoldRule, n: int, bits: NDArray[np.int64], answers: int) -> Bools:
    """For each answer pattern and number of correct answers, return whether the accuracy after n answers is below the
    threshold.
    """
    # `annotate/core/services/standing.py` makes the same floating-point comparison: correct / number < threshold.
    if rule.window:
        fails: Bools = (bits / min(n, rule.window) < rule.threshold)[:, None]
        return np.broadcast_to(fails, (len(bits), answers + 1))
    return (np.arange(answers + 1) / n < rule.threshold)[None, :]
