"""Excel workbooks (.xlsx), with their sheets and the rows of each sheet as text.

A workbook is a zip archive, so its unpacked size is checked before anything is unpacked. Cells with formulas have the
value that Excel stored. Dates have the ISO format, and whole numbers have no decimal point. `CellNotes` collects cells
whose text may surprise the researcher.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from accord_core.exchange.extras import import_extra
from accord_core.exchange.faults import Fault, TableError

UNPACKED_LIMIT = 200 << 20  # bytes
LARGEST_RATIO = 100  # of the unpacked to the packed size of a part, as in Apache POI
RATIO_FROM = 1 << 20  # bytes; smaller parts are harmless
LAST_ROW = 1_048_576  # in Excel
LAST_COLUMN = 16_384  # in Excel
MOST_CELLS = 20_000_000  # with the empty cells that pad a row
EXACT = 10**15  # Excel stores 15 digits
BLOCK = 1 << 20  # bytes
READING = "Reading a workbook"
LONGEST_MARK = 1 << 14  # bytes of a formula
_MARKED = re.compile(
    rb"<c\b(?P<cell>[^>]*)>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
    rb'|<mergeCell\s[^>]*ref="(?P<merged>[A-Z]+\d+:[A-Z]+\d+)"'
)
_ADDRESS = re.compile(rb'\br="([A-Z]+\d+)"')
DAMAGED = (
    BadZipFile,
    zlib.error,
    EOFError,
    ParseError,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
)
UNREADABLE = "the file is not a readable Excel workbook. Save it again as .xlsx, or export it as CSV"


def is_workbook(data: bytes) -> bool:
    """Return whether the file is a zip archive that contains an Excel workbook."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with ZipFile(BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except BadZipFile:
        return False


def unpacked_size(data: bytes) -> int:
    """Return the unpacked size of a workbook in bytes, or 0 if the file is not a workbook."""
    if not is_workbook(data):
        return 0
    with ZipFile(BytesIO(data)) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def sheet_names(data: bytes, *, name: str) -> list[str]:
    """Return the names of the sheets that contain cells, in workbook order. Raises `TableError`."""
    names = [sheet.title for sheet in _workbook(data, name).worksheets]  # without sheets that contain only a chart
    if not names:
        raise TableError.of_file(name, "the workbook has no sheet with cells")
    return names


def sheet_rows(
    data: bytes, sheet: str, *, name: str, notes: CellNotes | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) for each non-empty row of a sheet. `notes` receives the cells whose text may differ
    from what Excel shows. Raises `TableError`.
    """
    workbook = _workbook(data, name)
    worksheet = next((each for each in workbook.worksheets if each.title == sheet), None)
    if worksheet is None:
        raise TableError.of_file(name, f"the workbook has no sheet “{sheet}”")
    worksheet.reset_dimensions()  # a wrong size in the file would cut off rows
    notes = CellNotes() if notes is None else notes
    count = 0
    try:
        for number, row in enumerate(worksheet.iter_rows(), start=1):
            count += len(row)
            if number > LAST_ROW or len(row) > LAST_COLUMN or count > MOST_CELLS:
                raise TableError(name, [Fault(number, None, _limit(number, len(row)))])
            cells = [_text(cell, notes) for cell in row]
            if any(cells):
                yield number, cells
    except TableError:
        raise
    except DAMAGED as error:
        raise TableError.of_file(name, UNREADABLE) from error


@dataclass
class CellNotes:
    """The cells of a sheet whose text may differ from what Excel shows, with the first cell of each kind."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, tuple[str, str]] = field(default_factory=dict)  # address and text

    def add(self, kind: str, address: str, text: str = "") -> None:
        """Count a cell."""
        self.counts[kind] += 1
        self.first.setdefault(kind, (address, text))

    def warnings(self) -> list[Fault]:
        """Return one warning for each kind of cell."""
        return [Fault(None, None, self._warning(kind)) for kind in NOTES if kind in self.counts]

    def _warning(self, kind: str) -> str:
        address, text = self.first[kind]
        others = self.counts[kind] - 1
        more = f" The same applies to {others:,} other cell{'s' if others > 1 else ''}." if others else ""
        return NOTES[kind].format(address=address, text=text) + more


NOTES = {
    "no value": "Cell {address} contains a formula without a stored value, so Accord read an empty cell. Open the "
    "workbook in Excel or LibreOffice, and save it again.",
    "zeros": "Cell {address} contains a number that is shown with leading zeros. Accord read {text}, as shown.",
    "rounded": "Cell {address} contains a number with more digits than Excel can store. Accord read {text}, which may "
    "be rounded. Store IDs as text.",
    "date": "Cell {address} contains a date. Accord read {text}. If the cell should contain other text, format the "
    "column as text and enter the text again.",
    "error": "Cell {address} contains the error {text}, which Accord read as text.",
    "merged": "The cells {address} are merged. Accord read the text in the first of these cells and empty cells for "
    "the others.",
}


