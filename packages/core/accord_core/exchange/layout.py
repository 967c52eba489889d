"""Table layouts. Task types read UTF-8 files with their own column names, but researchers also have Excel workbooks,
files in other encodings, and columns with other names. `detect` finds the layout of such a file.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain, islice
from typing import Any

from accord_core.exchange.csvtext import SPACE, first_lines, iter_records, sniff_delimiter, whole_lines, write_csv
from accord_core.exchange.encoding import UTF8, as_utf8, detect_encoding, kind_of_binary, open_text
from accord_core.exchange.json_lists import is_json_list
from accord_core.exchange.tables import json_cells, json_objects
from accord_core.exchange.workbooks import (
    CellNotes,
    is_workbook,
    merged_columns,
    sheet_names,
    sheet_rows,
)

WHOLE_LINES = ""  # the delimiter of a list with one text per line
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", SPACE: "space", WHOLE_LINES: "none"}
LEAVE_OUT = ""
NO_HEADER = 0
JSON_ROWS = "json"  # the delimiter of JSON Lines or a JSON list, with one object per row
NO_TABLE = "other"  # the delimiter of a text file that is not a table, such as XML
SHEETS_SEARCHED = 20  # sheets among which one with known columns is searched
ROWS_WITH_HEADER = 12  # rows among which the header is searched
OBJECTS_READ = 500  # objects in which the columns of a JSON file are searched
Rows = Iterator[tuple[int, list[str]]]


class Holds(Enum):
    """The contents of a column: several texts per cell, a text, or a part of another column's text."""

    LIST = "list"
    TEXT = "text"
    PART = "part"


