"""Excel workbooks (.xlsx), with their sheets and the rows of each sheet as text.

A workbook is a zip archive, so its unpacked size is checked before anything is unpacked. Cells with formulas have the
value that Excel stored. Dates have the ISO format, and whole numbers have no decimal point.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from datetime import date, datetime, time
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from annotate.exchange.faults import Fault, TableError

UNPACKED_LIMIT = 200 << 20  # bytes
LAST_ROW = 1_048_576  # in Excel
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
        raise TableError(name, [Fault(None, None, "the workbook has no sheet with cells")])
    return names


def sheet_rows(data: bytes, sheet: str, *, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) for each non-empty row of a sheet. Raises `TableError`."""
    workbook = _workbook(data, name)
    worksheet = next((each for each in workbook.worksheets if each.title == sheet), None)
    if worksheet is None:
        raise TableError(name, [Fault(None, None, f"the workbook has no sheet “{sheet}”")])
    worksheet.reset_dimensions()  # a wrong size in the file would cut off rows
    try:
        for number, values in enumerate(worksheet.iter_rows(values_only=True), start=1):
            if number > LAST_ROW:
                raise TableError(name, [Fault(number, None, f"a sheet has at most {LAST_ROW:,} rows")])
            cells = [_text(value) for value in values]
            if any(cells):
                yield number, cells
    except TableError:
        raise
    except DAMAGED as error:
        raise TableError(name, [Fault(None, None, UNREADABLE)]) from error


def _workbook(data: bytes, name: str) -> Any:
    import openpyxl  # a slow import, which only workbooks need
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        unpacked = unpacked_size(data)
        if unpacked > UNPACKED_LIMIT:
            message = f"the workbook has {unpacked:,} bytes when unpacked, more than the limit of {UNPACKED_LIMIT:,}"
            raise TableError(name, [Fault(None, None, f"{message}. Export the sheet as CSV")])
        return openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
    except TableError:
        raise
    except (*DAMAGED, InvalidFileException) as error:
        raise TableError(name, [Fault(None, None, UNREADABLE)]) from error


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)
