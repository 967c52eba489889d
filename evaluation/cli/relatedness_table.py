"""The table for `accord evaluate relatedness`, which has one row for each correlation, with its system and number of
items. In Markdown and LaTeX, each system has a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from accord_core.exchange.compared_systems import correction_note, title
from accord_core.exchange.printed_tables import Cell, PrintedTable, figure_table
from accord_core.exchange.wide_tables import wide_table
from evaluation.cli.relatedness_figures import DICE

KEYS = ["system", "part", "items"]
CAPTION = "Spearman's correlation with the scores"
ALL = "all items"
DIFFERENCE = "difference"
Row = tuple[list[Cell], Mapping[str, Any]]


def relatedness_table(by_system: Mapping[str, Mapping[str, Any]], figures: Mapping[str, Any]) -> PrintedTable:
    """Return the figures for each system, for the word overlap and for the differences. `figures` is the JSON
    object.
    """
    dice = {DICE: figures["dice"]} if "dice" in figures else {}
    rows = [row for name, each in {**by_system, **dice}.items() for row in _system_rows(name, each)]
    items = next(iter(by_system.values()))["items"]
    differences = figures["differences"]
    rows += [([DIFFERENCE, title(each["one"], each["other"]), items], each) for each in differences]
    notes = [
        *correction_note([each for each in differences if each["other"] != DICE], "comparisons between systems"),
        *correction_note([each for each in differences if each["other"] == DICE], "comparisons with the word overlap"),
    ]
    wide = wide_table(KEYS, map(_in_columns, rows), across="system", caption=CAPTION, notes=notes)
    return replace(figure_table(KEYS, rows, caption=CAPTION, notes=notes), wide=wide)


def _in_columns(row: Row) -> Row:
    """Move a difference between two systems to its own column, and add the row's name to the reason for its figure.

    The table prints each reason below its rows, where the reason alone does not identify the row.
    """
    (system, part, items), figure = row
    if system == DIFFERENCE:
        return [part, ALL, items], figure
    if figure.get("reason"):
        figure = {**figure, "reason": f"{part}: {figure['reason']}"}
    return [system, part, items], figure


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
    for each in figures.get("bins", []):
        name = f"bin {each['low']:g} to {each['high']:g}"
        yield [system, f"{name}, external score", each["items"]], each["outside"]
        yield [system, f"{name}, predictions", each["items"]], each["predictions"]
