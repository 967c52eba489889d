"""Agreement with intervals that generalise to other questions, to other annotators, or to both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.agreement import RESAMPLES, Level, agreement
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.clusters import labelled_clusters
from accord_core.numerics.crossed import Figures, jackknife_intervals
from accord_core.numerics.labels import Floats, Ints, Labels

Over = Literal["questions", "annotators", "both"]
# The intervals contain the true value in 92% to 96% of simulations with at least these numbers (`bench/coverage.py`).
ENOUGH_QUESTIONS, ENOUGH_ANNOTATORS = 200, 5


@dataclass(frozen=True)
class Agreement:
    """The coefficients by name, with intervals that generalise to other units of the kind `over`.

    `questions` and `annotators` count those with labels. `caution` states that there are too few of them to trust the
    intervals. Otherwise, `caution` is empty.
    """

    coefficients: dict[str, Coefficient]
    over: Over
    questions: int
    annotators: int

    @property
    def caution(self) -> str:
        few = []
        if self.over != "annotators" and self.questions < ENOUGH_QUESTIONS:
            few.append(f"{self.questions:,} questions instead of at least {ENOUGH_QUESTIONS}")
        if self.over != "questions" and self.annotators < ENOUGH_ANNOTATORS:
            few.append(f"{self.annotators:,} annotators instead of at least {ENOUGH_ANNOTATORS}")
        return f"too few to trust the intervals: {' and '.join(few)}" if few else ""


def agreement_over(
    labels: Labels,
    *,
    over: Over = "questions",
    clusters: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    seed: int = 1,
    level: Level = "nominal",
    values: ArrayLike | None = None,
) -> Agreement:
    """Return all coefficients with intervals for other `questions`, other `annotators`, or `both`.

    `clusters` (n_items,) contains the number of the question to which each item belongs. By default, each item is a
    question. For `questions`, the intervals are percentiles of `resamples` resamples. For `annotators` and `both`, they
    come from the jackknife (`jackknife_intervals`), and `resamples` = 0 only turns them off. `level` and `values` are
    as in `agreement`.
    """
    numbers: Ints = np.arange(labels.n_items) if clusters is None else np.asarray(clusters)
    questions = labelled_clusters(labels, numbers)[1]
    annotators = len(np.unique(labels.annotator))
    if over == "questions" or not resamples:
        coefficients = agreement(labels, resamples=resamples, seed=seed, clusters=clusters, level=level, values=values)
        return Agreement(coefficients, over, questions, annotators)

    coefficients = agreement(labels, resamples=0, level=level, values=values)
    figures = coefficient_values(level, values)
    intervals = jackknife_intervals(figures, labels, numbers if over == "both" else None, seed=seed)
    with_intervals = {
        name: replace(coefficient, low=interval.low, high=interval.high, undefined_resamples=interval.undefined)
        for (name, coefficient), interval in zip(coefficients.items(), intervals, strict=True)
    }
    return Agreement(with_intervals, over, questions, annotators)


def coefficient_values(level: Level, values: ArrayLike | None) -> Figures:
    """Return a function that maps labels to the values of all coefficients. `level` and `values` are as in
    `agreement`.
    """

    def figures(some: Labels) -> Floats:
        each = agreement(some, resamples=0, level=level, values=values).values()
        return np.array([np.nan if coefficient.value is None else coefficient.value for coefficient in each])

    return figures
