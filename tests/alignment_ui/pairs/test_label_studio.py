"""Tests of word alignments in the JSON format of Label Studio, in the form of an export from Label Studio."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.formats.label_studio import CONFIG
from accord_core.pairs.numerics.links import Alignment
from tests.alignment_ui.pairs.alignments import faults, links, read, written

SENTENCES = {"source": "The 😀 cat sleeps", "target": "Die Katze schläft"}


def word(key: str, side: str, start: int, end: int, text: str, **more: Any) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": ["word"]}
    return {"id": key, "from_name": f"{side}-words", "to_name": side, "type": "labels", "value": value, **more}


def link(source: str, target: str, *labels: str, direction: str = "right") -> dict[str, Any]:
    return {"type": "relation", "from_id": source, "to_id": target, "direction": direction, "labels": list(labels)}


def task(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    annotation = {"id": 7, "completed_by": 1, "was_cancelled": False, "ground_truth": False, "result": list(results)}
    return {"id": 1, "data": {"id": "p1", **SENTENCES}, "annotations": [annotation], "predictions": [], **more}


CAT, KATZE = word("a", "source", 6, 9, "cat"), word("b", "target", 4, 9, "Katze")


def exported(*tasks: dict[str, Any]) -> str:
    return json.dumps(list(tasks), indent=1)


def test_an_export_is_detected_and_read() -> None:
    sleeps, rest = word("c", "source", 10, 16, "sleeps"), word("d", "target", 10, 17, "schläft")
    corpus = read(exported(task(CAT, KATZE, sleeps, rest, link("a", "b", "sure"), link("d", "c", "possible"))))
    assert corpus.format == "label-studio"
    assert [pair.id for pair in corpus.pairs] == ["p1"]
    assert links(corpus.pairs) == [([(2, 1)], [(3, 2)])]


@pytest.mark.parametrize("start", [6, 7])
def test_offsets_in_code_points_and_in_code_units_mark_the_same_word(start: int) -> None:
    cat = word("a", "source", start, start + 3, "cat")
    assert links(read(exported(task(cat, KATZE, link("a", "b")))).pairs) == [([(2, 1)], [])]


def test_regions_of_several_words_link_all_their_words_and_spaces_at_their_ends_do_not_count() -> None:
    phrase = word("a", "source", 5, 16, " cat sleeps")
    pair = read(exported(task(phrase, KATZE, link("a", "b", "possible")))).pairs
    assert links(pair) == [([], [(2, 1), (3, 1)])]


def test_the_first_annotation_counts_that_was_not_skipped_and_otherwise_the_prediction() -> None:
    skipped = {"was_cancelled": True, "result": []}
    drawn = {"result": [CAT, KATZE, link("a", "b")]}
    corpus = read(exported(task() | {"annotations": [skipped, drawn, {"result": []}]}))
    assert links(corpus.pairs) == [([(2, 1)], [])]
    assert corpus.notes == ["1 further annotation of the same tasks excluded"]
    assert links(read(exported(task() | {"annotations": [], "predictions": [drawn]})).pairs) == [([(2, 1)], [])]


@pytest.mark.parametrize(
    ("results", "column", "message"),
    [
        ([CAT, link("a", "x")], "relation", "a relation begins or ends at a region that the task does not have"),
        ([CAT, link("a", "a")], "relation", "a relation connects two regions of the source sentence"),
        ([CAT, KATZE, link("a", "b", "maybe")], "labels", "not maybe"),
        ([CAT, KATZE, link("a", "b", "sure", "possible")], "labels", "not possible"),
        ([CAT, KATZE, link("a", "b") | {"labels": 5}], "labels", "the labels of a relation must be a list, not 5"),
        ([CAT | {"value": CAT["value"] | {"labels": 7}}], "labels", "the labels of a region must be a list, not 7"),
        ([word("a", "source", 6, 8, "ca")], "value", "the region “ca” of the source sentence does not begin and end"),
        ([word("a", "source", 0, 3, "cat")], "value", "the region “cat” of the source"),
        ([word("a", "audio", 0, 3, "The")], "to_name", "a region must have a value and belong to the text"),
    ],
)
def test_each_error_names_its_line_and_its_field(results: list[dict[str, Any]], column: str, message: str) -> None:
    found = faults(exported(task(), task(*results) | {"data": {"id": "p2", **SENTENCES}}))
    line = exported(task(), task()).split("\n").index(" {", 2) + 1
    assert [(fault[0], fault[1]) for fault in found] == [(line, column)]
    assert message in found[0][2]


def test_a_task_without_sentences_is_an_error() -> None:
    assert faults(exported({"data": {"id": "p", "source": "A"}}), "label-studio") == [
        (2, "target", "the value must be text in quotation marks"),
    ]
    assert "single spaces" in faults(exported(task() | {"data": {"source": "A  b", "target": "C"}}))[0][2]


def test_the_configuration_names_everything_that_the_tasks_use() -> None:
    pair = SentencePair("p1", ("The", "😀", "cat"), ("Die", "Katze"), Alignment.of([(2, 1)], [(0, 0)]))
    [written_task] = json.loads(written([pair], "label-studio"))
    config = ElementTree.fromstring(CONFIG)  # noqa: S314 (a constant of the module)
    texts = {each.get("name"): each.get("value") for each in config.iter("Text")}
    assert {f"${key}" for key in written_task["data"]} - {"$id"} == set(texts.values())
    labels = {each.get("name"): each.get("toName") for each in config.iter("Labels")}
    kinds = {each.get("value") for each in config.iter("Relation")}
    for result in written_task["annotations"][0]["result"]:
        if result["type"] == "relation":
            assert set(result["labels"]) <= kinds
        else:
            assert labels[result["from_name"]] == result["to_name"]
            value, sentence = result["value"], written_task["data"][result["to_name"]]
            assert sentence[value["start"] : value["end"]] == value["text"]
