"""Signs of careless answers that can be detected without gold questions: agreement at chance level, and the same answer
to nearly every question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from statistics import median

from accord_core.numerics.intervals import wilson_interval

FEWEST_QUESTIONS = 10
"""The minimum number of shared questions for testing an annotator's agreement."""

FEWEST_ANNOTATORS = 3
"""With fewer annotators, it is impossible to tell which of two disagreeing annotators is careless."""

FLAGGED_BELOW = 0.005
"""Accord flags an annotator if a typical annotator's agreement would be as low with a probability below this limit."""


@dataclass(frozen=True)
class Agreement:
    """One annotator's agreement with other annotators on `questions` shared questions.

    `observed` is the mean similarity to the answers of others, in [0, 1]. `chance` is the mean similarity that the
    annotator would reach without reading the questions.
    """

    observed: float
    chance: float
    questions: int


@dataclass(frozen=True)
class ChanceTest:
    """The 95% interval of an annotator's agreement, the agreement `expected` of a typical annotator in the study, and
    the probability `p` that a typical annotator's agreement is this low.
    """

    low: float
    high: float
    expected: float
    p: float
    at_chance: bool

    @property
    def flagged(self) -> bool:
        return self.at_chance and self.p < FLAGGED_BELOW


def chance_tests(agreements: Sequence[Agreement | None]) -> list[ChanceTest | None]:
    """Test each annotator's agreement against chance and against the other annotators.

    Agreement is at chance if its 95% Wilson interval contains the chance agreement. The typical annotator has the
    median of the chance-corrected agreements (observed − chance)/(1 − chance). p is the lower tail of the score test.
    The interval and the test treat each similarity as a yes-or-no outcome, which has the highest possible variance, so
    both are conservative. The result is None for annotators with fewer than 10 shared questions, and for all annotators
    if fewer than three have as many.
    """
    tested = [each for each in agreements if each is not None and each.questions >= FEWEST_QUESTIONS]
    if len(tested) < FEWEST_ANNOTATORS:
        return [None] * len(agreements)
    typical = median(_corrected(each) for each in tested)
    return [None if each is None or each.questions < FEWEST_QUESTIONS else _test(each, typical) for each in agreements]


def lower_tail(observed: float, expected: float, trials: float) -> float:
    """Return the probability that the share of successes in `trials` trials is at most `observed`, if each trial
    succeeds with the probability `expected`. The function uses the normal approximation of the score test.
    """
    spread = sqrt(max(expected * (1 - expected), 1e-9) / trials)
    return erfc((expected - observed) / spread / sqrt(2)) / 2


def upper_tail(observed: float, expected: float, trials: float) -> float:
    """Return the probability that the share of successes is at least `observed`, calculated as in `lower_tail`."""
    return lower_tail(1 - observed, 1 - expected, trials)


def _corrected(agreement: Agreement) -> float:
    room = 1 - agreement.chance
    return (agreement.observed - agreement.chance) / room if room > 0 else 0.0


def _test(agreement: Agreement, typical: float) -> ChanceTest:
    questions = agreement.questions
    interval = wilson_interval(agreement.observed * questions, questions) or (0.0, 1.0)
    expected = agreement.chance + typical * (1 - agreement.chance)
    return ChanceTest(
        *interval,
        expected=expected,
        p=lower_tail(agreement.observed, expected, questions),
        at_chance=interval[0] <= agreement.chance,
    )
