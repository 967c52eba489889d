"""A model of alignments in which a whole answer is either careful or careless.

An annotator who is careless about a sentence pair errs in many of its links, so the errors in one answer depend on each
other. As in MACE (Hovy, Berg-Kirkpatrick, Vaswani and Hovy 2013, *Learning whom to trust with MACE*, NAACL), each
annotator is careless with some probability, and careless votes do not depend on the truth. In MACE, each vote is
careless or careful. Here, all votes of an answer are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from accord_core.numerics.draws import choices_by_row, new_annotators
from accord_core.numerics.labels import Bools, Floats, Ints, normalised

PRIOR_VOTES = 20.0
"""The weight of all votes in the vote frequencies of careless answers, as a number of votes per initial state."""
ROUNDS = 5  # of stochastic EM
SWEEPS = 2  # for a draw. Given the estimates, answers to different pairs are independent, so two are enough
CERTAIN = 1e-12  # shares stay at least this far from 0 and 1
SEED = 0x5EED
CHOICES = ((False, False), (False, True), (True, False), (True, True))  # which of two answers are careless


@dataclass(frozen=True, eq=False)
class Answers:
    """N answers with L votes on R rows of cells. Each answer votes on all rows of its pair.

    `row` and `answer` (L,) contain the row and the answer of each vote. `pair_of_row` (R,) and `weight` (R,), the
    number of cells, describe the rows. `pair` and `annotator` (N,) describe the answers, which are sorted by pair.
    """

    row: Ints
    answer: Ints
    pair_of_row: Ints
    weight: Floats
    pair: Ints
    annotator: Ints

    @property
    def turn(self) -> Ints:
        """The number (N,) of each answer among the answers to its pair, starting at 0."""
        number: Ints = np.arange(len(self.pair)) - np.searchsorted(self.pair, self.pair)
        return number


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """The log probabilities of each vote by true state if the answer is careful (L, states), and if it is careless
    (L,), and of each row's true state without votes (R, states).
    """

    careful: Floats
    careless: Floats
    prior: Floats


def answers_of(pair: Ints, row: Ints, annotator: Ints, weight: Floats) -> Answers:
    """Return the answers from L votes by `annotator` (L,) on `row` (L,). `pair` and `weight` (R,) describe the rows."""
    answers, answer = np.unique(np.stack([pair[row], annotator], axis=1), axis=0, return_inverse=True)
    return Answers(row, answer.ravel(), pair, weight, answers[:, 0], answers[:, 1])


def fit_careless(answers: Answers, estimate: Callable[[Bools], Likelihoods], generator: np.random.Generator) -> Bools:
    """Return which answers (N,) are careless, from a fit by stochastic EM (Celeux and Diebolt 1985). `estimate` returns
    the likelihoods if these answers are careless.
    """
    careless = np.zeros(len(answers.pair), dtype=bool)
    for _ in range(ROUNDS):
        careless, _ = draw_careless(answers, estimate(careless), careless, generator, sweeps=1)
    return careless


def draw_careless(
    answers: Answers, likelihoods: Likelihoods, careless: Bools, generator: np.random.Generator, sweeps: int = SWEEPS
) -> tuple[Bools, Floats]:
    """Return which answers (N,) are careless in a draw from the posterior, and the posterior (R, states) of the true
    states given this draw. The draw starts at `careless`.

    A Gibbs sampler draws two answers to the same pair at a time. If two answers contradict each other, one of them is
    careless, so drawing one at a time could not change which. The true states are integrated out.
    """
    pair, weight, place = answers.pair_of_row, answers.weight, (answers.turn, answers.pair)
    turns, pairs = max(2, 1 + int(answers.turn.max())), 1 + int(pair.max())
    careful = np.zeros((turns, len(pair), likelihoods.prior.shape[1]))
    careful[answers.turn[answers.answer], answers.row] = likelihoods.careful
    alone = np.bincount(answers.answer, weight[answers.row] * likelihoods.careless, len(answers.pair))
    state, log_odds = np.zeros((turns, pairs), dtype=bool), np.zeros((turns, pairs))
    state[place] = careless

    def log_posterior(careless: Bools) -> Floats:
        total: Floats = likelihoods.prior + (~careless[:, pair, None] * careful).sum(axis=0)
        return total

    for _ in range(sweeps):
        log_odds[place] = draw_log_odds(state[place], answers.annotator, generator)[answers.annotator] + alone
        order = generator.permutation(turns)
        for two in zip(order.tolist(), np.roll(order, 1).tolist(), strict=True):
            state[two, :] = True
            others, log_chance = log_posterior(state), np.empty((pairs, len(CHOICES)))
            for number, choice in enumerate(CHOICES):
                both = sum((careful[turn] for turn, skip in zip(two, choice, strict=True) if not skip), others)
                evidence = np.bincount(pair, weight * _log_sum(both), pairs)
                log_chance[:, number] = evidence + np.array(choice) @ log_odds[two, :]
            state[two, :] = np.array(CHOICES)[choices_by_row(normalised(log_chance), generator)].T
    return state[place], normalised(log_posterior(state))


def new_answers(
    answers: Answers, careless: Bools, n_annotators: int, generator: np.random.Generator
) -> tuple[Ints, Bools]:
    """Return the annotator whose behaviour the new annotator of each answer has (N,), and which of the new answers are
    careless (N,).
    """
    judged = np.unique(answers.annotator)
    own = judged[new_annotators(len(judged), n_annotators, generator)]
    share = generator.beta(*draw_population(careless, answers.annotator, generator), size=n_annotators)
    return own[answers.annotator], generator.random(len(careless)) < share[answers.annotator]


def draw_log_odds(careless: Bools, annotator: Ints, generator: np.random.Generator) -> Floats:
    """Return the log odds (A,) that an answer by each annotator is careless, drawn from the posterior."""
    alpha, beta = draw_population(careless, annotator, generator)
    share = generator.beta(alpha + np.bincount(annotator, careless), beta + np.bincount(annotator, ~careless))
    bounded = np.clip(share, CERTAIN, 1 - CERTAIN)
    log_odds: Floats = np.log(bounded) - np.log1p(-bounded)
    return log_odds


def draw_population(careless: Bools, annotator: Ints, generator: np.random.Generator) -> tuple[float, float]:
    """Return α and β of the beta distribution of annotators' shares of careless answers, drawn from their posterior on
    a grid (Gelman and others 2013, *Bayesian data analysis*, §5.3).

    The mean has the prior Beta(1, 9), which counts as ten answers, one of them careless. The prior of α + β is
    lognormal around 10, with a standard deviation of 1 for the logarithm. With the weaker prior in the book, intervals
    from ten annotators would be so wide that they contain many careless repeats.
    """
    from scipy.special import betaln, ndtri

    counts = np.stack([np.bincount(annotator, careless), np.bincount(annotator, ~careless)])
    (found, rest), times = np.unique(counts, axis=1, return_counts=True)
    # The grid consists of equally probable values
    mean, size = 1 - (1 - _middles(50)) ** (1 / 9), 10 * np.exp(ndtri(_middles(20)))
    alpha, beta = (np.outer(share, size).ravel() for share in (mean, 1 - mean))
    log_chance = betaln(alpha[:, None] + found, beta[:, None] + rest) - betaln(alpha, beta)[:, None]
    place = generator.choice(len(alpha), p=normalised(log_chance @ times))
    return float(alpha[place]), float(beta[place])


def _middles(parts: int) -> Floats:
    """Return the midpoints of equal parts of the interval from 0 to 1."""
    middles: Floats = (np.arange(parts) + 0.5) / parts
    return middles


def vote_frequencies(answers: Answers, start: Ints, vote: Ints, careless: Bools, states: int) -> Floats:
    """Return the frequencies of votes (states, states) in careless answers, by the initial state of the cell.

    `start` (R,) and `vote` (L,) are initial states and votes. The frequencies in all answers serve as the prior.
    """
    place, weight = start[answers.row] * states + vote, answers.weight[answers.row]
    found, every = (
        np.bincount(place, weights, states**2).reshape(states, states)
        for weights in (weight * careless[answers.answer], weight)
    )
    usual = (every + 1 / states) / (every + 1 / states).sum(axis=1, keepdims=True)
    shrunk = found + PRIOR_VOTES * usual
    frequencies: Floats = shrunk / shrunk.sum(axis=1, keepdims=True)
    return frequencies


def _log_sum(values: Floats) -> Floats:
    top = values.max(axis=1)
    total: Floats = top + np.log(np.exp(values - top[:, None]).sum(axis=1))
    return total