@dataclass(frozen=True)
class FileColumn:
    """A column read by a task type.

    `aliases` contains other names that researchers use for the column, and `also` other names that the task type reads.
    Columns with an `example` are in the template file. An alias counts only if the file has none of the columns in
    `instead_of`, and if it also has the column `together_with`. For example, a file of texts with a column `source` has
    no sentence pairs. `in_parts` contains the names of columns that contain single entries of a list, with or without a
    number at the end.
    """

    name: str
    required: bool = False
    aliases: Sequence[str] = ()
    also: Sequence[str] = ()
    example: str = ""
    instead_of: Sequence[str] = ()
    together_with: str = ""
    holds: Holds = Holds.TEXT
    in_parts: Sequence[str] = ()
    label: str = ""  # for researchers, if the name is not enough

    def is_part(self, name: str) -> bool:
        """Return whether a column with this name contains single entries of the list."""
        stem = letters(name).rstrip("0123456789")
        return stem in self.in_parts or (stem != letters(name) and stem.removesuffix("s") in self.in_parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The column names read by the task type."""
        return (self.name, *self.also)


@dataclass(frozen=True)
class Layout:
    """The settings that determine how a table is read.

    A workbook has a sheet, and a text file has an encoding and a delimiter. `columns` maps columns of the file to the
    names that the task type reads, or to an empty string to exclude the column. All other columns keep their names.
    `skipped` contains the line numbers of the rows that are skipped. `header` is the line of the header row: None for
    the first row with values, or `NO_HEADER` if the first row contains data. In this case, columns have names such as
    “column 1”. With `header_rows` = 2, the names of the columns consist of the cells in two rows. The encoding and the
    delimiter are None if they should be detected (see `complete`).
    """

    sheet: str = ""
    encoding: str | None = UTF8
    delimiter: str | None = ","
    columns: Mapping[str, str] = field(default_factory=dict)
    skipped: AbstractSet[int] = frozenset()
    header: int | None = None
    header_rows: int = 1


def as_json(layout: Layout) -> dict[str, Any]:
    """Convert a layout to JSON data."""
    return {**vars(layout), "columns": dict(layout.columns), "skipped": sorted(layout.skipped)}


def from_json(stored: Mapping[str, Any]) -> Layout:
    """Convert JSON data from `as_json` back to a layout."""
    return Layout(**{**stored, "skipped": frozenset(stored["skipped"])})


def template(columns: Sequence[FileColumn], items: Sequence[str] = ()) -> str:
    """Return a CSV file with a header and one example row, in which the first of `items` replaces item-1, and so on."""
    shown = [column for column in columns if column.example]
    keys = {f"item-{number}": key for number, key in enumerate(items, start=1)}
    example = [keys.get(column.example, column.example) for column in shown]
    return "".join(write_csv([example], [column.name for column in shown]))


def is_table(data: bytes) -> bool:
    """Return whether the file is an Excel workbook or delimited text, rather than JSON, XML or another format. A text
    file must be in UTF-8.
    """
    if data.startswith(b"PK\x03\x04"):
        return is_workbook(data)
    start = data[:1000].removeprefix(codecs.BOM_UTF8).lstrip()
    return bool(start) and start[:1] not in (b"{", b"[", b"<") and not kind_of_binary(data) and b"\0" not in data


def is_json(data: bytes) -> bool:
    """Return whether the file is JSON Lines or a JSON list of objects. It must be in UTF-8."""
    return is_json_list(data) or data[:1000].removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")


def detect(data: bytes, *, name: str, expected: Sequence[FileColumn] = (), encoding: str | None = None) -> Layout:
    """Return a file's layout: a sheet of a workbook, or the encoding and delimiter of a text file. An `encoding` is
    used instead of the detected one. The header is searched for the names of the `expected` columns. The sheet is the
    first one with such a name or, if there is none, the first one.

    Raises `TableError` if a workbook cannot be read.
    """
    layout = complete(data, Layout(encoding=encoding, delimiter=None), name=name)
    if layout.delimiter in (JSON_ROWS, NO_TABLE):
        return layout
    if layout.sheet:
        layout = replace(layout, sheet=_sheet_with_names(data, layout, expected, name))
    rows = islice(_rows(data, layout, name), ROWS_WITH_HEADER)
    return replace(layout, header=_header_row(list(rows), expected, in_sheet=bool(layout.sheet)))


def _sheet_with_names(data: bytes, layout: Layout, expected: Sequence[FileColumn], name: str) -> str:
    names = _letters_of(expected)
    for sheet in sheet_names(data, name=name)[:SHEETS_SEARCHED] if names else ():
        rows = islice(_rows(data, replace(layout, sheet=sheet), name), ROWS_WITH_HEADER)
        if any(letters(cell) in names for _, cells in rows for cell in cells):
            return sheet
    return layout.sheet


def _letters_of(expected: Sequence[FileColumn]) -> set[str]:
    return {letters(name) for column in expected for name in (*column.names, *column.aliases)}


def complete(data: bytes, layout: Layout, *, name: str) -> Layout:
    """Return the layout after detecting the sheet, the encoding and the delimiter if they are missing. Raises
    `TableError`.
    """
    if is_workbook(data):
        return replace(
            layout,
            sheet=layout.sheet or sheet_names(data, name=name)[0],
            encoding=UTF8,
            delimiter=layout.delimiter or ",",
        )
    if layout.encoding is None:
        layout = replace(layout, encoding=detect_encoding([data]).encoding)
    if layout.delimiter is None:
        text = as_utf8(data, name=name, encoding=layout.encoding)
        if is_table(text):
            layout = replace(layout, delimiter=sniff_delimiter(first_lines(open_text(text, name=name))))
        else:
            layout = replace(layout, delimiter=JSON_ROWS if is_json(text) else NO_TABLE)
    return layout


def _header_row(rows: Sequence[tuple[int, list[str]]], expected: Sequence[FileColumn], *, in_sheet: bool) -> int | None:
    """Return the line of the header, or None for the first row.

    The header is the row with the most expected names. Without expected names, titles above the table of a sheet are
    recognised by their single cell. In other text files, such a first row can be a text.
    """
    if not rows:
        return None
    names = _letters_of(expected)
    known = [len({letters(cell) for cell in cells} & names) for _, cells in rows]
    best = max(range(len(rows)), key=lambda at: known[at])
    if known[best] > known[0] and known[best] > 1:
        return rows[best][0]
    if in_sheet and not known[0]:
        filled = [sum(map(bool, cells)) for _, cells in rows]
        first = next(at for at, count in enumerate(filled) if 2 * count > max(filled))
        if first and all(count == 1 for count in filled[:first]):
            return rows[first][0]
    return None


def header_of(data: bytes, layout: Layout, *, name: str) -> list[str]:
    """Return a table's columns. Raises `TableError`."""
    _, header, _ = header_and_rows(data, layout, name)
    return header


def numbered_columns(count: int) -> list[str]:
    """Return the names of the columns in a table without a header row."""
    return [f"column {number}" for number in range(1, count + 1)]


def first_rows(data: bytes, layout: Layout, *, name: str, most: int) -> list[list[str]]:
    """Return the cells of the first rows with values, starting with the header row. Raises `TableError`."""
    below_titles = (row for row in _rows(data, layout, name) if row[0] >= (layout.header or 0))
    return [cells for _, cells in islice(below_titles, most)]


def numbered_rows(data: bytes, layout: Layout, *, name: str) -> list[tuple[int, list[str]]]:
    """Return the first rows with their line numbers, for the choice of the header. Raises `TableError`."""
    return list(islice(_rows(data, layout, name), ROWS_WITH_HEADER))


def guess_columns(header: Sequence[str], expected: Sequence[FileColumn]) -> dict[str, str]:
    """Map columns with unexpected names to the expected columns that they probably correspond to.

    “Sentence 1” matches `sentence1`, for example. A column is matched only if exactly one column fits. A column with an
    expected name is never matched to another one, because an alias never takes precedence over an exact name.
    """
    exact = {name.casefold() for column in expected for name in column.names}
    present = {column.casefold() for column in header} & exact
    similar = {column.name: _similar(header, column, exact) for column in expected}
    guesses: dict[str, str] = {}
    for column in expected:
        read = {*present, *guesses.values()}
        if read.intersection(column.instead_of) or any(name.casefold() in present for name in column.names):
            continue
        if column.together_with and column.together_with not in read and len(similar[column.together_with]) != 1:
            continue
        fitting = [each for each in similar[column.name] if each not in guesses]
        if len(fitting) == 1:
            guesses[fitting[0]] = column.name
    return guesses


def _similar(header: Sequence[str], column: FileColumn, exact: AbstractSet[str]) -> list[str]:
    """Return the columns of the file that have a similar name or an alias, but not the exact name of a column."""
    names = {letters(each) for each in (column.name, *column.aliases)}
    return [each for each in header if letters(each) in names and each.casefold() not in exact]


def header_and_rows(
    data: bytes, layout: Layout, name: str, notes: CellNotes | None = None
) -> tuple[int, list[str], Rows]:
    """Return the line of the header row, the columns, and all rows below. Without a header row, the line is 1."""
    rows = _rows(data, layout, name, notes)
    first = next(rows, None)
    while first and layout.header and first[0] < layout.header:
        first = next(rows, None)
    if first is None:
        return 1, [], rows
    if layout.header == NO_HEADER:
        return 1, numbered_columns(len(first[1])), chain([first], rows)
    if layout.header_rows > 1 and (second := next(rows, None)):
        return second[0], _joined(data, layout, first, second[1], name), rows
    return first[0], _named(first[1]), rows


def _joined(data: bytes, layout: Layout, first: tuple[int, list[str]], below: list[str], name: str) -> list[str]:
    """Return the columns of a header with two rows. A merged cell above several columns names each of them."""
    line, above = first[0], [*first[1], *[""] * (len(below) - len(first[1]))]
    if layout.sheet:
        for place, start in merged_columns(data, layout.sheet, line, name=name).items():
            above[place : place + 1] = [above[start]]
    below = [*below, *[""] * (len(above) - len(below))]
    return _named([f"{group.strip()} {cell.strip()}" for group, cell in zip(above, below, strict=True)])


def _rows(data: bytes, layout: Layout, name: str, notes: CellNotes | None = None) -> Rows:
    if layout.sheet:
        return sheet_rows(data, layout.sheet, name=name, notes=notes)
    data = as_utf8(data, name=name, encoding=layout.encoding)
    if layout.delimiter == JSON_ROWS:
        return _object_rows(data, name)
    if layout.delimiter == WHOLE_LINES:
        return whole_lines(data, name=name)
    return iter_records(data, name=name, delimiter=layout.delimiter)


def _object_rows(data: bytes, name: str) -> Rows:
    """Yield the keys of the first objects as the header row in line 0, and the objects' values as text."""
    first = [(line, json_cells(value)) for line, value in islice(json_objects(data, name, []), OBJECTS_READ)]
    header = list(dict.fromkeys(key for _, cells in first for key in cells))
    yield 0, header
    for line, cells in first:
        yield line, [cells.get(key, "") for key in header]


def _named(cells: Sequence[str]) -> list[str]:
    """Return the header without its trailing empty columns. Other columns without a name get a name that contains their
    number, such as “column 3”.
    """
    header = [cell.strip() for cell in cells]
    while header and not header[-1]:
        header.pop()
    return [column or f"column {number}" for number, column in enumerate(header, start=1)]


def letters(name: str) -> str:
    """Return a column name in lower case without spaces and punctuation, for the comparison of similar names."""
    return "".join(character for character in name.casefold() if character.isalnum())
