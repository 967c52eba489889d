"""Tests of the header and the cells of workbooks: titles, merged cells, warnings and limits."""

from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook

from accord_core.exchange import workbooks
from accord_core.exchange.conversion import convert
from accord_core.exchange.faults import TableError
from accord_core.exchange.layout import detect, header_of


def _workbook(*rows: list[Any], merged: str = "", zeros: str = "") -> bytes:
    workbook = Workbook()
    sheet = workbook.active
    for row in rows:
        sheet.append(row)
    if merged:
        sheet.merge_cells(merged)
    if zeros:
        sheet[zeros].number_format = "000"
    stream = BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def test_a_title_above_the_table_is_not_its_header() -> None:
    data = _workbook(["A study"], [], ["number", "words"], [1, "a"])
    layout = detect(data, name="f.xlsx")
    assert layout.header == 3
    assert header_of(data, layout, name="f.xlsx") == ["number", "words"]


def test_merged_cells_below_the_header_and_leading_zeros_have_warnings() -> None:
    data = _workbook(["id", "text"], [7, "a"], [10**16, "b"], ["c", None], merged="A4:B4", zeros="A2")
    converted = convert(data, detect(data, name="f.xlsx"), name="f.xlsx")
    assert b"007" in converted.data
    text = " ".join(fault.message for fault in converted.warnings)
    assert all(address in text for address in ("A2", "A3", "A4:B4"))


def test_a_formula_without_a_value_has_a_warning() -> None:
    data = _workbook(["id", "text"], [1, "=A2"])
    converted = convert(data, detect(data, name="f.xlsx"), name="f.xlsx")
    assert "B2" in converted.warnings[0].message


def test_sheets_with_too_many_cells_and_dense_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _workbook(["id", "text"], *([number, "a"] for number in range(10)))
    monkeypatch.setattr(workbooks, "MOST_CELLS", 10)
    with pytest.raises(TableError):
        list(workbooks.sheet_rows(data, "Sheet", name="f.xlsx"))
    monkeypatch.setattr(workbooks, "RATIO_FROM", 0)
    monkeypatch.setattr(workbooks, "LARGEST_RATIO", 1)
    with pytest.raises(TableError):
        workbooks.sheet_names(data, name="f.xlsx")
