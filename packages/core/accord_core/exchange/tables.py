"""Tables in CSV, JSON Lines or JSON files. Each error is reported with its line and column.

    table = read_table(data, name="items.csv", limits=Limits(rows=1_000_000, bytes=200 << 20, cell=20_000))
    for row in table.rows:
        row.line, row.values["id"]

All values are text. In JSON, null becomes an empty cell, and other values that are not text become JSON. See
`csvtext` for CSV files.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.csvtext import iter_records
from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, TableError, in_order, raise_faults
from accord_core.exchange.json_lists import is_json_list, objects, one_object
from accord_core.exchange.json_numbers import finite_number, refuse_constant
from accord_core.numerics.printed import with_noun

__all__ = [
    "Fault",
    "Limits",
    "Row",
    "Table",
    "TableError",
    "TableStream",
    "find_column",
    "iter_rows",
    "iter_table",
    "read_table",
    "refuse_spaces",
    "table_of",
]

_MARKUP = (b"<!doctype html", b"<html", b"<table", b"<?xml")
_EXAMPLE = '{"id": "1", "text": "…"}'


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for a file. None means no limit. `cell` is the maximum number of characters in a cell (at most CELL_LIMIT
    in CSV files).
    """

    rows: int | None = None
    bytes: int | None = None
    cell: int | None = None


class Row(NamedTuple):
    """One row of a table, with its first line and its cells by column."""

    line: int
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A complete table that has no formatting errors."""

    name: str
    columns: list[str]
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class TableStream:
    """A table whose rows are read during iteration. In JSON Lines files, each row can add columns to `columns`."""

    name: str
    columns: list[str]
    rows: Iterator[Row]


def read_table(data: bytes, *, name: str, limits: Limits) -> Table:
    """Read a complete CSV or JSON Lines file. Raises a `TableError` that contains all formatting errors."""
    stream = iter_table(data, name=name, limits=limits)
    rows = list(stream.rows)
    return Table(name, stream.columns, rows)


def iter_table(data: bytes, *, name: str, limits: Limits) -> TableStream:
    """Read a CSV file, JSON Lines or a JSON list of objects row by row, so that large files need little memory.

    A missing name in the header is raised immediately. Repeated names and errors in rows are raised together after the
    last row, so callers must not store rows permanently before the iteration ends.
    """
    if limits.bytes is not None and len(data) > limits.bytes:
        sizes = f"{len(data):,} bytes, more than the limit of {limits.bytes:,}"
        raise TableError.of_file(name, f"the file has {sizes}. Split the file or raise the limit")
    data = as_utf8(data, name=name)
    if data[:100].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_MARKUP):
        raise TableError.of_file(
            name, "the file is HTML or XML, which some programs save as .xls. Save it as .xlsx or CSV in a spreadsheet"
        )
    if is_json_list(data) or _is_json(data):
        columns: list[str] = []
        faults: list[Fault] = []
        rows = json_objects(data, name, faults)
        return TableStream(name, columns, _json_rows(rows, name, limits, columns, faults))
    return table_of(iter_records(data, name=name), name=name, limits=limits)


def json_objects(data: bytes, name: str, faults: list[Fault]) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the line and the object of each row in JSON Lines or in a JSON list. Errors are added to `faults`. Raises
    `TableError` if the file consists of another object or list.
    """
    if is_json_list(data):
        return objects(data, name, faults, of="rows", example=_EXAMPLE)
    return _json_lines(data, name, faults)


def json_cells(value: dict[str, object]) -> dict[str, str]:
    """Return an object's values as text."""
    return {column: cell if isinstance(cell, str) else _json_text(cell) for column, cell in value.items()}


