"""Tables in other layouts: Excel workbooks, other encodings, other names of columns, and rows that are skipped."""

import csv
import io
import json
import zipfile
from datetime import date, datetime
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.chart import BarChart

from accord_core.exchange import layout as layouts
from accord_core.exchange import workbooks
from accord_core.exchange.conversion import convert
from accord_core.exchange.faults import TableError
from accord_core.exchange.layout import FileColumn, Layout
from accord_core.exchange.tables import Limits, read_table
from annotate import tasktypes
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import preview, receive, set_layout
from annotate.models import Upload
from annotate.server.refusals import Refused
from annotate.tasktypes import ItemDraft
from tests.factories import UserFactory, make_study

COLUMNS = (
    FileColumn("id", required=True, aliases=("nr",)),
    FileColumn("sentence1", aliases=("s1",)),
    FileColumn("sentence2", aliases=("s2",)),
)


def workbook(*rows: list[Any], sheet: str = "Pairs") -> bytes:
    book = openpyxl.Workbook()
    page = book.active
    page.title = sheet
    for row in rows:
        page.append(row)
    book.create_sheet("Notes").append(["nothing"])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def rows_of(data: bytes, layout: Layout) -> list[tuple[int, dict[str, str]]]:
    converted = convert(data, layout, name="f")
    assert not converted.faults
    return [(row.line, row.values) for row in read_table(converted.data, name="f", limits=Limits()).rows]


def test_a_workbook_becomes_rows_with_their_row_numbers_in_the_sheet() -> None:
    data = workbook(["Nr", "Sentence 1", None], [1.0, "A\nB", None], [None, None, None], ["x", date(2026, 1, 2), None])
    layout = layouts.detect(data, name="f.xlsx")
    assert layout.sheet == "Pairs"
    header = layouts.header_of(data, layout, name="f.xlsx")
    names = layouts.guess_columns(header, COLUMNS)
    assert names == {"Nr": "id", "Sentence 1": "sentence1"}
    assert rows_of(data, Layout(sheet="Pairs", columns=names)) == [
        (2, {"id": "1", "sentence1": "A\nB"}),
        (4, {"id": "x", "sentence1": "2026-01-02"}),
    ]


def test_values_of_cells_are_text() -> None:
    values = [True, 3, 2.5, 1e21, datetime(2026, 1, 2, 3, 4), None, "=A1"]  # noqa: DTZ001 (Excel has no time zones)
    data = workbook(list("abcdefg"), values)
    converted = rows_of(data, Layout(sheet="Pairs"))[0][1]
    assert list(converted.values()) == ["TRUE", "3", "2.5", "1000000000000000000000", "2026-01-02T03:04:00", "", ""]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1252"])
def test_encodings_and_delimiters_are_detected(encoding: str) -> None:
    data = "id;text\r\n1;Café, bitte\r\n".encode(encoding)
    layout = layouts.detect(data, name="f.csv")
    assert (layout.encoding, layout.delimiter) == (encoding.removesuffix("-sig"), ";")
    assert rows_of(data, layout) == [(2, {"id": "1", "text": "Café, bitte"})]


def test_a_wrong_encoding_is_one_fault() -> None:
    with pytest.raises(TableError, match="byte 9 is not valid in the encoding Shift JIS"):
        convert(b"id,text\n\x81,b\n", Layout(encoding="shift_jis"), name="f.csv")


@pytest.mark.parametrize("data", [b'{"id": 1}\n', b"<sentence id=1>", b"[1]", b"", b"PK\x03\x04 no archive", b"a\0b"])
def test_other_formats_are_left_alone(data: bytes) -> None:
    assert not layouts.is_table(data)


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "UNPACKED_LIMIT", 100)
    with pytest.raises(TableError, match="more than the limit of 100"):
        layouts.detect(workbook(["id"]), name="f.xlsx")


def test_a_damaged_workbook_is_one_fault() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("xl/workbook.xml", "<broken")
    with pytest.raises(TableError, match="not a readable Excel workbook"):
        layouts.detect(stream.getvalue(), name="f.xlsx")


def test_a_chart_is_not_a_sheet() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Pairs"
    book.active.append(["id"])
    book.create_chartsheet("Chart", 0).add_chart(BarChart())
    stream = io.BytesIO()
    book.save(stream)
    assert workbooks.sheet_names(stream.getvalue(), name="f.xlsx") == ["Pairs"]


