"""Wald's sequential probability ratio test (1945) on gold questions, for comparison with quality rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from .gold_rules import Floats, count_chances, crossing_shares

FARTHEST = 0.001
"""Probabilities stay at least this far from 0 and 1, so that a single answer cannot decide the test."""


@dataclass(frozen=True)
class SequentialTest:
    """A test of whether an annotator is careful or careless, which is repeated after each gold answer.

    `careful` and `careless` are the probabilities of a correct answer under the two hypotheses. `false_stops` and
    `survivors` are the target error rates: the probabilities that a careful annotator is stopped, and that a careless
    annotator is not. Raises ValueError unless careless < careful and both error rates are between 0 and 0.5.
    """

    careful: float
    careless: float
    false_stops: float
    survivors: float

    def __post_init__(self) -> None:
        if not self.careless < self.careful:
            raise ValueError("a careful annotator must have more correct answers than a careless annotator")
        if not (0 < self.false_stops < 0.5 and 0 < self.survivors < 0.5):
            raise ValueError("the error rates must be between 0 and 0.5")

    @property
    def steps(self) -> tuple[float, float]:
        """The change in the log-likelihood ratio (careless against careful) after a correct answer, and after a wrong
        answer.
        """
        careful, careless = (min(1 - FARTHEST, max(FARTHEST, each)) for each in (self.careful, self.careless))
        return log(careless / careful), log((1 - careless) / (1 - careful))

    @property
    def limits(self) -> tuple[float, float]:
        """Wald's limits. The test accepts the annotator at the lower limit, and stops the annotator at the upper
        limit."""
        return log(self.survivors / (1 - self.false_stops)), log((1 - self.survivors) / self.false_stops)


@dataclass(frozen=True)
class SprtOutcome:
    """The probabilities that the test stops an annotator, accepts the annotator, or ends without a decision.

    `answers` is the expected number of gold answers. An annotator without a decision is not stopped.
    """

    stopped: float
    accepted: float
    answers: float

    @property
    def undecided(self) -> float:
        return max(0.0, 1 - self.stopped - self.accepted)


def sprt_outcomes(
    test: SequentialTest, annotators: Sequence[Sequence[float] | Floats], answers: int
) -> list[SprtOutcome]:
    """Return the exact outcome of the test for each annotator. The test is truncated after `answers` gold answers.

    Each annotator is a list of the probabilities of a correct answer to each gold question, which are in random order.
    """
    right, wrong = test.steps
    low, high = test.limits

    def ratio(n: int, correct: Floats) -> Floats:
        return correct * right + (n - correct) * wrong

    accepts, stops = crossing_shares(
        answers, lambda n, correct: ratio(n, correct) <= low, lambda n, correct: ratio(n, correct) >= high
    )
    numbers = np.arange(1, answers + 1)
    outcomes = []
    for correct in annotators:
        counts = count_chances(correct, answers)
        accepted, stopped = ((counts * shares).sum(axis=1) for shares in (accepts, stops))
        decided = accepted + stopped
        expected = float(decided @ numbers + (1 - decided.sum()) * answers)
        outcomes.append(SprtOutcome(float(stopped.sum()), float(accepted.sum()), expected))
    return outcomes
