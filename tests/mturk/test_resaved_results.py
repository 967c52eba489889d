"""Results files that spreadsheets and statistics programs have saved again."""

import csv
import io
from collections.abc import Callable
from datetime import datetime

import pytest

from annotate.core.permissions import SYSTEM
from annotate.mturk.services.result_imports import import_stored, receive_results, store_preview, undo_import
from tests.factories import make_study
from tests.mturk.imported_results import text_of
from tests.mturk.turk import altered, result

pytestmark = pytest.mark.django_db
TIMES = ("CreationTime", "Expiration", "AcceptTime", "SubmitTime", "ApprovalTime")
Cells = list[list[str]]


def written(rows: Cells, delimiter: str = ",", end: str = "\r\n", quoting: int = csv.QUOTE_MINIMAL) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return buffer.getvalue()


def with_times(rows: Cells, form: str) -> Cells:
    header, places = rows[0], {rows[0].index(name) for name in TIMES}

    def cell(place: int, text: str) -> str:
        return (
            datetime.strptime(text.replace("UTC", "+0000"), "%a %b %d %H:%M:%S %z %Y").strftime(form)
            if place in places and text
            else text
        )

    return [header, *([cell(place, text) for place, text in enumerate(row)] for row in rows[1:])]


def with_blanks(rows: Cells, blank: str) -> Cells:
    """Fill empty cells, as R does."""
    return [[cell or blank for cell in row] for row in rows]


def with_numbers(rows: Cells) -> Cells:
    return [["", *rows[0]], *([str(number), *row] for number, row in enumerate(rows[1:]))]


def with_floats(rows: Cells) -> Cells:
    place = rows[0].index("WorkTimeInSeconds")
    return [rows[0], *([*row[:place], f"{row[place]}.0", *row[place + 1 :]] for row in rows[1:])]


def with_spaces(rows: Cells) -> str:
    """Return the table as R's write.table writes it by default."""
    numbered = [rows[0], *([str(number), *row] for number, row in enumerate(rows[1:], start=1))]
    return "".join(" ".join('"' + cell.replace('"', '\\"') + '"' for cell in row) + "\n" for row in numbered)


RESAVED: dict[str, Callable[[Cells], bytes]] = {
    "Excel, German": lambda rows: written(rows, ";").encode("windows-1252"),
    "Excel, CSV UTF-8": lambda rows: written(rows, ";").encode("utf-8-sig"),
    "Excel, Unicode text": lambda rows: written(rows, "\t").encode("utf-16"),
    "Excel for Mac": lambda rows: written(rows, ";", end="\r").encode("mac-roman"),
    "Excel, separator named": lambda rows: ("sep=;\r\n" + written(rows, ";")).encode("utf-8-sig"),
    "Excel, empty rows and columns": lambda rows: written(
        [*([*row, "", ""] for row in rows), *[[""] * (len(rows[0]) + 2)] * 2], ";"
    ).encode(),
    "LibreOffice, all quoted": lambda rows: written(rows, quoting=csv.QUOTE_ALL, end="\n").encode(),
    "pandas, with index": lambda rows: written(with_numbers(rows), end="\n").encode(),
    "pandas, times": lambda rows: written(with_times(rows, "%Y-%m-%d %H:%M:%S+00:00"), end="\n").encode(),
    "pandas, floats": lambda rows: written(with_floats(rows), end="\n").encode(),
    "R": lambda rows: written(with_blanks(rows, "NA"), end="\n").encode(),
    "R, row names": lambda rows: written(with_numbers(with_blanks(rows, "NA")), end="\n").encode(),
    "R, spaces": lambda rows: with_spaces(rows).encode(),
    "R, times": lambda rows: written(with_times(rows, "%Y-%m-%dT%H:%M:%SZ"), end="\n").encode(),
}


@pytest.mark.nightly
@pytest.mark.parametrize("program", RESAVED)
def test_a_resaved_file_has_the_effects_of_the_original(program: str) -> None:
    study = make_study(items=10, gold=4)

    def dispute(answers):
        answers[0] |= {"feedback": "disputed", "note": "Größe, déjà vu; “quoted”"}

    file = [
        result(study, 1, "W1", work_time_in_seconds=31),
        altered(result(study, 2, "W1", right=False, work_time_in_seconds=40), dispute),
        result(study, 1, "W2", work_time_in_seconds=90),
    ]
    original = text_of(*file)
    resaved = RESAVED[program](list(csv.reader(io.StringIO(original))))

    def receive(data: bytes):
        return receive_results(study, filename="Batch_1.csv", data=data, user=SYSTEM)

    expected = store_preview(receive(original.encode()).pk, user=SYSTEM)
    assert store_preview(receive(resaved).pk, user=SYSTEM) == expected
    first = receive(original.encode())
    import_stored(first.pk, user=SYSTEM)
    again = store_preview(receive(resaved).pk, user=SYSTEM)
    assert (again.counts.known, again.counts.changed) == (3, 0)
    assert undo_import(first.pk, user=SYSTEM) == 3
