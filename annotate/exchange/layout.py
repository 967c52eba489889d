"""Table layouts, and functions that convert tables with any layout to JSON Lines.

Task types read UTF-8 files with their own column names. Researchers also have Excel workbooks, files in other
encodings, and columns with other names. `detect` finds the layout of such a file, and `convert` returns the same table
as JSON Lines. Row n of the table is on line n of the result, so that errors name the line or row of the original file.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from annotate.exchange.csvtext import iter_records, sniff_delimiter, whole_lines, write_csv
from annotate.exchange.encoding import UTF16_MARKS
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.workbooks import is_workbook, sheet_names, sheet_rows

ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "windows-1252": "Windows-1252 (Western European)",
    "windows-1250": "Windows-1250 (Central European)",
    "windows-1251": "Windows-1251 (Cyrillic)",
    "windows-1254": "Windows-1254 (Turkish)",
    "mac-roman": "Mac OS Roman",
    "gb18030": "GB 18030 (Chinese)",
    "shift_jis": "Shift JIS (Japanese)",
    "euc-kr": "EUC-KR (Korean)",
}
WHOLE_LINES = ""  # the delimiter of a list with one text per line
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", WHOLE_LINES: "none"}
LEAVE_OUT = ""
NO_HEADER = 0
LARGEST = 64 << 20  # bytes of a converted table, or twenty times the size of the file if that is more
Rows = Iterator[tuple[int, list[str]]]


@dataclass(frozen=True)
class FileColumn:
    """A column that a task type reads.

    `aliases` contains other names that researchers use for the column, and `also` other names that the task type reads.
    Columns with an `example` are in the template file. An alias counts only if the file has none of the columns in
    `instead_of`, and if it also has the column `together_with`. For example, a file of texts with a column `source` has
    no sentence pairs.
    """

    name: str
    required: bool = False
    aliases: Sequence[str] = ()
    also: Sequence[str] = ()
    example: str = ""
    instead_of: Sequence[str] = ()
    together_with: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the task type reads."""
        return (self.name, *self.also)


@dataclass(frozen=True)
class Layout:
    """The settings that determine how a table is read.

    A workbook has a sheet, and a text file has an encoding and a delimiter. `columns` maps columns of the file to the
    names that the task type reads, or to an empty text to exclude the column. All other columns keep their names.
    `skipped` contains the line numbers of the rows that are skipped. `header` is the line of the header row: None for
    the first row with values, or `NO_HEADER` if the first row contains data. In this case, columns have names such as
    “column 1”.
    """

    sheet: str = ""
    encoding: str = "utf-8"
    delimiter: str = ","
    columns: Mapping[str, str] = field(default_factory=dict)
    skipped: AbstractSet[int] = frozenset()
    header: int | None = None


def as_json(layout: Layout) -> dict[str, Any]:
    """Convert a layout to JSON data."""
    return {**vars(layout), "columns": dict(layout.columns), "skipped": sorted(layout.skipped)}


def from_json(stored: Mapping[str, Any]) -> Layout:
    """Convert JSON data from `as_json` back to a layout."""
    return Layout(**{**stored, "skipped": frozenset(stored["skipped"])})


def template(columns: Sequence[FileColumn]) -> str:
    """Return a CSV file with a header and one example row."""
    shown = [column for column in columns if column.example]
    return "".join(write_csv([[column.example for column in shown]], [column.name for column in shown]))


def is_table(data: bytes) -> bool:
    """Return whether the file is an Excel workbook or delimited text, rather than JSON, XML or another format."""
    if data.startswith(b"PK\x03\x04"):
        return is_workbook(data)
    start = data[:1000].removeprefix(codecs.BOM_UTF8).lstrip()
    return bool(start) and start[:1] not in (b"{", b"[", b"<") and (data.startswith(UTF16_MARKS) or b"\0" not in data)


def detect(data: bytes, *, name: str) -> Layout:
    """Return a table's layout, which is the first sheet of a workbook, or the encoding and delimiter of a text file.

    A text that is not in UTF-8 or UTF-16 is assumed to be in Windows-1252, which Excel writes in Western Europe.
    Raises `TableError` if a workbook cannot be read.
    """
    if is_workbook(data):
        return Layout(sheet=sheet_names(data, name=name)[0])
    encoding = _encoding_of(data)
    first_line = data[:100_000].decode(encoding, "replace").partition("\n")[0]
    return Layout(encoding=encoding, delimiter=sniff_delimiter(first_line))


