"""The final results of a study in the form in which a repeat of the study is compared with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.numerics.group_agreement import Estimate

Value = Any
Redraw = Callable[[np.random.Generator], Sequence[Value]]


@dataclass(frozen=True)
class AnnotationFigures:
    """The figures that compare two final annotations of a unit.

    `figures` maps the name of each figure to its label. `counts` receives the value of the original and of the repeat,
    and returns C counts. `estimate` maps counts, summed over units, to the figures. A figure in `errors` is lower if
    the annotations agree better. `note` states what is known about the predictions of these figures.
    """

    figures: Mapping[str, str]
    counts: Callable[[Value, Value], Sequence[float]]
    estimate: Estimate
    errors: frozenset[str] = frozenset()
    note: str = ""


@dataclass(frozen=True, eq=False)
class Outcome:
    """A result of a study with one value for each of U units, such as a score for each item.

    `keys` (U,) names the units in the same way in a repeat, and `clusters` (U,) names the part of the study that is
    resampled with the unit, such as its question. A value is a number in [−1, 1] (`scores`), a label (`labels`), or
    what `annotations` compares. A unit without a value has None. All values come from annotators' answers: decisions by
    researchers do not count, because a prediction cannot include them.

    `redraw` returns the values of a simulated repeat with the same questions and new annotators. It is None if the
    answers do not show how much annotators differ, for example because each question has one answer.
    """

    name: str
    units: str
    keys: Sequence[str]
    clusters: Sequence[str]
    values: Sequence[Value]
    redraw: Redraw | None = None
    annotations: AnnotationFigures | None = None
    are_scores: bool = False
