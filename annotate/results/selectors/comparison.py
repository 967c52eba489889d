"""The main figures of reports, and comparisons between two reports of the same task type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotate import tasktypes
from annotate.core.permissions import Action, permitted_studies
from annotate.models import Report, User
from annotate.tasktypes import RESULTS, FigureRow, FigureTable, Headline, Value, signed, value_at

from .reports import SIMULATED

MOST_REPORTS = 200  # reports that the page offers for a comparison


@dataclass(frozen=True)
class ComparedRow:
    """One figure with its values in two reports. `difference` is the second value minus the first value."""

    row: FigureRow
    first: Value
    second: Value

    @property
    def difference(self) -> float | None:
        if self.first.value is None or self.second.value is None:
            return None
        return self.second.value - self.first.value

    @property
    def texts(self) -> tuple[str, str, str]:
        """The two values and their difference as strings."""
        kind = self.row.format
        return self.first.printed(kind), self.second.printed(kind), signed(self.difference, kind)


@dataclass(frozen=True)
class ComparedTable:
    title: str
    rows: Sequence[ComparedRow]


def figure_tables(report: Report) -> list[FigureTable]:
    """Return the tables of a report's main figures: the headline and the task type's tables."""
    rows = [FigureRow("Judgements", "judgements", "count"), FigureRow("Annotators", "annotators", "count")]
    if report.parameters.get(SIMULATED):
        rows.append(FigureRow("Simulated annotators", SIMULATED, "count"))
    if report.result.get("headline"):
        headline = Headline.from_json(report.result["headline"])
        several = len(headline.ends) > 1
        rows += [
            FigureRow(f"{headline.name}, {end.label}" if several else headline.name, f"headline.ends.{place}")
            for place, end in enumerate(headline.ends)
        ]
    return [FigureTable("Main figures", rows), *tasktypes.get(report.study.task_type).reports.figures]


def figures_of(report: Report) -> dict[str, Any]:
    """Return a report's figures: its result and the number of simulated annotators."""
    return {**report.result, SIMULATED: report.parameters.get(SIMULATED)}


def compare(first: Report, second: Report) -> list[ComparedTable]:
    """Return the main figures of two reports of the same task type side by side."""
    figures = figures_of(first), figures_of(second)
    return [
        ComparedTable(
            table.title,
            [ComparedRow(row, value_at(figures[0], row.place), value_at(figures[1], row.place)) for row in table.rows],
        )
        for table in (*figure_tables(first), *_repeats_table(first, second))
    ]


def _repeats_table(*reports: Report) -> list[FigureTable]:
    """Return the table of repeated questions, if one of the reports has any."""
    if not any(report.result.get("repeats") for report in reports):
        return []
    rows = [
        FigureRow("Repeated questions", "repeats.questions", "count"),
        FigureRow("Same answer by the same annotator", "repeats.share", "percent"),
        FigureRow("Same answer by another annotator", "repeats.others.share", "percent"),
    ]
    return [FigureTable("Annotators compared with themselves", rows)]


def in_order_of_time(one: Report, other: Report) -> tuple[Report, Report]:
    """Return two reports in order of age, older first. A difference from the older to the newer report shows an
    improvement as a gain, whichever report the reader opens first.
    """
    older, newer = sorted((one, other), key=lambda report: (report.created_at, report.pk))
    return older, newer


def comparable_reports(user: User, report: Report) -> QuerySet[Report]:
    """Return the other results reports that contain judgements and that the user can compare with this report, newest
    first.

    These are reports of all studies of the same task type in which the user is a member.
    """
    studies = permitted_studies(user, Action.LOOK).filter(task_type=report.study.task_type)
    return (
        Report.objects.filter(study__in=studies, kind=RESULTS, judgements__gt=0)
        .exclude(pk=report.pk)
        .select_related("study")
        .defer("input", "result", "people")
        .order_by("-created_at")
    )