def header_of(data: bytes, layout: Layout, *, name: str) -> list[str]:
    """Return a table's columns. Raises `TableError`."""
    _, header, _ = _header_and_rows(data, layout, name)
    return header


def numbered_columns(count: int) -> list[str]:
    """Return the names of the columns in a table without a header row."""
    return [f"column {number}" for number in range(1, count + 1)]


def first_rows(data: bytes, layout: Layout, *, name: str, most: int) -> list[list[str]]:
    """Return the cells of the first rows with values, starting with the header row. Raises `TableError`."""
    return [cells for _, cells in islice(_rows(data, layout, name), most)]


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


def needs_conversion(data: bytes, layout: Layout, *, name: str) -> bool:
    """Return whether the file must be converted before task types can read it."""
    renamed = any(column != name for column, name in layout.columns.items())
    if layout.sheet or renamed or layout.skipped or layout.encoding != "utf-8" or layout.header is not None:
        return True
    return layout.delimiter != detect(data, name=name).delimiter


def convert(data: bytes, layout: Layout, *, name: str) -> tuple[bytes, list[Fault]]:
    """Return the table as JSON Lines, and the errors in rows that do not match the header. Rows that contain errors are
    skipped.

    Raises `TableError` if the file has no rows, if the layout names a column that the file does not have, or if two
    columns have the same name.
    """
    line, header, rows = _header_and_rows(data, layout, name)
    if not header:
        raise TableError(name, [Fault(None, None, "the file is empty")])
    columns = [layout.columns.get(column, column) for column in header]
    _check_columns(header, columns, layout, line, name)
    lines: list[str] = []
    faults: list[Fault] = []
    room = max(LARGEST, 20 * len(data))
    for line, cells in rows:
        if line in layout.skipped:
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
        raise TableError(name, [Fault(None, None, "the file has a header but no rows")])
    return "\n".join([*lines, ""]).encode("utf-8", "surrogatepass"), faults


def _encoding_of(data: bytes) -> str:
    if data.startswith(UTF16_MARKS):
        return "utf-16"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def _header_and_rows(data: bytes, layout: Layout, name: str) -> tuple[int, list[str], Rows]:
    """Return the line of the header row, the columns, and all rows below. Without a header row, the line is 1."""
    rows = _rows(data, layout, name)
    first = next(rows, None)
    while first and layout.header and first[0] < layout.header:
        first = next(rows, None)
    if first is None:
        return 1, [], rows
    if layout.header == NO_HEADER:
        return 1, numbered_columns(len(first[1])), chain([first], rows)
    return first[0], _named(first[1]), rows


def _rows(data: bytes, layout: Layout, name: str) -> Rows:
    if layout.sheet:
        return sheet_rows(data, layout.sheet, name=name)
    if layout.encoding != "utf-8":
        try:
            data = data.decode(layout.encoding).encode()
        except UnicodeDecodeError as error:
            label = ENCODINGS.get(layout.encoding, layout.encoding)
            message = f"byte {error.start + 1} is not valid in the encoding {label}. Choose another encoding"
            raise TableError(name, [Fault(None, None, message)]) from error
    if layout.delimiter == WHOLE_LINES:
        return whole_lines(data, name=name)
    return iter_records(data, name=name, delimiter=layout.delimiter)


def _named(cells: Sequence[str]) -> list[str]:
    """Return the header without its trailing empty columns. Other columns without a name get a name that contains their
    number, such as “column 3”.
    """
    header = [cell.strip() for cell in cells]
    while header and not header[-1]:
        header.pop()
    return [column or f"column {number}" for number, column in enumerate(header, start=1)]


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
    if faults:
        raise TableError(name, faults)


def letters(name: str) -> str:
    """Return a column name in lower case without spaces and punctuation, for the comparison of similar names."""
    return "".join(character for character in name.casefold() if character.isalnum())
