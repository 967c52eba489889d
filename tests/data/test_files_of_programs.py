"""Item files as spreadsheets, R and pandas write them: read as intended, or refused or marked with the reason."""

import io
import json

import pytest
from openpyxl import Workbook

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.data.services.uploads import preview, receive
from tests.factories import make_study

pytestmark = pytest.mark.django_db
TEXTS = ["Der Bär schläft früh.", "Ein Café öffnet spät.", "Two men play chess.", "Rain fell on the roof."]
ROWS = [["id", "text"], *([f"s{number}", text] for number, text in enumerate(TEXTS, 1))]
PHRASE = "sentence,phrase,paraphrases,domain,start\n"


def csv_of(rows, separator=","):
    return "".join(separator.join(row) + "\r\n" for row in rows)


def workbook(*sheets):
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def shown(task, filename, data):
    study = make_study(task_type=task, options=tasktypes.get(task).clean_options({}), items=0, state="draft")
    data = data if isinstance(data, bytes) else data.encode()
    return preview(receive(study, purpose="items", filename=filename, data=data, user=SYSTEM))


@pytest.mark.parametrize(
    ("filename", "data"),
    [
        ("excel.csv", "sep=;\r\n" + csv_of(ROWS, ";")),
        ("excel.txt", ("sep=\t\r\n" + csv_of(ROWS, "\t")).encode("utf-16")),
        ("pandas.csv", csv_of([["", *ROWS[0]], *([str(n), *row] for n, row in enumerate(ROWS[1:]))])),
        ("r.csv", csv_of([['""', *ROWS[0]], *([f'"{n}"', *row] for n, row in enumerate(ROWS[1:], 1))])),
        ("book.xlsx", workbook([["Please read the second sheet."]], ROWS)),
    ],
)
def test_files_of_other_programs_are_read(filename, data):
    read = shown("bws", filename, data)
    assert not read.faults
    assert [(row["key"], row["content"]["text"]) for row in read.sample] == [tuple(row) for row in ROWS[1:]]
    assert read.columns == ["id", "text"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (json.dumps({"id": {"0": "a", "1": "b"}, "text": {"0": "A", "1": "B"}}), "one object per row"),
        ("<html><table><tr><td>id</td></tr></table></html>", "HTML"),
        (",id,text\nx,s1,A.\n", "no name for this column"),
    ],
)
def test_a_file_in_another_form_is_refused_with_the_reason(data, reason):
    read = shown("bws", "items.csv", data)
    assert reason in str(read.faults[0])


@pytest.mark.parametrize(("row", "word"), [("s9,#NAME?\n", "formula"), ("1.23457E+15,A.\n", "shortened")])
def test_cells_that_a_spreadsheet_damaged_are_named(row, word):
    read = shown("bws", "items.csv", csv_of(ROWS) + row)
    assert [(fault.line, word in fault.message) for fault in read.warnings] == [(6, True)]


@pytest.mark.parametrize(
    ("cell", "start", "candidates", "warned"),
    [
        ('"[\'buy\', ""get one\'s""]"', "12.0", ["buy", "get one's"], False),
        ("buy|get", "12", ["buy", "get"], False),
        ('"buy, get"', "", ["buy, get"], True),
        ("buy; get", "", ["buy", "get"], False),
    ],
)
def test_lists_of_candidates_as_programs_write_them(cell, start, candidates, warned):
    read = shown("paraphrase", "p.csv", f"{PHRASE}They had to purchase two tickets.,purchase,{cell},news,{start}\n")
    assert not read.faults
    assert read.sample[0]["content"]["paraphrases"] == candidates
    assert any("Separate" in fault.message for fault in read.warnings) == warned
