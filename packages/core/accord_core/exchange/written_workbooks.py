"""Excel workbooks (.xlsx) that Accord writes: one sheet with a row of column names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from io import BytesIO
from typing import Any

from accord_core.exchange.extras import import_extra

# A number stays a number, so that a spreadsheet can add it up. A text is never a formula.
Value = str | int | Decimal


def write_workbook(title: str, columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """Return a workbook with one sheet. Texts keep their characters even if they begin with “=”."""
    openpyxl = import_extra("openpyxl", "Writing a workbook")  # a slow import, which only workbooks need
    cells = openpyxl.cell.cell
    workbook = openpyxl.Workbook(write_only=True)
    sheet = workbook.create_sheet(title)
    sheet.freeze_panes = "A2"

    def cell(value: Value) -> Any:
        if not isinstance(value, str):
            return cells.WriteOnlyCell(sheet, value)
        text = cells.WriteOnlyCell(sheet, cells.ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", value))
        text.data_type = "s"
        return text

    sheet.append([cell(name) for name in columns])
    for row in rows:
        sheet.append([cell(value) for value in row])
    out = BytesIO()
    workbook.save(out)
    return out.getvalue()
