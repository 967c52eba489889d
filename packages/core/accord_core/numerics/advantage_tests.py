"""The two tests of a single comparison in the alternative annotator test, and their error rates.

The authors (Calderon, Reichart and Dror 2025) use a t-test, or Wilcoxon's signed-rank test for fewer than 30 questions.
The differences are −1, 0 or 1: the annotator's advantage on a question minus the system's advantage.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from accord_core.numerics.labels import EQUAL, Floats

FEW = 30  # questions below which the authors use Wilcoxon's test
LEAST_DECIDED = 0.05


class ErrorRates(NamedTuple):
    """The error rates of a single comparison at the level of the test, for a number of `questions` and a share of
    `ties`. On a tie, the annotator and the system are equally similar to the other annotators.

    A false win is a win of a system that is exactly ε worse than the annotator. A missed win is a comparison that a
    system as good as the annotator does not win.
    """

    questions: int
    ties: float
    false_wins: float
    missed_wins: float
    false_wins_published: float
    missed_wins_published: float


def t_test(differences: Floats, epsilon: float) -> float:
    """Return the p-value of a one-sided t-test of whether the mean difference is smaller than `epsilon`. If all
    differences are equal, the p-value is 0 or 1.
    """
    from scipy.special import stdtr

    n, excess = len(differences), float(differences.mean()) - epsilon
    error = float(differences.std(ddof=1)) / n**0.5
    if not error:
        return 0.0 if excess < 0 else 1.0
    return float(stdtr(n - 1, excess / error))


def signed_rank_test(differences: Floats, epsilon: float) -> float:
    """Return the p-value of Wilcoxon's one-sided signed-rank test of whether the differences are smaller than
    `epsilon`. The test uses the normal approximation, with average ranks for ties, and excludes differences of exactly
    `epsilon`. The p-value is 1 if no differences remain.
    """
    from scipy.special import ndtr

    values = differences - epsilon
    values = values[np.abs(values) > EQUAL]
    n = len(values)
    if not n:
        return 1.0
    _, place, counts = np.unique(np.round(np.abs(values), 9), return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    above = float(ranks[place][values > 0].sum())
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((counts.astype(np.float64) ** 3 - counts).sum()) / 48
    return float(ndtr((above - n * (n + 1) / 4) / variance**0.5))


def error_rates(questions: int, ties: float, *, epsilon: float, level: float) -> ErrorRates:
    """Return the exact error rates of both tests, from all possible numbers of questions with each difference. At least
    5% of the questions beyond ε are not ties.
    """
    from scipy.special import gammaln

    ties = max(0.0, min(ties, 1 - epsilon - LEAST_DECIDED))
    outcomes = [(a, questions - a - b, b) for a in range(questions + 1) for b in range(questions + 1 - a)]
    differences = [np.repeat((-1.0, 0.0, 1.0), each) for each in outcomes]
    wins = np.array([[test(each, epsilon) <= level for test in (t_test, signed_rank_test)] for each in differences])
    counts = np.array(outcomes, dtype=np.float64)
    orders = gammaln(questions + 1) - gammaln(counts + 1).sum(axis=1)
    shares = []
    for mean in (epsilon, 0.0):
        chances = np.maximum([(1 - ties - mean) / 2, ties, (1 - ties + mean) / 2], 1e-12)
        shares.append(np.exp(orders + counts @ np.log(chances)) @ wins)
    (false, false_published), (true, true_published) = (tuple(map(float, each)) for each in shares)
    return ErrorRates(questions, ties, false, 1 - true, false_published, 1 - true_published)
