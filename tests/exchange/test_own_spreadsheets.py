"""A researcher's own spreadsheet, with or without IDs, a header row or known column names, is read in each format."""

from __future__ import annotations

import csv
import io
import json
import zlib

import openpyxl
import pytest

from annotate import tasktypes
from annotate.data.forms import LayoutForm
from annotate.data.upload_contents import read_contents
from annotate.data.upload_preview import read_preview
from annotate.data.upload_source import Source

ROWS = 40
WORDS = "dog cat bird child woman man farmer doctor teacher pilot".split()
SENTENCES = [f"The {WORDS[n % 10]} saw {n} others near the old bridge." for n in range(ROWS)]
OTHERS = [f"Near a bridge, {n} others met the {WORDS[n % 10]}." for n in range(ROWS)]
GENRES = [["news", "web"][n % 2] for n in range(ROWS)]
SCORES = [f"{n % 5}.5" for n in range(ROWS)]
PHRASES = [WORDS[n % 10] for n in range(ROWS)]
LISTS = [f"animal {n}|thing {n}|person {n}" for n in range(ROWS)]
LAYOUT = "<p>${left}</p><p>${right}</p><input type='radio' name='same' value='yes' required>"

# The task type, the columns of the file, their names, and the names that the task type reads, or None for metadata.
TABLES = {
    "texts": ("bws", [SENTENCES], ["Tweet"], ["text"]),
    "words": ("bws", [[f"{word} {n}" for n, word in enumerate(PHRASES)]], ["item"], ["text"]),
    "texts and numbers": ("bws", [SENTENCES, SCORES], ["comment", "score"], ["text", None]),
    "pairs": ("bws", [SENTENCES, OTHERS], ["premise", "hypothesis"], ["sentence1", "sentence2"]),
    "pairs and a genre": ("bws", [SENTENCES, OTHERS, GENRES], ["a", "b", "genre"], ["sentence1", "sentence2", None]),
    "items that repeat a group": ("bws", [GENRES, SENTENCES], ["pair", "sentence"], [None, "text"]),
    "a list of candidates": (
        "paraphrase",
        [SENTENCES, PHRASES, LISTS],
        ["Satz", "Wort", "Optionen"],
        ["sentence", "phrase", "paraphrases"],
    ),
    "candidates in columns": (
        "paraphrase",
        [PHRASES, SENTENCES, *zip(*(each.split("|") for each in LISTS), strict=True)],
        ["Wort", "Satz", "A", "B", "C"],
        ["phrase", "sentence", "paraphrase 1", "paraphrase 2", "paraphrase 3"],
    ),
    "word pairs": ("words", [SENTENCES, OTHERS], ["English", "German"], ["source", "target"]),
    "word pairs and a genre": ("words", [SENTENCES, OTHERS, GENRES], ["en", "de", "genre"], ["source", "target", None]),
    "a half-known name": ("words", [SENTENCES, OTHERS], ["original", "translation"], ["source", "target"]),
    "chunk pairs": ("chunks", [SENTENCES, OTHERS], ["text_a", "text_b"], ["source", "target"]),
    "a batch": ("layout", [SENTENCES, OTHERS], ["left", "right"], ["left", "right"]),
}  # fmt: skip
FORMATS = ["csv", "semicolons.csv", "tsv", "xlsx", "jsonl", "json"]


def file_of(columns, names, kind):
    table = [*([names] if names else []), *zip(*columns, strict=True)]
    if kind == "xlsx":
        book, data = openpyxl.Workbook(), io.BytesIO()
        for row in table:
            book.active.append(row)
        book.save(data)
        return data.getvalue()
    if kind.startswith("json"):
        rows = [json.dumps(dict(zip(names, row, strict=True))) for row in table[1:]]
        return ("\n".join(rows) if kind == "jsonl" else f"[{', '.join(rows)}]").encode()
    text = io.StringIO()
    csv.writer(text, delimiter={"csv": ",", "tsv": "\t"}.get(kind, ";")).writerows(table)
    return text.getvalue().encode()


