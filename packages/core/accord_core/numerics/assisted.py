"""Program-assisted figures: a program answers every question, people answer a random part, and their answers correct
the program.

The estimate is prediction-powered inference with a tuned weight λ (PPI++: Angelopoulos, Duchi and Zrnic 2024), in the
form T(people) + λ·(T(program, all questions) − T(program, judged questions)) for any figure T. Questions that were
drawn with different probabilities have the weight 1/probability (active inference: Zrnic and Candès 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.influence import Influence, influence_of_spearman, influence_of_sums
from accord_core.numerics.intervals import t_quantile
from accord_core.numerics.jackknife import fisher_interval
from accord_core.numerics.labels import Floats, Ints

FEWEST_JUDGED = 30
FEWEST_RARE = 20
FEWEST_ANNOTATORS = 6
# If a few questions decide a figure, intervals of the form value ± t·SE contain the true value too rarely. The skewness
# of the error comes from the program's answers to all questions, because a rule that depends on the judged questions
# would exclude the samples with the widest intervals. The skewness of a share with 20 rare cases is .22.
MOST_SKEWNESS = 0.225
Scale = Literal["plain", "fisher"]


class Drawn(NamedTuple):
    """The judged questions among all U questions: their places `judged` (n,), and the probability (n,) with which each
    of them was drawn. Only the ratios of the probabilities matter.
    """

    judged: Ints
    probability: Floats
    questions: int

    @property
    def weights(self) -> Floats:
        """The weight (n,) of each judged question in means. The sum is 1."""
        inverse = 1 / self.probability
        shares: Floats = inverse / inverse.sum()
        return shares


class Judgements(NamedTuple):
    """The counts (L, K) of single judgements, with the question (L,), which is a place in `Drawn.judged`, and the
    annotator (L,), numbered from 0.
    """

    counts: Floats
    question: Ints
    annotator: Ints


@dataclass(frozen=True)
class AssistedFigure:
    """A figure from people alone and with the program, with 95% intervals.

    `tuning` is λ, the weight of the program, and 0 if the program does not help. `saved` is the share of judgements
    that the program saves. People alone would need 1/(1 − saved) times as many judgements for the same standard error.
    """

    people: Coefficient
    assisted: Coefficient
    tuning: float
    saved: float


def assisted_figures(
    people: Floats,
    program: Floats,
    drawn: Drawn,
    estimate: Callable[[Floats], Floats],
    *,
    scale: Scale = "plain",
    rare: Floats | None = None,
    judgements: Judgements | None = None,
    most_skewness: float = MOST_SKEWNESS,
) -> list[AssistedFigure]:
    """Return F figures that are functions of means, such as means, shares, F1, the alignment error rate and κ.

    `people` (n, K) contains the counts of the judged questions, and `program` (U, K) the counts of all questions if
    the program's answers replace people's. `estimate` maps means (B, K) to figures (F, B). Intervals are symmetric on
    this `scale`. `rare` (F,) is the number of judged cases of the rarer kind. There is no interval with fewer than 20
    such cases, with fewer than 30 judged questions, or if the error's skewness exceeds `most_skewness`.

    The intervals generalise to other questions and, with `judgements`, also to other annotators. `people` must then be
    the means of the `judgements`.
    """
    parts = parts_of_sums(people, program, drawn, estimate)
    single = None if judgements is None else _single(people, judgements, drawn, estimate)
    return corrected(parts, drawn, scale=scale, rare=rare, single=single, most_skewness=most_skewness)


def assisted_spearman(people: Floats, program: Floats, systems: Floats, drawn: Drawn) -> list[AssistedFigure]:
    """Return Spearman's ρ between the scores (F, U) of each system and the scores by `people` (n,), corrected with the
    scores by the `program` (U,). The intervals generalise to other items.
    """
    return corrected(parts_of_spearman(people, program, systems, drawn), drawn, scale="fisher")


class Parts(NamedTuple):
    """F figures from people, from the program on the judged questions (both n units), and from the program on all
    questions (U units).
    """

    people: Influence
    judged: Influence
    all: Influence


def parts_of_sums(people: Floats, program: Floats, drawn: Drawn, estimate: Callable[[Floats], Floats]) -> Parts:
    """Return the three parts of each figure in `assisted_figures`."""
    return Parts(
        influence_of_sums(people, estimate, drawn.weights),
        influence_of_sums(program[drawn.judged], estimate, drawn.weights),
        influence_of_sums(program, estimate, np.ones(len(program))),
    )


def parts_of_spearman(people: Floats, program: Floats, systems: Floats, drawn: Drawn) -> Parts:
    """Return the three parts of each figure in `assisted_spearman`."""
    judged, even = drawn.judged, np.ones(len(program))
    return Parts(
        _stacked(influence_of_spearman(system[judged], people, drawn.weights) for system in systems),
        _stacked(influence_of_spearman(system[judged], program[judged], drawn.weights) for system in systems),
        _stacked(influence_of_spearman(system, program, even) for system in systems),
    )


def _stacked(figures: Iterable[Influence]) -> Influence:
    values, of_unit = zip(*figures, strict=True)
    return Influence(np.concatenate(values), np.concatenate(of_unit))


class _Single(NamedTuple):
    """Each judgement's score (F, L) minus its share of the question's score, with the question and annotator."""

    beyond: Floats
    question: Ints
    annotator: Ints


class _Scores(NamedTuple):
    """Each question's contribution to a figure's error: for judged questions, to the figure from people alone (n,) and
    to the program's correction (n,); for all questions, to the program's correction (U,).
    """

    value: float
    people: Floats
    judged: Floats
    all: Floats
    weights: Floats
    places: Ints
    single: tuple[Floats, Ints, Ints] | None

    def tuning(self) -> float:
        """Return the weight of the program between 0 and 1 that minimises the variance.

        As in PPI++, the variance of the program's values comes from all questions.
        """
        n, questions = len(self.places), len(self.all)
        weighted = float((self.judged**2 / self.weights).sum())
        if n == questions or not weighted > 0:
            return 0.0
        everywhere = float((self.all**2).sum()) * questions**2 / (questions - 1)
        variance = float((self.judged**2).sum()) * everywhere / weighted - everywhere / questions
        covariance = float(self.people @ (self.judged - self.all[self.places]))
        return float(np.clip(covariance / variance, 0, 1)) if variance > 0 else 0.0

    def by_question(self, tuning: float) -> Floats:
        # The program's figure can be undefined. Its weight is then 0.
        scores = tuning * self.all if tuning else np.zeros(len(self.all))
        scores[self.places] += self.people - tuning * self.judged if tuning else self.people
        return scores

    def error(self, tuning: float) -> _Error:
        # The program's weight is estimated from the same questions, like the slope of a regression.
        questions = len(self.places) - (tuning > 0)
        of_questions = _variance(self.by_question(tuning), questions)
        if self.single is None:
            return _Error(of_questions, questions - 1)
        beyond, question, annotator = self.single
        own = self.people - tuning * self.judged if tuning else self.people
        single = (own / np.bincount(question, minlength=len(own)))[question] + beyond
        annotators = len(np.unique(annotator))
        of_annotators = _variance(np.bincount(annotator, single).astype(np.float64), annotators)
        crossed = of_questions + of_annotators - _variance(single, len(single))
        # In small samples, the variance over both can be smaller than one of its parts.
        variance = max(crossed, of_questions, of_annotators)
        parts = of_questions**2 / (questions - 1) + of_annotators**2 / max(1, annotators - 1)
        return _Error(variance, max(2, min(questions - 1, variance**2 / parts)))


class _Error(NamedTuple):
    """The variance of a figure, and its degrees of freedom, with several annotators by Satterthwaite (1946)."""

    variance: float
    df: float


def _variance(scores: Floats, units: int) -> float:
    """Return the variance of a sum of independent scores with the mean 0."""
    return float((scores**2).sum()) * units / max(1, units - 1)


def corrected(
    parts: Parts,
    drawn: Drawn,
    *,
    scale: Scale = "plain",
    rare: Floats | None = None,
    single: _Single | None = None,
    level: float = 0.95,
    most_skewness: float = MOST_SKEWNESS,
) -> list[AssistedFigure]:
    """Return the figures with intervals of this level (see `assisted_figures`)."""
    figures = []
    for number in range(len(parts.people.value)):
        reason = _why_no_interval(drawn, single, FEWEST_RARE if rare is None else float(rare[number]))
        if reason is None and _skewness(parts.all.of_unit[number], len(drawn.judged)) > most_skewness:
            reason = "too few judged questions, because a few questions decide the figure"
        scores = _scores(parts, number, drawn, single)
        correction = float(parts.all.value[number] - parts.judged.value[number])
        figures.append(_figure(scores, correction, scale, level, reason))
    return figures


def _scores(parts: Parts, number: int, drawn: Drawn, single: _Single | None) -> _Scores:
    return _Scores(
        float(parts.people.value[number]),
        drawn.weights * parts.people.of_unit[number],
        drawn.weights * parts.judged.of_unit[number],
        parts.all.of_unit[number] / drawn.questions,
        drawn.weights,
        drawn.judged,
        None if single is None else (single.beyond[number], single.question, single.annotator),
    )


def _single(people: Floats, judgements: Judgements, drawn: Drawn, estimate: Callable[[Floats], Floats]) -> _Single:
    counts, weights = np.concatenate([people, judgements.counts]), np.zeros(len(people) + len(judgements.counts))
    weights[: len(people)] = drawn.weights
    of_unit = influence_of_sums(counts, estimate, weights).of_unit
    beyond = of_unit[:, len(people) :] - of_unit[:, judgements.question]
    share = drawn.weights / np.bincount(judgements.question, minlength=len(people))
    return _Single(share[judgements.question] * beyond, judgements.question, judgements.annotator)


def _skewness(of_unit: Floats, judged: int) -> float:
    """Return the size of the skewness of the error of a mean over the judged questions."""
    variance = float((of_unit**2).mean())
    return abs(float((of_unit**3).mean())) / variance**1.5 / judged**0.5 if variance > 0 else 0.0


def _figure(scores: _Scores, correction: float, scale: Scale, level: float, reason: str | None) -> AssistedFigure:
    if np.isnan(scores.value):
        undefined = Coefficient(None, reason="the figure is undefined for the judged questions")
        return AssistedFigure(undefined, undefined, 0.0, 0.0)
    tuning = 0.0 if np.isnan(correction) else scores.tuning()
    if scale == "fisher" and abs(scores.value + tuning * correction) >= 1:
        tuning = 0.0
    alone, errors = scores.error(0.0), scores.error(tuning)
    saved = max(0.0, 1 - errors.variance / alone.variance) if alone.variance > 0 else 0.0
    value = scores.value + tuning * correction if tuning else scores.value
    return AssistedFigure(
        _coefficient(scores.value, alone, scale, level, reason),
        _coefficient(value, errors, scale, level, reason),
        tuning,
        saved,
    )


def _coefficient(value: float, error: _Error, scale: Scale, level: float, reason: str | None) -> Coefficient:
    if reason is not None:
        return Coefficient(value, reason=reason)
    half = t_quantile(error.df, (1 + level) / 2) * error.variance**0.5
    if scale == "plain":
        return Coefficient(value, value - half, value + half)
    low, high, _ = fisher_interval(value, half, half)
    return Coefficient(value, low, high)


def _why_no_interval(drawn: Drawn, single: _Single | None, rare: float) -> str | None:
    if len(drawn.judged) < FEWEST_JUDGED:
        return f"fewer than {FEWEST_JUDGED} judged questions"
    if single is not None and len(np.unique(single.annotator)) < FEWEST_ANNOTATORS:
        return f"fewer than {FEWEST_ANNOTATORS} annotators"
    return f"fewer than {FEWEST_RARE} judged cases of the rarer kind" if rare < FEWEST_RARE else None
