"""Errors in JSON documents on one line name the record, because its line says nothing."""

import json
from functools import partial

import pytest

from accord_core.evaluation.formats.label_predictions import read_label_predictions
from accord_core.exchange.faults import Fault, TableError, located
from accord_core.exchange.json_lists import objects
from accord_core.exchange.labels import read_labels
from accord_core.pairs.formats.registry import read_alignments
from annotate import tasktypes
from annotate.tasktypes import ItemDraft

LIMITS = {"rows": 100, "bytes": 10_000, "cell": 1_000}
ITEMS = {name: ItemDraft(name, {"text": name}, {}) for name in ("p1", "p2", "p3", "p4")}


def items(name):
    task = tasktypes.get(name)
    return lambda data: task.read_items(data, "f.json", task.clean_options({}), LIMITS).faults


def gold(name):
    task = tasktypes.get(name)
    return lambda data: task.read_gold(data, "f.json", task.clean_options({}), ITEMS).faults


def errors_of(read):
    def faults(data):
        with pytest.raises(TableError) as error:
            read(data, name="f.json")
        return error.value.faults

    return faults


def region(key, side, text, label):
    value = {"start": 0, "end": len(text), "text": text, "labels": [label]}
    return {"id": key, "from_name": f"{side}-x", "to_name": side, "type": "labels", "value": value}


def task(*results, **data):
    return {"data": data, "annotations": [{"completed_by": {"email": "ann"}, "result": list(results)}]}


def label(item, *choices):
    return task({"from_name": "label", "type": "choices", "value": {"choices": list(choices)}}, item=item, text="t")


PAIR = {"source": "a b", "target": "c d"}
CHUNK = region("r", "source", "a", "chunk")
QUESTION = {"Item1": "p1", "Item2": "p2", "Item3": "p3", "Item4": "p4", "Explanation": ""}
PHRASE = {"text": "A dog", "phrase": "dog", "start": 2, "paraphrase": "cat", "domain": "x"}
ITEM = {"sentence": "A dog", "phrase": "dog", "paraphrases": ["cat"], "domain": "x"}
QUALITY = {"sentence": "A dog", "phrase": "dog", "synonyms": ["a", "b", "c"], "random_words": ["d", "e", "f"]}

# The reader, the name of a record, a valid record, and an invalid one.
READERS = {
    "best–worst items": (items("bws"), "row", {"id": "1", "text": "a"}, {"id": "1", "text": "b"}),
    "best–worst gold": (
        gold("bws"),
        "row",
        QUESTION | {"BestItem": "p1", "WorstItem": "p2"},
        QUESTION | {"BestItem": "p9", "WorstItem": "p2"},
    ),
    "paraphrase items": (items("paraphrase"), "row", ITEM, ITEM | {"phrase": "cow"}),
    "paraphrase gold": (gold("paraphrase"), "row", QUALITY, QUALITY | {"synonyms": ["a"], "sentence": "The dog"}),
    "paraphrase tasks": (items("paraphrase"), "task", task(**PHRASE), task(**PHRASE | {"phrase": "cow"})),
    "word pairs": (items("words"), "row", PAIR | {"id": "1"}, PAIR | {"id": "1"}),
    "word pairs in jacana": (
        items("words"),
        "pair",
        PAIR | {"id": "1", "sureAlign": "0-0"},
        PAIR | {"id": "1", "sureAlign": "0-0"},
    ),
    "word tasks": (items("words"), "pair", task(**PAIR), task({"type": "relation", "from_id": "no"}, **PAIR)),
    "word gold": (gold("words"), "row", PAIR | {"gold": "0-0"}, PAIR | {"gold": '{"sure": ['}),
    "chunk pairs": (items("chunks"), "row", PAIR | {"id": "1"}, PAIR | {"id": "1"}),
    "chunk tasks": (
        items("chunks"),
        "pair",
        task(**PAIR),
        task(CHUNK, region("t", "target", "c", "chunk"), {"type": "relation", "from_id": "r", "to_id": "t"}, **PAIR),
    ),
    "alignments": (
        errors_of(read_alignments),
        "pair",
        PAIR | {"sureAlign": "0-0"},
        PAIR | {"sureAlign": "0-7"},
    ),
    "labels": (errors_of(read_labels), "task", label("1", "yes"), label("2", "yes", "no")),
    "labels in a table": (
        errors_of(read_labels),
        "row",
        {"item": "1", "annotator": "a", "label": "yes"},
        {"item": "1", "annotator": "a", "label": "no"},
    ),
    "predictions": (
        errors_of(partial(read_label_predictions, items=["1"], names=["no", "yes"])),
        "row",
        {"item": "1", "label": "yes"},
        {"item": "1", "label": "no"},
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_errors_name_the_record(name):
    read, noun, valid, invalid = READERS[name]
    for data in (json.dumps([valid, invalid]), json.dumps([valid, invalid])[:-1]):
        faults = [fault for fault in read(data.encode()) if fault.line is not None]
        assert faults
        assert {fault.line for fault in faults} == {1}
        assert all(fault.message.startswith(f"{noun} 2: ") for fault in faults), faults


def test_only_records_that_share_a_line_are_numbered():
    faults: list[Fault] = []
    places = [line for line, _ in objects(b'[\n{"a": 1},\n{"a": 2}, {"a": 3}\n,{"a": 4}]', "f.json", faults)]
    assert [(int(place), place.object_name) for place in places] == [(2, ""), (3, "pair 2"), (3, "pair 3"), (4, "")]
    assert len({*places}) == 4
    assert [fault.message for fault in located(Fault(place, None, "x") for place in places)] == [
        "x",
        "pair 2: x",
        "pair 3: x",
        "x",
    ]


def test_a_list_without_links_is_a_table():
    rows = [PAIR | {"id": "1", "prealignment": "0-0 1?1", "subcorpus": "news"}]
    read = tasktypes.get("words").read_items(json.dumps(rows).encode(), "f.json", {"tokenise": False}, LIMITS)
    assert not read.faults
    assert read.items[0].metadata == {"subcorpus": "news"}
    assert read.items[0].content["prealignment"] == {"sure": [[0, 0]], "possible": [[1, 1]]}


def test_a_list_without_links_is_not_an_alignment_without_links():
    exported = [PAIR | {"id": 7, "source-words": [{"start": 0, "end": 1, "labels": ["word"]}], "annotation_id": 1}]
    faults = errors_of(read_alignments)(json.dumps(exported).encode())
    assert "JSON-MIN" in faults[0].message
