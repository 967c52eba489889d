"""Models of how annotators answer gold questions, with the possible grades on each question and their probabilities.

The model of a careful annotator is estimated from the answers so far. The estimate for a question with few answers is
close to the mean of all questions, by the credibility formula of Bühlmann and Straub (1970).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .gold_measures import RIGHT, Ratios, accuracies_of
from .gold_rules import Floats

ASSUMED_ACCURACY = 0.9
ASSUMED_ANSWERS = 10.0
"""The weight of a careful annotator's assumed accuracy, as a number of gold answers."""


@dataclass(frozen=True)
class Outcome:
    """A grade that an annotator can get on a gold question: its tallies, whether the answer passes, and its weight.

    The weights of the outcomes of a question need not add up to 1.
    """

    tally: Mapping[str, float]
    passed: bool
    weight: float = 1.0


Outcomes = Sequence[Outcome]


@dataclass(frozen=True)
class GoldAnnotator:
    """An annotator's possible outcomes on each gold question, in question order.

    Each question must have an outcome with a positive weight.
    """

    questions: Sequence[Outcomes]
    ratios: Ratios = (RIGHT,)

    @cached_property
    def names(self) -> list[str]:
        """The names of all tallies."""
        return sorted({name for outcomes in self.questions for each in outcomes for name in each.tally})

    @cached_property
    def tallies(self) -> Floats:
        """The tallies of all outcomes, one question after another. Columns are in the order of `names`."""
        rows = [[each.tally.get(name, 0.0) for name in self.names] for outcomes in self.questions for each in outcomes]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.names))

    @cached_property
    def question_of(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The index of each outcome's question."""
        return np.repeat(np.arange(len(self.questions)), [len(outcomes) for outcomes in self.questions])

    @cached_property
    def chances(self) -> Floats:
        """The probability of each outcome. The probabilities of each question add up to 1."""
        weights = np.array([each.weight for outcomes in self.questions for each in outcomes], dtype=np.float64)
        totals = np.bincount(self.question_of, weights, minlength=len(self.questions))
        return weights / totals[self.question_of]

    @cached_property
    def pass_chances(self) -> Floats:
        """The probability that the answer to each question passes."""
        passed = np.array([each.passed for outcomes in self.questions for each in outcomes], dtype=np.float64)
        return np.clip(self._by_question(passed), 0.0, 1.0)  # rounding errors can make a sum larger than 1

    @cached_property
    def scores(self) -> Floats:
        """The expected score of the answer to each question under the measure. Questions without a score count as 0."""
        return self._by_question(np.nan_to_num(accuracies_of(self.tallies, self.names, self.ratios)))

    @cached_property
    def accuracy(self) -> float:
        """The accuracy on all gold questions together, calculated from the expected sums of the tallies. The accuracy
        is 0 if no question has a score.
        """
        sums = self.chances @ self.tallies
        return float(np.nan_to_num(accuracies_of(sums, self.names, self.ratios)))

    def _by_question(self, values: Floats) -> Floats:
        sums = np.bincount(self.question_of, values * self.chances, minlength=len(self.questions))
        return sums.astype(np.float64)


def right_or_wrong(chances: Sequence[float] | Floats) -> GoldAnnotator:
    """Return an annotator who answers each question correctly with the given probability."""
    right, wrong = {"right": 1.0, "wrong": 0.0}, {"right": 0.0, "wrong": 1.0}
    return GoldAnnotator([[Outcome(right, True, chance), Outcome(wrong, False, 1 - chance)] for chance in chances])


def mixed(one: GoldAnnotator, other: GoldAnnotator, share: float) -> GoldAnnotator:
    """Return an annotator who answers each question like `one` with the probability `share`, and otherwise like
    `other`.
    """
    share = min(1.0, max(0.0, share))
    if share in (0.0, 1.0):
        return one if share else other
    questions = [
        [*_scaled(first, share), *_scaled(second, 1 - share)]
        for first, second in zip(one.questions, other.questions, strict=True)
    ]
    return GoldAnnotator(questions, one.ratios)


def at_accuracy(
    annotator: GoldAnnotator, accuracy: float, *, best: GoldAnnotator, guesser: GoldAnnotator
) -> GoldAnnotator:
    """Return a similar annotator whose accuracy is `accuracy`.

    If the accuracy must increase, some answers are replaced by answers of `best`, who answers every question as
    expected. If the accuracy must decrease, some answers are replaced by answers of `guesser`. The accuracy stays
    between those of the two.
    """
    goal = best if accuracy > annotator.accuracy else guesser
    distance = goal.accuracy - annotator.accuracy
    share = (accuracy - annotator.accuracy) / distance if abs(distance) > 1e-12 else 0.0
    return mixed(goal, annotator, share)


def careful_annotator(
    observed: Sequence[Outcomes],
    *,
    best: GoldAnnotator,
    guesser: GoldAnnotator,
    assumed: float = ASSUMED_ACCURACY,
) -> GoldAnnotator:
    """Use the answers so far to estimate a model of a careful annotator. `observed` contains each question's outcomes,
    weighted by their numbers of answers.

    The mean accuracy counts the assumed accuracy as ten further answers. On each question, the annotator answers like
    the observed annotators with probability n/(n + k), where n is the number of answers to the question, and otherwise
    has the mean accuracy. k is the variance of scores within questions divided by the variance between questions
    (Bühlmann and Straub 1970).
    """
    counts = np.array([sum(each.weight for each in outcomes) for outcomes in observed])
    base = at_accuracy(guesser, assumed, best=best, guesser=guesser)
    if not counts.sum():
        return base
    seen = GoldAnnotator([own or prior for own, prior in zip(observed, base.questions, strict=True)], base.ratios)
    total = counts.sum()
    mean = float(counts @ seen.scores / total)
    mean = (mean * total + assumed * ASSUMED_ANSWERS) / (total + ASSUMED_ANSWERS)
    pooled = at_accuracy(guesser, mean, best=best, guesser=guesser)
    weights = _credibility(seen, counts)
    questions = [
        [*_scaled(own, weight), *_scaled(others, 1 - weight)]
        for own, others, weight in zip(seen.questions, pooled.questions, weights, strict=True)
    ]
    return GoldAnnotator(questions, base.ratios)


def _credibility(seen: GoldAnnotator, counts: Floats) -> Floats:
    """Return the weight n/(n + k) of each question's own answers (Bühlmann and Straub 1970)."""
    answered = counts > 0
    total, questions = counts.sum(), int(answered.sum())
    scores = np.nan_to_num(accuracies_of(seen.tallies, seen.names, seen.ratios))
    means = seen.scores
    spread = seen._by_question((scores - means[seen.question_of]) ** 2)
    if questions < 2 or total <= questions:
        return np.zeros(len(counts))
    within = float(counts @ spread) / (total - questions)
    mean = counts @ means / total
    effective = total - (counts**2).sum() / total
    between = (counts @ (means - mean) ** 2 - (questions - 1) * within) / effective
    if between <= 0:
        return np.zeros(len(counts))
    return np.where(answered, counts / (counts + within / between), 0.0)


def _scaled(outcomes: Outcomes, share: float) -> list[Outcome]:
    """Return the outcomes with weights that add up to `share`, excluding outcomes with a weight of 0."""
    total = sum(each.weight for each in outcomes)
    return [Outcome(each.tally, each.passed, each.weight / total * share) for each in outcomes if each.weight * share]
