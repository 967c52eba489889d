"""Conversion of tables with any layout to JSON Lines, which all task types can read. Row n of the table is on line n of
the result, so that errors name the line or row of the original file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from accord_core.exchange.encoding import UTF8, as_utf8
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.json_lists import is_json_list
from accord_core.exchange.layout import JSON_ROWS, NO_HEADER, Layout, complete, header_and_rows, header_of
from accord_core.exchange.tables import json_objects, repeats_header
from accord_core.exchange.workbooks import CellNotes, add_formulas

LARGEST = 64 << 20  # bytes of a converted table, or twenty times the size of the file if that is more


def needs_conversion(data: bytes, layout: Layout, *, name: str) -> bool:
    """Return whether the file must be converted before task types can read it."""
    renamed = any(column != name for column, name in layout.columns.items())
    if layout.sheet or renamed or layout.skipped or layout.encoding != UTF8 or layout.header is not None:
        return True
    if layout.header_rows > 1:
        return True
    return layout.delimiter != complete(data, Layout(delimiter=None), name=name).delimiter


@dataclass(frozen=True)
class Converted:
    """A table as JSON Lines. Rows with `faults` are excluded. `warnings` name cells that were read in another form."""

    data: bytes
    faults: list[Fault]
    warnings: list[Fault]


def convert(data: bytes, layout: Layout, *, name: str, most_rows: int | None = None) -> Converted:
    """Return the table as JSON Lines, without the rows that do not match the header.

    Raises `TableError` if the file has no rows or more than `most_rows`, if the layout names a column that the file
    does not have, or if two columns have the same name.
    """
    if layout.delimiter == JSON_ROWS:
        header = header_of(data, layout, name=name)
        _check_columns(header, [layout.columns.get(column, column) for column in header], layout, 1, name)
        return Converted(_renamed_objects(as_utf8(data, name=name, encoding=layout.encoding), layout, name), [], [])
    notes = CellNotes()
    header_line, header, rows = header_and_rows(data, layout, name, notes)
    if not header:
        raise TableError.of_file(name, "the file is empty")
    columns = [layout.columns.get(column, column) for column in header]
    _check_columns(header, columns, layout, header_line, name)
    lines: list[str] = []
    faults: list[Fault] = []
    room = max(LARGEST, 20 * len(data))
    for count, (line, cells) in enumerate(rows, start=1):
        if most_rows is not None and count > most_rows:
            message = f"the file has more than {most_rows:,} rows. Split the file or raise the limit"
            raise TableError(name, [Fault(line, None, message)])
        if line in layout.skipped or (layout.header != NO_HEADER and repeats_header(cells, header)):
            continue
        if any(cells[len(header) :]):
            message = f"the row has {len(cells)} cells for {len(header)} columns"
            if len(header) == 1:
                message += ". If each line is one text, choose “None” as the delimiter"
            faults.append(Fault(line, None, message))
            continue
        padded = [*cells, *[""] * (len(header) - len(cells))]
        values = {column: cell for column, cell in zip(columns, padded, strict=False) if column}
        lines += [""] * (line - 1 - len(lines))
        lines.append(json.dumps(values, ensure_ascii=False))
        room -= len(lines[-1])
        if room < 0:
            raise TableError(name, [Fault(line, None, "the table is too large for its number of columns. Split it")])
    if not lines and not faults:
        raise TableError.of_file(name, "the file has a header but no rows")
    if layout.sheet:
        add_formulas(data, layout.sheet, notes, name=name, after=header_line)
    return Converted("\n".join([*lines, ""]).encode("utf-8", "surrogatepass"), faults, notes.warnings())


def _renamed_objects(data: bytes, layout: Layout, name: str) -> bytes:
    """Return the objects with other keys, each on its own line. Skipped objects and excluded keys are not included."""
    faults: list[Fault] = []
    listed = is_json_list(data)
    written, current = ["[" if listed else ""], 1
    for line, value in json_objects(data, name, faults):
        if line in layout.skipped:
            continue
        renamed = {layout.columns.get(key.strip(), key): cell for key, cell in value.items()}
        text = json.dumps({key: cell for key, cell in renamed.items() if key}, ensure_ascii=False)
        separator = "," if listed and len(written) > 1 else ""
        written.append(separator + "\n" * (line - current) + text)
        current = int(line)
    if faults:
        return data  # the reader reports these errors
    return "".join([*written, "]" if listed else ""]).encode("utf-8", "surrogatepass")


def _check_columns(header: Sequence[str], columns: Sequence[str], layout: Layout, line: int, name: str) -> None:
    unknown = layout.columns.keys() - set(header)
    faults = [Fault(line, column, "the file has no column with this name") for column in sorted(unknown)]
    used: dict[str, str] = {}
    for before, after in zip(header, columns, strict=True):
        if not after:
            continue
        earlier = used.setdefault(after.casefold(), before)
        if earlier != before or header.count(before) > 1:
            faults.append(Fault(line, before, f"the columns “{earlier}” and “{before}” are both read as `{after}`"))
    raise_faults(name, faults)
