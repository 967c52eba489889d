"""Tests of the data card: its YAML metadata, and the names and types of the tables in a release."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
import yaml

from releases.contents.card import data_card
from releases.contents.croissant import croissant
from releases.contents.json_records import json_records_in
from releases.contents.tables import Column, tables_in
from tests.releases.test_release import ABOUT, made, released  # noqa: F401 (fixtures)

# The release is made in the tables that pytest-django creates only for tests with this mark.
pytestmark = pytest.mark.django_db

FILES = {
    "data/a.csv": b'item,rank,note,count,empty,word\n007,1.5,"a, ""b""",3,,null\n008,,c,4,,NA\n',
    "data/b.tsv": 'id\tsource\tannotators\tshare\n1\tHe said "no\t2\t.5\n2\tÉté\t\t1e-05\n'.encode(),
    "data/none.csv": b"item,,item\n1,2,3\n",
    "data/a.tsv": b"id\tscore\n1\t2\n",
    "data/pairs.wa": b"no table",
}


def card(licence: str = "CC-BY-4.0", *, simulated: bool = False, title: str = "T") -> str:
    return data_card(
        "# Statement\n",
        tables_in(FILES),
        title=title,
        languages=["gd"],
        licence=licence,
        items=1000,
        simulated=simulated,
        notes={"data/a.csv": "scores"},
    )


def metadata(text: str) -> dict[str, Any]:
    empty, header, _ = text.split("---\n", 2)
    assert empty == ""
    return dict(yaml.safe_load(header))


def test_identifiers_and_words_are_text_and_numbers_are_numbers() -> None:
    tables = {table.name: table for table in tables_in(FILES)}
    assert list(tables) == ["a", "b", "a-tsv"]
    assert tables["a"].columns == [
        *(Column("item", "text"), Column("rank", "number"), Column("note", "text"), Column("count", "integer")),
        *(Column("empty", "text"), Column("word", "text")),
    ]
    # “.5” is not written as Accord writes numbers, so the column is text.
    assert [column.kind for column in tables["b"].columns] == ["text", "text", "number", "text"]


def test_the_metadata_states_how_each_table_is_read() -> None:
    facts = metadata(card(title='A: "title"\n---\n# no'))
    assert facts["pretty_name"] == 'A: "title"\n---\n# no'
    assert (facts["language"], facts["license"], facts["size_categories"]) == (["gd"], "cc-by-4.0", ["1K<n<10K"])
    assert "annotations_creators" not in facts
    first, second, third = facts["configs"]
    assert (first["config_name"], first["default"], first["sep"]) == ("a", True, ",")
    assert (second["data_files"], second["sep"], second["quoting"]) == (
        [{"split": "full", "path": "data/b.tsv"}],
        "\t",
        csv.QUOTE_NONE,
    )
    assert "default" not in third
    assert {each["name"]: each["dtype"] for each in first["features"]}["item"] == "string"
    assert (first["keep_default_na"], first["na_values"]) == (False, [""])


def test_other_licences_are_stated_by_name_and_simulated_annotators_are_machines() -> None:
    facts = metadata(card("Terms of the archive", simulated=True))
    assert (facts["license"], facts["license_name"]) == ("other", "Terms of the archive")
    assert facts["annotations_creators"] == ["machine-generated"]


def test_the_card_lists_files_and_explains_how_to_load_them() -> None:
    text = card()
    assert "- `data/a.csv`: scores" in text
    assert 'load_dataset("path/of/this/folder", "a", split="full")' in text
    assert "# Statement" in text


@pytest.mark.nightly
def test_every_table_of_a_release_parses_as_its_card_states(released: Any) -> None:  # noqa: F811
    text = released.files["README.md"].decode()
    facts = metadata(text)
    assert facts["annotations_creators"] == ["machine-generated"]
    assert [config["config_name"] for config in facts["configs"]] == ["scores", "scores-full", "folds", "annotations"]
    readers = {"string": str, "int64": int, "float64": float}
    for config in facts["configs"]:
        data = released.files[config["data_files"][0]["path"]].decode()
        header, *rows = csv.reader(io.StringIO(data), delimiter=config["sep"])
        assert [feature["name"] for feature in config["features"]] == header
        for row in rows:
            for cell, feature in zip(row, config["features"], strict=True):
                assert cell == "" or readers[feature["dtype"]](cell) is not None
    listed = set(released.files) - {"README.md", "index.html", "release.json", "croissant.json", "SHA256SUMS"}
    assert {path for path in listed if f"- `{path}`: " not in text} == set()
    assert ABOUT.licence in text


def croissant_of(files: dict[str, bytes], *, url: str = "https://example.org/") -> dict[str, Any]:
    return croissant(
        files,
        {},
        tables_in(files),
        title="T",
        description="D",
        version="1",
        licence="CC0-1.0",
        creators="",
        citation="",
        url=url,
        published=ABOUT.published,
    )


def test_a_release_without_a_url_states_none() -> None:
    assert "url" not in croissant_of(FILES, url="")


def test_croissant_fields_have_the_types_of_their_columns() -> None:
    described = croissant_of(FILES)
    fields = {field["@id"]: field["dataType"] for each in described["recordSet"] for field in each["field"]}
    assert (fields["a/item"], fields["a/rank"], fields["a/count"]) == ("sc:Text", "sc:Float", "sc:Integer")
    assert [each["@id"] for each in described["distribution"]] == list(FILES)


def test_json_files_become_record_sets_of_the_values_that_all_records_have() -> None:
    records = [
        {"id": "007", "given_at": "2026-11-21T10:00:00+00:00", "value": {"best": 1, "links": [[0, 1]]}, "tags": ["a"]},
        {"id": "8", "given_at": "2026-11-21T10:00:01+00:00", "value": {"best": 2.5, "links": []}, "tags": [], "x": 1},
    ]
    files = {
        "data/a.jsonl": "".join(json.dumps(each) + "\n" for each in records).encode(),
        "data/b.json": json.dumps([{"ok": True, "n": None}, {"ok": False, "n": 3}]).encode(),
        "raw/study.json": b'{"title": "T", "size of": 3}',
        "raw/hits.jsonl": b'["q1", "q2"]\n',
        "raw/decisions.jsonl": b"",
        "data/a.csv": b"id\n1\n",
    }
    found = {each.name: each for each in json_records_in(files, ["a"])}
    assert {name: (each.layout, each.complete) for name, each in found.items()} == {
        "a-jsonl": ("lines", False),
        "b": ("list", True),
        "raw-study": ("object", False),
    }
    assert [(field.name, field.kind, field.repeated) for field in found["a-jsonl"].fields] == [
        ("id", "text", False),
        ("given_at", "time", False),
        ("value.best", "number", False),
        ("tags", "text", True),
    ]
    assert [(field.name, field.kind) for field in found["b"].fields] == [("ok", "boolean"), ("n", "integer")]
    described = {each["@id"]: each for each in croissant_of(files)["recordSet"]}
    sources = {field["name"]: field["source"] for field in described["a-jsonl"]["field"]}
    assert sources["value.best"] == {
        "fileObject": {"@id": "data/a.jsonl"},
        "extract": {"column": "value"},
        "transform": {"jsonPath": "best"},
    }
    assert described["b"]["field"][0]["source"]["extract"] == {"jsonPath": "$[*].ok"}
    assert described["raw-study"]["field"][0]["source"]["extract"] == {"jsonPath": "$.title"}
    assert "nested or irregular values" in described["a-jsonl"]["description"]