def test_a_sheet_cannot_have_more_rows_than_excel_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "LAST_ROW", 2)
    with pytest.raises(TableError, match="at most 2 rows"):
        list(workbooks.sheet_rows(workbook(["id"], [1], [2]), "Pairs", name="f.xlsx"))


def test_a_table_that_grows_too_much_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord_core.exchange.conversion.LARGEST", 1_000)
    header = ",".join(f"a long name of column {number}" for number in range(100))
    with pytest.raises(TableError, match="too large for its number of columns"):
        convert(f"{header}\n{chr(10).join('x' * 50)}\n".encode(), Layout(), name="f.csv")


def test_columns_must_exist_and_differ() -> None:
    data = b"a,b\n1,2\n"
    for columns, message in (({"c": "id"}, "no column with this name"), ({"a": "id", "b": "ID"}, "are both read as")):
        with pytest.raises(TableError, match=message):
            convert(data, Layout(columns=columns), name="f.csv")


def test_a_name_that_fits_two_columns_is_not_guessed() -> None:
    assert layouts.guess_columns(["S1", "s 1", "S2"], COLUMNS) == {"S2": "sentence2"}
    assert layouts.guess_columns(["sentence1", "S1"], COLUMNS) == {}


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("id,text,source", {}),
        ("id,text,tokens,source", {}),
        ("id,text,source,target", {}),
        ("id,sentence,source", {"sentence": "text"}),
        ("id,sentence1,sentence2,source,word", {}),
        ("id,Source,Target", {"Source": "sentence1", "Target": "sentence2"}),
        ("id,source,S2,word", {"source": "sentence1", "S2": "sentence2"}),
    ],
)
def test_an_alias_never_beats_an_exact_name(header: str, columns: dict[str, str]) -> None:
    expected = tasktypes.get("bws").item_columns
    assert layouts.guess_columns(header.split(","), expected) == columns


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8).filter(
    lambda text: not text.startswith(("'", "\ufeff"))
)