def source_of(slug, data, kind="csv"):
    task = tasktypes.get(slug)
    return Source(
        task=task,
        content=zlib.compress(data),
        filename=f"mine.{kind}",
        options=task.clean_options({"layout": LAYOUT} if slug == "layout" else {}),
        items=None,
        limits={"rows": 1_000, "bytes": 1_000_000, "cell": 2_000},
    )


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_an_item_with_a_number(table, kind):
    slug, columns, names, _ = TABLES[table]
    contents = read_contents(source_of(slug, file_of(columns, names, kind), kind))
    assert contents.faults == []
    assert [item.key.rpartition("-")[2] for item in contents.items] == [str(n) for n in range(1, ROWS + 1)]
    assert all(item.numbered for item in contents.items)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["csv", "semicolons.csv", "tsv", "xlsx"])
@pytest.mark.parametrize("table", TABLES)
def test_the_first_row_is_not_lost_without_a_header(table, kind):
    slug, columns, names, _ = TABLES[table]
    with_names, without = (
        read_contents(source_of(slug, file_of(columns, header, kind), kind)) for header in (names, None)
    )
    assert without.faults == []
    assert [item.content for item in without.items] == [item.content for item in with_names.items]


def test_a_lettered_column_with_few_candidates_loses_none():
    names = ["Satz", "Phrase", "Option A", "Option B", "Option C", "Note"]
    table = [[f"We had to leave word{n} early.", f"word{n}", f"go{n}", f"part{n}", "", ""] for n in range(10)]
    table[3][4] = "say goodbye"
    table[7][5] = "check this"
    source = source_of("paraphrase", ("\n".join(",".join(row) for row in [names, *table])).encode())
    assert read_preview(source).layout.columns["Option C"] == "paraphrase 3"
    items = read_contents(source).items
    assert [len(item.content["paraphrases"]) for item in items] == [2, 2, 2, 3, 2, 2, 2, 2, 2, 2]
    assert items[7].metadata["Note"] == "check this"


def test_a_column_with_single_candidates_is_not_called_metadata():
    slug, columns, names, _ = TABLES["candidates in columns"]
    preview = read_preview(source_of(slug, file_of(columns, names, "csv")))
    task = tasktypes.get(slug)
    form = LayoutForm(layout=preview.layout, header=names, sheets=[], expected=task.file_columns({}, of_items=True))
    assert form.fields["column_2"].choices[-1] == ("paraphrase 1", "paraphrase 1")


@pytest.mark.parametrize("table", TABLES)
def test_the_preview_shows_the_roles_of_the_columns(table):
    slug, columns, names, roles = TABLES[table]
    layout = read_preview(source_of(slug, file_of(columns, names, "csv"))).layout
    expected = {name: role for name, role in zip(names, roles, strict=True) if role and role != name}
    assert layout.columns == expected


@pytest.mark.parametrize(
    ("slug", "text", "reading", "rows"),
    [
        ("bws", "adjective\nhappy\nsad\nglad\nangry\n", "unclear", 5),
        ("bws", "adjective;score\nhappy;1\nsad;2\nglad;3\nangry;4\n", "names", 4),
        ("bws", "bright;3\nhappy;1\nsad;2\nglad;3\nangry;4\n", "data", 5),
        ("words", "en\tde\na cat\teine Katze\na dog\tein Hund\n", "unclear", 3),
        ("words", "en\tde\na cat sleeps here\tb c\na dog sleeps here\td\n", "names", 2),
        ("layout", "https://a.example/1.png,one\nhttps://a.example/2.png,two\n", "data", 2),
        ("layout", "image,caption\nhttps://a.example/2.png,two\n", "names", 1),
    ],
)
def test_the_appearance_of_the_first_row(slug, text, reading, rows):
    preview = read_preview(source_of(slug, text.encode()))
    assert (preview.first_row, preview.rows) == (reading, rows)


def test_a_mostly_unique_column_contains_ids_although_one_repeats():
    rows = [[str(n) for n in range(1, ROWS)] + ["1"], SENTENCES]
    contents = read_contents(source_of("bws", file_of(rows, ["Nr", "text"], "csv")))
    assert [(fault.line, fault.column) for fault in contents.faults] == [(ROWS + 1, "id")]


def test_lists_and_objects_in_json_do_not_change():
    rows = [
        {"en": ["a", "cat"], "de": ["eine", "Katze"], "prealignment": {"sure": [[0, 0]], "possible": []}, "n": 1}
    ] * 2
    data = "\n".join(map(json.dumps, rows)).encode()
    item = read_contents(source_of("words", data, "jsonl")).items[0]
    assert item.content == {
        "source": ["a", "cat"],
        "target": ["eine", "Katze"],
        "prealignment": {"sure": [[0, 0]], "possible": []},
    }
