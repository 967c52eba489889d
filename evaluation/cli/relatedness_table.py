"""The table of `accord evaluate relatedness`: one row for each correlation, with its system and number of items. In
Markdown and LaTeX, each system has a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotate.exchange.printed_tables import Cell, PrintedTable, figure_table
from annotate.exchange.wide_tables import wide_table

SYSTEMS = {"against": "the other system", "dice": "word overlap (Dice)"}
KEYS = ["system", "part", "items"]
CAPTION = "Spearman's correlation with the scores"
ALL = "all items"
DIFFERENCE = "difference"
Row = tuple[list[Cell], Mapping[str, Any]]


def relatedness_table(figures: Mapping[str, Any]) -> PrintedTable:
    """Return the figures of `relatedness_scores`, of the other systems, of the differences and of the bins."""
    rows = [*_system_rows("the system", figures)]
    for name, title in SYSTEMS.items():
        if name in figures:
            rows += _system_rows(title, figures[name])
            rows.append(([DIFFERENCE, f"the system minus {title}", figures["items"]], figures["differences"][name]))
    for each in figures.get("bins", []):
        title = f"bin {each['low']:g} to {each['high']:g}"
        rows.append((["the outside score", title, each["items"]], each["outside"]))
        rows.append((["the system", title, each["items"]], each["predictions"]))
    wide = wide_table(KEYS, map(_in_columns, rows), across="system", caption=CAPTION)
    return replace(figure_table(KEYS, rows, caption=CAPTION), wide=wide)


def _in_columns(row: Row) -> Row:
    """Move a difference between two systems to a column of its own."""
    (system, part, items), figure = row
    return ([part, ALL, items], figure) if system == DIFFERENCE else row


def _system_rows(system: str, figures: Mapping[str, Any]) -> Iterator[Row]:
    folds = figures["folds"]
    mean_of_folds = f"mean of {folds['folds']} test folds"
    yield [system, ALL, figures["items"]], figures["spearman"]
    yield [system, mean_of_folds, figures["items"]], folds
    for number, (items, value) in enumerate(zip(folds["items"], folds["each"] or (), strict=False), 1):
        yield [system, f"test fold {number}", items], {"value": value}
    for name, each in figures.get("groups", {}).items():
        title = name or "(empty)"
        yield [system, title, each["items"]], each
        yield [system, f"{title}, {mean_of_folds}", each["items"]], each["folds"]
    if "mean_of_groups" in figures:
        yield [system, "mean of the groups", figures["items"]], figures["mean_of_groups"]
