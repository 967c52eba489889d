"""A quality rule viewed as a statistical test of annotators, with its operating curve and the smallest minimum for
given error rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .gold_annotators import GoldAnnotator, mixed
from .gold_measures import RIGHT
from .gold_rules import Floats, GoldRule, Stops, count_chances, stop_shares, stops
from .gold_simulation import RUNS, Paths, paths

SHARES = tuple(round(share, 2) for share in np.linspace(0, 1, 21))
CURVE_RUNS = 1_000
MOST_STATES = 1_000_000
"""The largest number of states for an exact calculation. Pages and API requests wait for the result."""


@dataclass
class GoldTest:
    """Functions that calculate how often rules stop different annotators, who each give the first `answers` of their
    gold answers.

    The probabilities are exact if answers count as right or wrong, the window is short, and there are few gold answers.
    Otherwise, `runs` annotators of each kind are simulated.
    """

    annotators: Mapping[str, GoldAnnotator]
    answers: int
    seed: int = 1
    runs: int = RUNS
    _counts: dict[str, Floats] = field(default_factory=dict, init=False)
    _shares: dict[GoldRule, Floats] = field(default_factory=dict, init=False)
    _paths: dict[tuple[str, int], Paths] = field(default_factory=dict, init=False)

    def is_exact(self, rule: GoldRule, answers: int | None = None) -> bool:
        """Return whether the probabilities for this rule are exact, or would be with a different number of gold
        answers.
        """
        if not rule.is_exact or (answers or self.answers) ** 2 << rule.window > MOST_STATES:
            return False
        return all(tuple(each.ratios) == (RIGHT,) for each in self.annotators.values())

    def stops(self, name: str, rule: GoldRule) -> Stops:
        """Return the probabilities that the rule stops one kind of annotator at each gold answer."""
        if not self.is_exact(rule):
            path = self._paths.get((name, rule.window)) or paths(
                self.annotators[name], self.answers, window=rule.window, seed=self.seed, runs=self.runs
            )
            self._paths[name, rule.window] = path
            return path.stops(rule.threshold, rule.minimum)
        if name not in self._counts:
            self._counts[name] = count_chances(self.annotators[name].pass_chances, self.answers)
        if rule not in self._shares:
            self._shares[rule] = stop_shares(rule, self.answers)
        return stops(self._counts[name], self._shares[rule])


@dataclass(frozen=True)
class CurvePoint:
    """The probability that the rule stops an annotator who answers this share of the questions with care and guesses
    the rest.
    """

    care: float
    accuracy: float
    stops: Stops


def operating_curve(
    careful: GoldAnnotator, guesser: GoldAnnotator, rule: GoldRule, answers: int, *, seed: int = 1
) -> list[CurvePoint]:
    """Return the operating curve of a rule, which has one point for each share of careful answers from 0 to 1."""
    kinds = {f"{share:.2f}": mixed(careful, guesser, share) for share in SHARES}
    test = GoldTest(kinds, answers, seed, CURVE_RUNS)
    return [
        CurvePoint(share, kind.accuracy, test.stops(name, rule))
        for share, (name, kind) in zip(SHARES, kinds.items(), strict=True)
    ]


@dataclass(frozen=True)
class Choice:
    """The smallest minimum that stops no more than the acceptable share of careful annotators, with its error rates.

    `survivor` names the careless annotator who survives most often, with the probability `survivors`. If no minimum
    stops few enough careful annotators, `minimum` is the largest one.
    """

    answers: int
    minimum: int
    false_stops: float
    survivor: str
    survivors: float

    def meets(self, false_stops: float, survivors: float) -> bool:
        """Return whether both error rates are at most the target rates."""
        return self.false_stops <= false_stops and self.survivors <= survivors


def choose_minimum(
    test: GoldTest, rule: GoldRule, answers: int, *, careful: str, careless: Sequence[str], false_stops: float
) -> Choice:
    """Return the smallest minimum that keeps false stops at or below `false_stops`, for annotators who give `answers`
    gold answers.

    A larger minimum never stops more annotators, neither careful nor careless ones. The smallest minimum therefore also
    has the smallest possible share of careless survivors.
    """

    def stopped(name: str, minimum: int) -> float:
        return test.stops(name, GoldRule(rule.threshold, minimum, rule.window)).first(answers).stopped

    low, high = 1, answers
    while low < high:
        middle = (low + high) // 2
        if stopped(careful, middle) <= false_stops:
            high = middle
        else:
            low = middle + 1
    survivors = {name: 1 - stopped(name, low) for name in careless}
    survivor = max(survivors, key=lambda name: survivors[name])
    return Choice(answers, low, stopped(careful, low), survivor, survivors[survivor])
