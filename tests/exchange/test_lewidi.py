"""Tests of labels in LeWiDi's JSON format."""

from __future__ import annotations

import json

import pytest

from accord_core.exchange.faults import TableError
from accord_core.exchange.labels import read_labels
from accord_core.exchange.lewidi import Entry, write_lewidi

PUBLISHED = {
    "1": {
        "annotation task": "paraphrase detection",
        "text": {"Question1": "How long is a mile?", "Question2": "Is a mile long?"},
        "number of annotators": 3,
        "annotators": "Ann1,Ann2,Ann4",
        "number of annotations": 3,
        "annotations": {"Ann1": "-3", "Ann2": "4", "Ann4": "-3"},
        "soft_label": {"-5": 0.0, "-3": 0.667, "4": 0.333},
        "split": "train",
        "lang": "en",
        "other_info": {},
    },
    "2": {"text": {}, "annotations": {"Ann2": "0"}, "soft_label": {"0": 1.0}},
}


def test_the_annotations_are_the_labels() -> None:
    file = read_labels(json.dumps(PUBLISHED).encode(), name="par.json")
    assert (file.items, file.annotators, file.names) == (["1", "2"], ["Ann1", "Ann2", "Ann4"], ["-3", "0", "4"])
    assert file.labels.counts.tolist() == [[2, 0, 1], [0, 1, 0]]


def test_written_entries_are_read_as_the_same_labels() -> None:
    entries = [
        Entry("p1", "irony", {"post": "Schönes Wetter"}, {"a": "yes", "b": "no"}, ("no", "yes"), "de", {"domain": "x"}),
        Entry("p2", "irony", {"post": "Nobody answered"}, {}, ("no", "yes"), "de", {}),
        Entry("p3", "irony", {"post": "Hm"}, {"b": "yes"}, ("no", "yes"), "de", {}),
    ]
    written = "".join(write_lewidi(entries))
    first = json.loads(written)["p1"]
    assert (first["annotators"], first["soft_label"], first["lang"]) == ("a,b", {"no": 0.5, "yes": 0.5}, "de")
    file = read_labels(written.encode(), name="written.json")
    assert (file.items, file.labels.counts.tolist()) == (["p1", "p3"], [[1, 1], [0, 1]])
    assert json.loads("".join(write_lewidi([]))) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"1": {"annotations": {"a": "x"}},\n "2": {"text": {}}}', '2 must have "annotations"'),
        ('{"1": {"annotations": {"a": "x"}},\n', "line 2: the file is not valid JSON"),
    ],
)
def test_errors_name_the_item_or_the_line(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_labels(text.encode(), name="broken.json")
