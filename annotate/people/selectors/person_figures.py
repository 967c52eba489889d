"""The task type's figures about annotators, for the Annotators page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from annotate import tasktypes
from annotate.models import Study


@dataclass(frozen=True)
class Shown:
    """One annotator's figure, with the ends of its 95% interval. The value and its interval are None if the figure is
    not known.
    """

    figure: tasktypes.PersonFigure
    value: float | None
    interval: tuple[float, float] | None


def figures_of_type(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[tasktypes.PersonFigure]:
    """Return the figures of the study's task type that occur in at least one row of a report."""
    listed = list(rows)
    figures = tasktypes.get(study.task_type).person_figures
    return [each for each in figures if any(row.get(each.key) is not None for row in listed)]


def shown(figures: Iterable[tasktypes.PersonFigure], row: Mapping[str, Any]) -> list[Shown]:
    """Return one annotator's figures, in column order."""
    return [Shown(each, row.get(each.key), each.interval(row)) for each in figures]
