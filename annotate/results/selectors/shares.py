"""Links to reports, and the main figures that the linked pages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.models import Report, ReportShare
from annotate.numerics.printed import NONE
from annotate.results.selectors.comparison import figure_tables, figures_of
from annotate.server import clock
from annotate.tasktypes import value_at


@dataclass(frozen=True)
class SharedFigures:
    """A table of figures, with a title. Each row is a (name, value) pair of strings."""

    title: str
    rows: Sequence[tuple[str, str]]


def shares_of(report: Report) -> QuerySet[ReportShare]:
    """Return a report's active links, newest first."""
    working = report.shares.filter(revoked_at=None, expires_at__gt=clock.now())
    return working.select_related("created_by").order_by("-pk")


def shared_report(token_hash: str) -> ReportShare | None:
    """Return the link with this hash, and its report. Return None if the link is unknown, expired or revoked."""
    return (
        ReportShare.objects.filter(hash=token_hash, revoked_at=None, expires_at__gt=clock.now())
        .select_related("report__study")
        .defer("report__input", "report__people")
        .first()
    )


def shared_figures(report: Report) -> list[SharedFigures]:
    """Return a report's main figures. The tables contain only fixed names and numbers, and no texts from the study."""
    tables, figures = [], figures_of(report)
    for table in figure_tables(report):
        rows = [(row.name, value_at(figures, row.place).printed(row.format)) for row in table.rows]
        tables.append(SharedFigures(table.title, [row for row in rows if row[1] != NONE]))
    return [table for table in tables if table.rows]
