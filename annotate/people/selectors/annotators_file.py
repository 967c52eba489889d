"""The file annotators.csv."""

from __future__ import annotations

from collections.abc import Iterable

from accord_core.exchange.csvtext import write_csv
from accord_core.numerics.printed import amount
from annotate.models import Study
from annotate.results.selectors.reports import people

from .annotators import AnnotatorRow, annotator_rows


def annotators_csv(study: Study) -> Iterable[bytes]:
    """Return annotators.csv, which contains each annotator's standing, gold results, agreement and credit."""
    columns, rows = annotators_table(annotator_rows(study, people(study)), study.currency)
    return (chunk.encode() for chunk in write_csv(rows, columns))


def annotators_table(rows: Iterable[AnnotatorRow], currency: str) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of annotators.csv, with pseudonyms but without platform IDs.

    Every other number about annotators in the task type's report has its own column. If a column
    has the same name, such as the accuracy by another measure, the name begins with “report_”.
    """
    rows = list(rows)
    further = list(dict.fromkeys(["agreement", "median_seconds", *(name for row in rows for name in _numbers(row))]))
    fixed = "pseudonym platform standing reason joined assignments gold_given gold_right accuracy low high".split()
    columns = [
        *fixed,
        *(f"report_{name}" if name in fixed else name for name in further),
        "flag",
        "credit",
        "group",
        "batch",
    ]
    table = []
    for row in rows:
        who, figures = row.participation, _numbers(row)
        cells = [
            who.pseudonym,
            who.annotator.platform,
            who.standing,
            who.standing_reason,
            who.joined_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            row.assignments,
            *_gold(row),
            *(_rounded(figures.get(name)) for name in further),
            "; ".join(sign["title"] for sign in row.signs) or None,
            amount(row.credit, currency),
            who.group.name if who.group else None,
            who.batch.number if who.batch and who.batch.removed_at is None else None,
        ]
        table.append(["" if cell is None else str(cell) for cell in cells])
    return columns, table


def _gold(row: AnnotatorRow) -> list[float | None]:
    """Return the gold results. They are empty if the annotator withdrew and chose to exclude the answers, because these
    are not part of later exports.
    """
    if row.participation.excludes_answers:
        return [None] * 5
    return [row.gold_given, row.gold_right, *map(_rounded, (row.share, row.low, row.high))]


def _numbers(row: AnnotatorRow) -> dict[str, float]:
    """Return the report's figures about the annotator, except figures that are already in the row."""
    counted = ("judgements", "gold_given", "gold_right")
    return {
        name: number for name, number in row.figures.items() if isinstance(number, int | float) and name not in counted
    }


def _rounded(value: float | None) -> float | None:
    """Round a number to four decimal places. Integers remain integers."""
    return None if value is None else round(value, 4)
