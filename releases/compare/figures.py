"""The figures that compare one outcome of a study and of a repeat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.compare import label_agreement, scores
from accord_core.compare.predicted import DRAWS, Predicted, predicted_interval
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.group_agreement import agreement_of_counts
from annotate.tasktypes import Outcome

ERRORS = frozenset({"rmse"})  # figures that are lower if the studies agree better


@dataclass(frozen=True)
class Compared:
    """One figure with its interval over resampled units, and the prediction from the original, if there is one."""

    name: str
    label: str
    figure: Coefficient
    predicted: Predicted | None
    is_error: bool

    @property
    def place(self) -> str | None:
        """Whether the figure is `as predicted`, `better` or `worse`, or None without a figure or a prediction."""
        value, predicted = self.figure.value, self.predicted
        if value is None or predicted is None:
            return None
        if predicted.low <= value <= predicted.high:
            return "as predicted"
        return "better" if (value > predicted.high) != self.is_error else "worse"


def labels_of(outcome: Outcome) -> Mapping[str, str]:
    """Return the labels of the outcome's figures by name, with the main figure first."""
    if outcome.are_scores:
        return scores.FIGURES
    return label_agreement.FIGURES if outcome.annotations is None else outcome.annotations.figures


def compare(
    original: Outcome,
    repeat: Outcome,
    *,
    resamples: int,
    draws: int = DRAWS,
    seed: int,
) -> list[Compared]:
    """Return the figures for the units with a value in both studies. Units are matched by their keys."""
    at = {key: place for place, key in enumerate(repeat.keys)}
    shared = [(place, at[key]) for place, key in enumerate(original.keys) if key in at]
    first = [original.values[place] for place, _ in shared]
    found = _figures(original, first, [repeat.values[place] for _, place in shared], shared, resamples, seed)
    predicted: list[Predicted | None] = [None] * len(found)
    if original.redraw is not None and draws and any(each.value is not None for each in found):
        drawn = np.full((draws, len(found)), np.nan)
        for number in range(draws):
            values = original.redraw(np.random.default_rng([seed, 0xAE, number]))
            simulated = _figures(original, first, [values[place] for place, _ in shared], shared, 0, seed)
            drawn[number] = [np.nan if each.value is None else each.value for each in simulated]
        predicted = [predicted_interval(column) for column in drawn.T]
    errors = ERRORS if original.annotations is None else original.annotations.errors
    return [
        Compared(name, label, figure, interval, name in errors)
        for (name, label), figure, interval in zip(labels_of(original).items(), found, predicted, strict=True)
    ]


def _figures(
    outcome: Outcome,
    one: Sequence[Any],
    other: Sequence[Any],
    shared: Sequence[tuple[int, int]],
    resamples: int,
    seed: int,
) -> list[Coefficient]:
    both = [place for place, two in enumerate(zip(one, other, strict=True)) if None not in two]
    first, second = [one[place] for place in both], [other[place] for place in both]
    if outcome.are_scores:
        found = scores.score_agreement(np.array(first), np.array(second), resamples=resamples, seed=seed)
        return list(found.values())
    if outcome.annotations is None:
        clusters = [outcome.clusters[shared[place][0]] for place in both]
        return list(label_agreement.label_agreement(first, second, clusters, resamples=resamples, seed=seed).values())
    figures = outcome.annotations
    if not both:
        return [Coefficient(None, reason="there are no shared annotations")] * len(figures.figures)
    counts = np.array([figures.counts(*two) for two in zip(first, second, strict=True)], dtype=np.float64)
    return agreement_of_counts(counts, figures.estimate, resamples=resamples, seed=seed)
