"""The rows of a batch, stored as a study's items and as the questions that contain them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from accord_core.exchange.cells import IdChecks, says_yes
from accord_core.exchange.faults import Fault, TableError, in_order
from accord_core.exchange.tables import Limits, Table, find_column, read_table
from accord_core.layouts.formats.layout import Layout
from annotate.tasktypes import FileColumn, ItemDraft, ItemsRead

HIT, INPUT, ANSWER = "HITId", "Input.", "Answer."
HELD_OUT = "gold_only"
COLUMNS = (FileColumn("id", aliases=("item id", "number", "nr", "no")), FileColumn(HELD_OUT, aliases=("held out",)))


def item_columns(layout: Layout | None) -> Sequence[FileColumn]:
    """Return the columns of a batch file, with a column for each placeholder in the layout."""
    names = layout.columns if layout else ()
    columns = [FileColumn(name, required=True, also=(f"{INPUT}{name}",), example=example_cell(name)) for name in names]
    return (*COLUMNS, *columns)


def example_cell(column: str) -> str:
    """Return the cell of a column in a template file."""
    return f"The {column}."


def read_items(data: bytes, name: str, layout: Layout | None, limits: Mapping[str, int]) -> ItemsRead:
    """Read the batch file of a Mechanical Turk project, and report every error with its line number.

    A row without an ID gets the name of the file and its number. In a results file, each HIT is one item.
    """
    try:
        table = read_table(data, name=name, limits=Limits(limits["rows"], limits["bytes"], limits["cell"]))
    except TableError as error:
        return ItemsRead([], error.faults, [], [])
    inputs = input_columns(table.columns)
    faults = missing_columns(layout, inputs) if layout else []
    warnings = []
    if layout is None:
        warnings = [Fault(None, None, "The study has no layout yet, so Accord could not compare the columns with it.")]
    else:
        warnings = [
            Fault(1, column, f"a script contains ${{{column}}}, but the file has no such column")
            for column in layout.script_columns
            if column not in inputs
        ]
    items = _items(table, inputs, PurePath(name).stem, faults)
    return ItemsRead(items, in_order(faults), warnings, table.columns)


def _items(table: Table, inputs: Mapping[str, str], stem: str, faults: list[Fault]) -> list[ItemDraft]:
    key_column = find_column(table.columns, "id")
    held_out = find_column(table.columns, HELD_OUT)
    is_results = HIT in table.columns and all(column.startswith(INPUT) for column in inputs.values())
    checks = IdChecks(faults)
    items, seen = [], set()
    for number, row in enumerate(table.rows, start=1):
        if is_results:
            if row.values[HIT] in seen:
                continue
            seen.add(row.values[HIT])
        column = HIT if is_results else key_column
        key = checks.check(row.values.get(column, ""), row.line, column) if column else f"{stem}-{number}"
        content = {name: row.values.get(cell, "") for name, cell in inputs.items()}
        held = says_yes(row.values.get(held_out or "", ""))
        items.append(ItemDraft(key, content, held_out=held, numbered=column is None, line=row.line))
    return items


def input_columns(columns: Sequence[str]) -> dict[str, str]:
    """Return the file's columns by their names in the layout. If the file has columns that begin with `Input.`, its
    other columns do not belong to the batch.
    """
    prefixed = {column.removeprefix(INPUT): column for column in columns if column.startswith(INPUT)}
    return prefixed or {column: column for column in columns if column.casefold() != HELD_OUT}


def missing_columns(layout: Layout, inputs: Mapping[str, str]) -> list[Fault]:
    """Return an error for each placeholder in the layout that has no column."""
    missing = [column for column in layout.columns if column not in inputs]
    message = "the layout contains ${{{}}}, but the file has no such column"
    return [Fault(1, column, message.format(column)) for column in missing]


def payload_of(item: ItemDraft, layout: Layout) -> dict[str, Any]:
    """Return the payload of a question about an item, with its key and the cells that the choices depend on."""
    cells = {column: item.content.get(column, "") for column in layout.choice_columns}
    return {"item": item.key, "choices": cells} if cells else {"item": item.key}


def row_of(payload: Any, items: Mapping[str, Any]) -> Mapping[str, str]:
    """Return a question's cells. A gold question from a file contains its own cells."""
    row: Mapping[str, str] = payload["content"] if "content" in payload else items[payload["item"]]
    return row


def choice_row(payload: Any) -> Mapping[str, str]:
    """Return the cells that a question's choices depend on."""
    row: Mapping[str, str] = payload.get("content") or payload.get("choices") or {}
    return row