def add_formulas(data: bytes, sheet: str, notes: CellNotes, *, name: str, after: int) -> None:
    """Add the formulas without a stored value and the merged cells below row `after` to the notes."""
    for kind, address, (_, row, _, _) in _marked_cells(data, sheet, name):
        if row > after:
            notes.add(kind, address)


def merged_columns(data: bytes, sheet: str, row: int, *, name: str) -> dict[int, int]:
    """Return the columns (counted from 0) in `row` that are merged with an earlier column, with that column."""
    merged: dict[int, int] = {}
    for kind, _, (first, top, last, _) in _marked_cells(data, sheet, name):
        if kind == "merged" and top == row:
            merged |= dict.fromkeys(range(first, last), first - 1)
    return merged


def _marked_cells(data: bytes, sheet: str, name: str) -> Iterator[tuple[str, str, tuple[int, int, int, int]]]:
    """Yield the formulas without a value and the merged cells of a sheet, which openpyxl does not report when it reads
    a large sheet row by row. Each has its kind, its address, and its first column, first row, last column and last row,
    counted from 1.
    """
    range_boundaries = import_extra("openpyxl.utils", READING).range_boundaries  # a slow import, as in `_workbook`

    worksheet = next((each for each in _workbook(data, name).worksheets if each.title == sheet), None)
    if worksheet is None:
        return
    try:
        with ZipFile(BytesIO(data)) as archive, archive.open(worksheet._worksheet_path) as xml:
            rest = b""
            while block := xml.read(BLOCK):
                text = rest + block
                end = 0
                for found in _MARKED.finditer(text):
                    end = found.end()
                    if found["merged"]:
                        kind, address = "merged", found["merged"].decode()
                    elif cell := _ADDRESS.search(found["cell"]):
                        kind, address = "no value", cell[1].decode()
                    else:
                        continue
                    yield kind, address, range_boundaries(address)
                rest = text[max(end, len(text) - LONGEST_MARK) :]
    except DAMAGED as error:
        raise TableError.of_file(name, UNREADABLE) from error


def _limit(row: int, columns: int) -> str:
    if row > LAST_ROW:
        return f"a sheet has at most {LAST_ROW:,} rows"
    if columns > LAST_COLUMN:
        return f"a sheet has at most {LAST_COLUMN:,} columns"
    return (
        f"the sheet has more than {MOST_CELLS:,} cells up to this row. Remove empty columns, or export the sheet as CSV"
    )


def _workbook(data: bytes, name: str) -> Any:
    openpyxl = import_extra("openpyxl", READING)  # a slow import, which only workbooks need

    try:
        _refuse_too_large(data, name)
        return openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
    except TableError:
        raise
    except (*DAMAGED, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise TableError.of_file(name, UNREADABLE) from error


def _refuse_too_large(data: bytes, name: str) -> None:
    unpacked = unpacked_size(data)
    if unpacked > UNPACKED_LIMIT:
        message = f"the workbook has {unpacked:,} bytes when unpacked, more than the limit of {UNPACKED_LIMIT:,}"
        raise TableError.of_file(name, f"{message}. Export the sheet as CSV")
    with ZipFile(BytesIO(data)) as archive:
        for entry in archive.infolist():
            if entry.file_size > RATIO_FROM and entry.file_size > LARGEST_RATIO * entry.compress_size:
                raise TableError.of_file(
                    name,
                    f"the part {entry.filename} of the workbook is {entry.file_size // max(entry.compress_size, 1):,} "
                    f"times as large when unpacked, more than the limit of {LARGEST_RATIO}. Export the sheet as CSV",
                )


def _text(cell: Any, notes: CellNotes) -> str:
    value = cell.value
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float() if not isinstance(value, float) or value.is_integer():
            return _whole(cell, int(value), notes)
        case datetime() if value.time() == time():
            text = value.date().isoformat()
        case date() | time():
            text = value.isoformat()
        case str() if cell.data_type == "e":
            notes.add("error", cell.coordinate, value)
            return value
        case _:
            return str(value)
    notes.add("date", cell.coordinate, text)
    return text


def _whole(cell: Any, value: int, notes: CellNotes) -> str:
    """Return a whole number with the leading zeros that Excel shows."""
    text = str(value)
    if abs(value) > EXACT:
        notes.add("rounded", cell.coordinate, text)
    shown = cell.number_format
    if len(shown) > len(text) and not shown.strip("0") and value >= 0:
        text = text.zfill(len(shown))
        notes.add("zeros", cell.coordinate, text)
    return text
