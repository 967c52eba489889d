"""Excel workbooks (.xlsx) that Accord writes: one sheet with a row of column names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from io import BytesIO

# A number stays a number, so that a spreadsheet can add it up. A text is never a formula.
Value = str | int | Decimal


def write_workbook(title: str, columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """Return a workbook with one sheet. Texts keep their characters even if they begin with “=”."""
    from openpyxl import Workbook  # a slow import, which only workbooks need
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet(title)
    sheet.freeze_panes = "A2"

    def cell(value: Value) -> WriteOnlyCell:
        if not isinstance(value, str):
            return WriteOnlyCell(sheet, value)
        text = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", value))
        text.data_type = "s"
        return text

    sheet.append([cell(name) for name in columns])
    for row in rows:
        sheet.append([cell(value) for value in row])
    out = BytesIO()
    workbook.save(out)
    return out.getvalue()