def table_of(records: Iterator[tuple[int, list[str]]], *, name: str, limits: Limits) -> TableStream:
    """Return a table of CSV records, the first of which is the header. Errors are raised as in `iter_table`."""
    first = next(records, None)
    if first is None:
        raise TableError.of_file(name, "the file is empty")
    line, header = first
    # R and pandas write the number of each row in a first column without a name.
    has_numbers = len(header) > 2 and not header[0].strip()
    columns, repeated = _checked_header((line, header[has_numbers:]), name)
    if has_numbers:
        records = _without_numbers(records, line, name)
    return TableStream(name, columns, _csv_rows(records, name, limits, columns, repeated))


def _without_numbers(
    records: Iterator[tuple[int, list[str]]], header: int, name: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the records without their first cells, which must be whole numbers. Raises TableError otherwise."""
    for line, cells in records:
        if not cells[0].strip().isdecimal():
            raise TableError(name, [Fault(header, "1", "the header has no name for this column")])
        yield line, cells[1:]


def iter_rows(table: Table | TableStream, faults: list[Fault]) -> Iterator[Row]:
    """Yield the rows that have no formatting errors. After the last row, add the formatting errors to `faults` instead
    of raising an error.

    A reader that checks the rows itself can therefore report both kinds of errors together.
    """
    try:
        yield from table.rows
    except TableError as error:
        faults += error.faults


def refuse_spaces(header: Sequence[str], expected: Iterable[str], *, name: str, line: int = 1) -> None:
    """Raise TableError if spaces separate the column names. They do if the first and at least one other name are
    expected.
    """
    names = {each.casefold() for each in expected}
    words = header[0].casefold().split() if len(header) == 1 else []
    if words and words[0] in names and len(names.intersection(words)) > 1:
        message = (
            f"spaces separate the columns {shorten(header[0].strip())}, but texts also contain spaces. Separate the "
            "columns with commas or tabs. In R, use write.csv"
        )
        raise TableError(name, [Fault(line, None, message)])


def find_column(columns: Sequence[str], name: str) -> str | None:
    """Return the file's spelling of the column `name` (ignoring case), or None if the file has no such column."""
    return next((column for column in columns if column.casefold() == name.casefold()), None)


def _is_json(data: bytes) -> bool:
    return data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _checked_header(record: tuple[int, list[str]], name: str) -> tuple[list[str], list[Fault]]:
    """Return the column names and an error for each repeated name. Raises `TableError` if a name is missing."""
    line, header = record
    columns = [column.strip() for column in header]
    while len(columns) > 1 and not columns[-1]:  # a delimiter at the end of each line
        columns.pop()
    unnamed, repeated = [], []
    first: dict[str, int] = {}
    for number, column in enumerate(columns, start=1):
        if not column:
            unnamed.append(Fault(line, str(number), "the header has no name for this column"))
            continue
        earlier = first.setdefault(column.casefold(), number)
        if earlier != number:
            repeated.append(Fault(line, column, f"columns {earlier} and {number} have the same name"))
    if unnamed:
        raise TableError(name, in_order([*unnamed, *repeated]))
    return columns, repeated


def _csv_rows(
    records: Iterator[tuple[int, list[str]]], name: str, limits: Limits, columns: list[str], repeated: list[Fault]
) -> Iterator[Row]:
    faults = [*repeated]
    width = len(columns)
    count = 0
    try:
        for line, cells in records:
            if repeats_header(cells, columns):
                continue
            count += 1
            if _too_many(count, limits, line, faults):
                break
            if len(cells) != width and (len(cells) < width or any(cells[width:])):
                faults.append(_ragged(line, cells, columns))
                continue
            if limits.cell is not None and max(map(len, cells)) > limits.cell:
                faults += _long_cells(line, zip(columns, cells, strict=False), limits.cell)
                continue
            yield Row(line, dict(zip(columns, cells, strict=False)))
    except TableError as error:
        faults += error.faults
    if not count and len(faults) == len(repeated):
        faults.append(Fault(None, None, "the file has a header but no rows"))
    raise_faults(name, faults)


def repeats_header(cells: Sequence[str], columns: Sequence[str]) -> bool:
    """Return whether a row contains only the column names, as in files that have been concatenated."""
    if len(columns) < 2 or cells[0].removeprefix("\ufeff").strip() != columns[0]:
        return False
    return [cell.strip() for cell in cells[1 : len(columns)]] == list(columns[1:])


def _ragged(line: int, cells: list[str], columns: list[str]) -> Fault:
    if len(cells) < len(columns):
        column = columns[len(cells)]
        cells_found = with_noun(len(cells), "cell")
        return Fault(line, column, f"the row ends before this column: it has {cells_found} for {len(columns)} columns")
    message = f"the row has {len(cells)} cells for {len(columns)} columns. Quote cells that contain the separator"
    return Fault(line, str(len(columns) + 1), message)


def _json_lines(data: bytes, name: str, faults: list[Fault]) -> Iterator[tuple[int, dict[str, object]]]:
    is_first = True
    for line, text in enumerate(open_text(data, name=name), start=1):
        if not text.strip():
            continue
        try:
            value = json.loads(
                text.rstrip().removesuffix(","),
                object_pairs_hook=_distinct,
                parse_constant=refuse_constant,
                parse_float=finite_number,
            )
        except json.JSONDecodeError as error:
            if is_first and (found := one_object(data.decode("utf-8-sig"))):
                raise TableError.of_file(name, found) from error
            faults.append(Fault(line, None, f"character {error.pos + 1}: not valid JSON ({error.msg})"))
        except RecursionError:
            faults.append(Fault(line, None, "the JSON has too many nested lists or objects"))
        except ValueError as error:
            faults.append(Fault(line, None, str(error)))
        else:
            if isinstance(value, dict):
                yield line, value
            else:
                faults.append(Fault(line, None, f"each line must be one JSON object, such as {_EXAMPLE}"))
        is_first = False


def _json_rows(
    objects: Iterable[tuple[int, dict[str, object]]],
    name: str,
    limits: Limits,
    columns: list[str],
    faults: list[Fault],
) -> Iterator[Row]:
    spellings: dict[str, str] = {}
    for count, (line, value) in enumerate(objects, start=1):
        if _too_many(count, limits, line, faults):
            break
        if count == 1 and len(value) > 1 and all(isinstance(cell, dict | list) for cell in value.values()):
            message = f"the object has a list of values for each column. Write one object per row, such as {_EXAMPLE}"
            faults.append(Fault(line, None, message))
            break
        try:
            values = _checked_cells(value)
        except ValueError as error:
            faults.append(Fault(line, None, str(error)))
            continue
        for column in values:
            if spellings.setdefault(column.casefold(), column) != column:
                message = f"other rows spell this column {spellings[column.casefold()]}"
                faults.append(Fault(line, column, message))
            elif column not in columns:
                columns.append(column)
        if limits.cell is not None and (long := _long_cells(line, values.items(), limits.cell)):
            faults += long
            continue
        yield Row(line, values)
    raise_faults(name, faults)


def _checked_cells(value: dict[str, object]) -> dict[str, str]:
    if not value:
        raise ValueError("the object is empty")
    values = json_cells(value)
    for column, cell in values.items():
        if not column.strip():
            raise ValueError("a key is empty")
        _refuse_unpaired_surrogates(column, cell)
    return values


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("an object has the same key twice")
    return values


def _json_text(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _refuse_unpaired_surrogates(column: str, value: str) -> None:
    try:
        value.encode()
        column.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{column!a} contains half of a surrogate pair, which is not a character") from error


def _too_many(count: int, limits: Limits, line: int, faults: list[Fault]) -> bool:
    if limits.rows is None or count <= limits.rows:
        return False
    faults.append(Fault(line, None, f"the file has more than {limits.rows:,} rows. Split the file or raise the limit"))
    return True


def _long_cells(line: int, cells: Iterable[tuple[str, str]], limit: int) -> list[Fault]:
    return [
        Fault(line, column, f"the cell has {len(cell):,} characters, more than the limit of {limit:,}")
        for column, cell in cells
        if len(cell) > limit
    ]
