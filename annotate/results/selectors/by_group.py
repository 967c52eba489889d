"""The part of a report with figures by group of annotators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.agreement import TITLES
from accord_core.numerics.printed import coefficient, count, interval
from annotate.core.selectors.batches import has_removed_batch
from annotate.models import Report
from annotate.tasktypes import Table

PLACES = 2
OVERALL = "All groups, weighted"


def shown_by_group(report: Report) -> dict[str, Any] | None:
    """Return a report's figures by group, or None if the report has none or one of their batches has been removed."""
    by_group: dict[str, Any] | None = report.by_group
    return None if by_group is None or has_removed_batch(by_group["batches"]) else by_group


def tables_by_group(report: Report) -> list[Table]:
    """Return a table of the figures by group for each set of labels. The last row contains the weighted figures."""
    by_group = shown_by_group(report)
    return [_table(by_group["groups"], each) for each in by_group["sets"]] if by_group else []


def _table(groups: list[dict[str, Any]], figures: Mapping[str, Any]) -> Table:
    names = [name for name in TITLES if name in figures["groups"][0]]
    rows = [
        (group["name"], count(own["annotators"]), *(_cell(own[name]) for name in names))
        for group, own in zip(groups, figures["groups"], strict=True)
    ]
    if overall := figures.get("overall"):
        annotators = sum(own["annotators"] for own in figures["groups"])
        rows.append((OVERALL, count(annotators), *(_cell(overall[name]) for name in names)))
    return Table(figures["name"], ["Group", "Annotators", *(TITLES[name] for name in names)], rows)


def _cell(figure: Mapping[str, Any]) -> str:
    """Return a figure with its interval, such as “.52 (.41–.63)”."""
    value = coefficient(figure["value"], PLACES)
    return value if figure["low"] is None else f"{value} ({interval(figure['low'], figure['high'], PLACES)})"
