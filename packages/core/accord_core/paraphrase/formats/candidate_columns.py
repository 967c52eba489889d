"""Tables that do not contain an item's candidates in one cell: numbered columns such as `paraphrase 1`, and tables with
one row per candidate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault
from accord_core.exchange.layout import letters
from accord_core.exchange.tables import Row, Table, TableStream, find_column, iter_rows
from accord_core.paraphrase.formats.phrases import LONGEST_PHRASE, PhraseChecks

PARAPHRASE = ("paraphrase", "candidate", "substitute")


def begin(table: Table | TableStream, faults: list[Fault]) -> TableStream:
    """Return the table after reading its first row, so that the columns of JSON Lines are known. Formatting errors are
    added to `faults`.
    """
    rows = iter_rows(table, faults)
    return TableStream(table.name, table.columns, chain(list(islice(rows, 1)), rows))


def join_numbered(table: TableStream, lists: Mapping[str, Sequence[str]]) -> TableStream:
    """Return a table in which a cell with a JSON list replaces the cells of numbered columns. `lists` maps the name of
    the list to the names that its columns can have before the number. Empty cells are not in the list.

    A table is returned unchanged if it has a column for the list, or if its numbered columns have several names.
    """
    columns: list[str] = []

    def joined() -> Iterator[Row]:
        numbered: dict[str, list[str]] = {}
        known = -1
        for row in table.rows:
            if known != len(table.columns):  # a row of a JSON Lines file can add columns
                known = len(table.columns)
                numbered = numbered_columns(table.columns, lists)
                columns[:] = _names_with(table.columns, numbered)
            yield Row(row.line, _joined(row.values, numbered)) if numbered else row

    columns += _names_with(table.columns, numbered_columns(table.columns, lists))
    return TableStream(table.name, columns, joined())


def group_rows(
    table: TableStream, keys: Sequence[str], name: str, faults: list[Fault], warnings: list[Fault]
) -> TableStream:
    """Return a table with one row per item if `table` has one row per candidate, and otherwise the same table. The
    cell `name` of a row contains the candidates.

    Rows belong to the same item if they have the same ID or, without a column `id`, the same values in the columns
    `keys`. Values of other columns that differ between the rows of an item are excluded, with a warning.
    """
    single = [column for column in table.columns if letters(column) in PARAPHRASE]
    if len(single) != 1 or find_column(table.columns, name):
        return table
    columns = [name if column == single[0] else column for column in table.columns]
    return TableStream(table.name, columns, _grouped(table, keys, single[0], name, faults, warnings))


def numbered_columns(columns: Sequence[str], lists: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the numbered columns of each list, in the order of their numbers. A column `paraphrase` is the first of
    the columns `paraphrase 2`, `paraphrase 3` and so on.
    """
    found = {}
    for name, stems in lists.items():
        numbers: dict[str, dict[int, str]] = {}
        for column in columns:
            text = letters(column)
            stem = text.rstrip("0123456789")
            if text in stems or (stem != text and stem.removesuffix("s") in stems):
                numbers.setdefault(stem, {})[int(text[len(stem) :] or -1)] = column
        groups = [places for places in numbers.values() if max(places) >= 0]
        if len(groups) == 1 and find_column(columns, name) in (None, *groups[0].values()):
            found[name] = [column for _, column in sorted(groups[0].items())]
    return found


def _names_with(columns: Sequence[str], numbered: Mapping[str, Sequence[str]]) -> list[str]:
    parts = {column for group in numbered.values() for column in group}
    return [*(column for column in columns if column not in parts), *numbered]


def _joined(values: Mapping[str, str], numbered: Mapping[str, Sequence[str]]) -> dict[str, str]:
    parts = {column for group in numbered.values() for column in group}
    texts = {
        name: [cell for column in group if (cell := values.get(column, "").strip())] for name, group in numbered.items()
    }
    return {
        **{column: cell for column, cell in values.items() if column not in parts},
        **{name: json.dumps(cells, ensure_ascii=False) if cells else "" for name, cells in texts.items()},
    }


def _grouped(
    table: TableStream, keys: Sequence[str], column: str, name: str, faults: list[Fault], warnings: list[Fault]
) -> Iterator[Row]:
    id_column = find_column(table.columns, "id")
    key_columns = [found for key in keys if (found := find_column(table.columns, key))]
    groups: dict[object, list[Row]] = {}
    for row in table.rows:
        same = tuple(row.values.get(key, "") for key in key_columns)
        groups.setdefault(row.values.get(id_column or "") or same, []).append(row)
    other = [each for each in table.columns if each not in (column, id_column, *key_columns)]
    varying = [each for each in other if any(_differ(rows, each) for rows in groups.values())]
    for each in varying:
        message = "the values differ between the paraphrases of an item, so they are not imported"
        warnings.append(Fault(None, each, message))
    for rows in groups.values():
        for each in key_columns if id_column else ():
            faults += _conflicts(rows, id_column or "", each)
        values = {each: cell for each, cell in rows[0].values.items() if each not in (column, *varying)}
        cells = [rows[0].values.get(column, "")] if len(rows) == 1 else _texts(rows, column, faults)
        cell = cells[0] if len(rows) == 1 else json.dumps(cells, ensure_ascii=False)
        yield Row(rows[0].line, {**values, name: cell})


def _differ(rows: Sequence[Row], column: str) -> bool:
    return any(row.values.get(column, "") != rows[0].values.get(column, "") for row in rows)


def _conflicts(rows: Sequence[Row], id_column: str, column: str) -> Iterator[Fault]:
    for row in rows[1:]:
        if row.values.get(column, "") != rows[0].values.get(column, ""):
            key = shorten(row.values.get(id_column, ""))
            message = f"the ID {key} has another {column} in line {rows[0].line}. Give each phrase its own ID"
            yield Fault(row.line, column, message)


def _texts(rows: Sequence[Row], column: str, faults: list[Fault]) -> list[str]:
    """Return the candidates in the rows of one item, and add an error for each empty or repeated one."""
    checks = PhraseChecks(faults, LONGEST_PHRASE)
    lines: dict[str, int] = {}
    texts = []
    for row in rows:
        for text in checks.texts(row, column) if row.values.get(column, "").strip() else [""]:
            earlier = lines.setdefault(text.casefold(), row.line)
            if not text:
                faults.append(Fault(row.line, column, "the cell is empty"))
            elif earlier != row.line:
                faults.append(Fault(row.line, column, f"“{shorten(text)}” is also in line {earlier} of this item"))
            else:
                texts.append(text)
    return texts