@given(st.lists(st.tuples(CELL, CELL.filter(bool)), min_size=1, max_size=6))
def test_a_converted_table_has_the_cells_and_lines_of_the_original(rows: list[tuple[str, str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *rows])
    data = stream.getvalue().encode()
    original = read_table(data, name="f", limits=Limits())
    assert rows_of(data, Layout()) == [(row.line, row.values) for row in original.rows]


@pytest.fixture
def pairs() -> Any:
    return make_study(items=0, state="draft", user=UserFactory())


ROWS = [
    ["Nr", "Sentence A", "Sentence B", "Comment"],
    *[[number, f"A cat {number}.", f"A dog {number}.", "ok"] for number in range(1, 9)],
    [1, "Twice.", "The same ID.", ""],
    [10, "", "No first sentence.", ""],
]


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_workbook_with_odd_headers_and_bad_rows_is_imported_after_two_choices(pairs: Any) -> None:
    user = pairs.memberships.get().user
    client = Client()
    client.force_login(user)
    file = SimpleUploadedFile("pairs.xlsx", workbook(*ROWS))
    page = client.post(f"/console/{pairs.public_id}/bring/items/", {"file": file}, follow=True)
    upload = pairs.uploads.get(filename="pairs.xlsx")
    assert "2 errors" in page.text
    assert "Skip 2 rows with errors (lines 10, 11)" in page.text
    assert '<option value="sentence1" selected>' in page.text
    chosen = {"sheet": "Pairs", "column_0": "id", "column_1": "sentence1", "column_2": "sentence2", "skip": "on"}
    url = f"/console/{pairs.public_id}/uploads/{upload.public_id}/layout/"
    page = client.post(url, chosen | {"column_3": "leave out"}, follow=True)
    assert "Ready to import 8 items" in page.text
    assert "Accord skips 2 rows of the file" in page.text
    assert "The file has no errors" not in page.text
    assert import_upload(upload.pk, user=user) == 8
    item = pairs.items.first()
    assert (item.key, item.content) == ("1", {"sentence1": "A cat 1.", "sentence2": "A dog 1."})
    assert item.metadata == {}


@pytest.mark.django_db
def test_chosen_names_are_remembered_for_the_next_file(pairs: Any) -> None:
    user = pairs.memberships.get().user
    first = receive(pairs, purpose="items", filename="a.csv", data=b"Key,Left,Right\n1,a,b\n", user=user)
    columns = {"Key": "id", "Left": "sentence1", "Right": "sentence2"}
    set_layout(first.pk, Layout(columns=columns), user=user)
    second = receive(pairs, purpose="items", filename="b.csv", data=b"Key,Left,Right\n2,c,d\n", user=user)
    assert preview(second).layout == Layout(columns=columns)


@pytest.mark.django_db
def test_names_chosen_for_items_are_remembered_for_gold_questions(pairs: Any) -> None:
    user = pairs.memberships.get().user
    items = receive(pairs, purpose="items", filename="a.csv", data=b"Code,Left,Right,Group\n1,a,b,c\n", user=user)
    columns = {"Code": "id", "Left": "sentence1", "Right": "sentence2", "Group": ""}
    set_layout(items.pk, Layout(columns=columns), user=user)
    header = b"Code,Group,Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\n"
    gold = receive(pairs, purpose="gold", filename="g.csv", data=header + b"g,x,1,2,3,4,1,2,\n", user=user)
    layout = preview(gold).layout
    assert layout is not None
    assert layout.columns == {"Code": "id"}


@pytest.mark.django_db
def test_layouts_by_api(pairs: Any) -> None:
    user = pairs.memberships.get().user
    client = Client()
    client.force_login(user)
    upload = receive(pairs, purpose="items", filename="a.csv", data="Key,Left\n1,Café\n".encode("mac-roman"), user=user)
    url = f"/api/v1/studies/{pairs.public_id}/uploads/{upload.public_id}"

    def put(body: Any) -> Any:
        return client.put(url, json.dumps(body), content_type="application/json")

    assert client.get(url).json()["layout"]["encoding"] == "windows-1252"
    changed = put({"encoding": "mac-roman", "columns": {"Key": "id", "Left": "text"}}).json()
    assert changed["layout"]["columns"] == {"Key": "id", "Left": "text"}
    assert put({"encoding": "klingon"}).status_code == 400
    assert put({"encoding": "mac-roman", "columns": {"Missing": "id"}}).json()["faults"][0]["column"] == "Missing"
    other = receive(pairs, purpose="items", filename="a.xml", data=b"<items></items>\n", user=user)
    with pytest.raises(Refused, match="is not a table"):
        set_layout(other.pk, Layout(), user=user)
    Upload.objects.filter(pk=upload.pk).update(revealed_at="2026-01-01T00:00Z")
    assert put({}).json()["code"] == "imported"


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["bws", "paraphrase", "words", "chunks"])
def test_the_template_of_each_kind_can_be_imported(kind: str) -> None:
    task = tasktypes.get(kind)
    options = task.clean_options({})
    study = make_study(items=0, state="draft", user=UserFactory())
    client = Client()
    client.force_login(study.memberships.get().user)
    study.task_type, study.options = kind, options
    study.save()
    limits = {"rows": 10, "bytes": 10_000, "cell": 1000}
    items: list[bytes] = []
    for purpose in ("items", "gold", "practice"):
        reply = client.get(f"/console/{study.public_id}/bring/{purpose}/template.csv")
        assert "attachment" in reply["Content-Disposition"]
        items.append(reply.content)
    read = task.read_items(items[0], "items.csv", options, limits)
    assert [fault for fault in read.faults if "bring at least" not in fault.message] == []
    assert len(read.items) == 1
    keys = {f"item-{number}": ItemDraft(f"item-{number}", {}, {}) for number in range(1, 9)} if kind == "bws" else {}
    gold = task.read_gold(items[1], "gold.csv", options, keys | {item.key: item for item in read.items})
    assert (gold.faults, len(gold.questions)) == ([], 1)
    assert items[2] == items[1]


@pytest.mark.django_db
def test_the_template_of_gold_questions_names_the_own_items_of_the_study() -> None:
    study = make_study(items=6, state="draft", user=UserFactory())
    client = Client()
    client.force_login(study.memberships.get().user)
    template = client.get(f"/console/{study.public_id}/bring/gold/template.csv").content.decode()
    a, b, c, d = study.items.order_by("pk").values_list("key", flat=True)[:4]
    assert f",{a},{b},{c},{d},{a},{d}," in template


@pytest.mark.parametrize(
    ("slug", "header", "column"), [("words", "Sub-corpus", "subcorpus"), ("chunks", "Data set", "dataset")]
)
def test_the_metadata_column_that_the_options_name_is_matched(slug: str, header: str, column: str) -> None:
    assert layouts.guess_columns(["id", header], tasktypes.get(slug).item_columns) == {header: column}
