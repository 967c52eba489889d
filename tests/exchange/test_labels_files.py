"""Tests of label files: long and wide tables, files with one label per item, and faults with their line and column."""

import numpy as np
import pytest

from accord_core.exchange.labels import labels_table, numbers_of, read_known_labels, read_labels
from accord_core.exchange.printed_tables import table_in
from accord_core.exchange.tables import Fault, TableError
from accord_core.numerics.labels import Aggregate, majority

LONG = "item,annotator,label\np1,ann,yes\np1,bob,no\np2,ann,yes\n"


def read(text, also=()):
    return read_labels(text.encode(), name="labels.csv", also=also)


def votes(file):
    labels = file.labels
    return {
        (file.items[i], file.annotators[a], file.names[k])
        for i, a, k in zip(labels.item, labels.annotator, labels.label, strict=True)
    }


def faults(text, reader=read_labels):
    with pytest.raises(TableError) as caught:
        reader(text.encode(), name="labels.csv")
    return caught.value.faults


JSON_LINES = """
{"item": "p1", "annotator": "ann", "label": "yes"}
{"item": "p1", "annotator": "bob", "label": "no"}
{"item": "p2", "annotator": "ann", "label": "yes"}
{"item": "p2", "annotator": "bob", "label": null}
"""
THREE_VOTES = {("p1", "ann", "yes"), ("p1", "bob", "no"), ("p2", "ann", "yes")}


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        "Label;Seconds;ITEM;Annotator\nyes;3;p1; ann\nno;4;p1;bob\nyes ;2;p2;ann\n",
        "item,ann,bob\np1,yes,no\np2,yes,\n",
        "bob\titem\tann\nno\tp1\tyes\n \tp2\tyes\n",
        JSON_LINES,
        '{"item": "p1", "ann": "yes", "bob": "no"}\n{"item": "p2", "ann": "yes"}\n',
    ],
)
def test_the_same_votes_in_every_form(text):
    file = read(text)
    assert votes(file) == THREE_VOTES
    assert file.items == ["p1", "p2"]
    assert sorted(file.annotators) == ["ann", "bob"]
    assert file.names == ["no", "yes"]


@pytest.mark.parametrize(
    "text",
    [
        "item,ann,comment,bob\np1,yes,unclear,no\np2,no,,yes\n",
        "item,sentence,ann\np1,One dog.,yes\np2,Two cats.,yes\np3,A cow.,no\n",
    ],
)
def test_a_column_without_a_label_of_an_annotator_is_refused(text):
    (fault,) = faults(text)
    assert fault.column in ("comment", "sentence")
    assert "no label in common with the other columns" in fault.message


def test_columns_with_other_names():
    text = "id,candidate,worker,vote,label\ns1,a,ann,yes,x\ns1,b,ann,no,x\ns2,a,bob,yes,y\n"
    columns = {"item": ["ID", "candidate"], "annotator": ["worker"], "label": ["vote"]}
    file = read_labels(text.encode(), name="labels.csv", columns=columns, cluster="id")
    assert votes(file) == {("s1/a", "ann", "yes"), ("s1/b", "ann", "no"), ("s2/a", "bob", "yes")}
    assert file.clusters == ["s1", "s1", "s2"]
    wide = read_labels(b"id,ann,bob\np1,yes,no\np2,yes,\n", name="labels.csv", columns={"item": ["id"]})
    assert votes(wide) == THREE_VOTES
    lines = '{"id": "p1", "ann": "yes"}\n{"id": "p2", "bob": "yes"}\n'
    sparse = read_labels(lines.encode(), name="labels.jsonl", columns={"item": ["id"]})
    assert votes(sparse) == {("p1", "ann", "yes"), ("p2", "bob", "yes")}
    (fault,) = faults(text, lambda data, name: read_labels(data, name=name, columns={"label": ["answer"]}))
    assert (fault.column, "the file has the columns id, candidate" in fault.message) == ("answer", True)


def test_an_item_in_two_clusters_is_refused():
    text = "item,annotator,label,q\np1,ann,yes,q1\np1,bob,no,q2\np2,ann,yes,\n"
    found = faults(text, lambda data, name: read_labels(data, name=name, cluster="Q"))
    assert [(fault.line, fault.message) for fault in found] == [
        (3, "p1 belongs to q1 on an earlier line"),
        (4, "the cell is empty"),
    ]


def test_items_without_a_label_are_kept():
    assert read(LONG + "p3,ann,\n").items == ["p1", "p2", "p3"]
    assert read("item,ann,bob\np1,1,\np2,,\n").items == ["p1", "p2"]


def test_labels_that_are_numbers_stand_in_their_order():
    assert read("item,a,b,c\nx,10,9,-1.5\n").names == ["-1.5", "9", "10"]
    assert read("item,a,b,c\nx,10,9,low\n").names == ["10", "9", "low"]


def test_numbers():
    assert numbers_of(["-1", "2.5"]) == [-1, 2.5]
    assert numbers_of(["1", "1.0"]) is None
    assert numbers_of(["1", "nan"]) is None
    assert numbers_of(["1", "inf"]) is None
    assert numbers_of(["1", "one"]) is None


def test_labels_that_nobody_gave():
    file = read("item,a\nx,yes\n", also=["no"])
    assert file.names == ["no", "yes"]
    assert file.labels.n_labels == 2


def test_a_second_vote_is_named_by_its_row():
    found = faults(LONG + "p1,ann,yes\np2,bob,no\np1,bob,yes\n")
    assert found == [
        Fault(5, "annotator", "ann has already labelled p1 on line 2"),
        Fault(7, "annotator", "bob has already labelled p1 on line 3"),
    ]


def test_a_second_vote_after_an_empty_one_is_the_first():
    assert len(read("item,annotator,label\np1,ann,\np1,ann,yes\n").labels) == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("item,ann\np1,yes\np2,no\np1,no\n", Fault(4, "item", "p1 is already on line 2. Each item must have one row")),
        ("item,annotator,label\n,ann,yes\n", Fault(2, "item", "the cell is empty")),
        ("item,annotator,label\np1, ,yes\n", Fault(2, "annotator", "the cell is empty")),
        ("item,ann\n,yes\n", Fault(2, "item", "the cell is empty")),
        ("item,ann,bob\np1,,\n", Fault(None, None, "the file has no labels")),
        (
            "item,annotator,label\np1,ann\n",
            Fault(2, "label", "the row ends before this column: it has 2 cells for 3 columns"),
        ),
    ],
)
def test_faults(text, fault):
    assert fault in faults(text)


@pytest.mark.parametrize(
    ("header", "missing"),
    [("item,label", "annotator"), ("item,annotator", "label"), ("worker,ann", "item"), ("annotator,label", "item")],
)
def test_a_missing_column(header, missing):
    (fault,) = faults(f"{header}\na,b\n")
    assert (fault.line, fault.column) == (1, missing)
    assert header.replace(",", ", ") in fault.message


def test_every_fault_is_collected_in_the_order_of_the_file():
    found = faults("item,annotator,label\np1,ann,yes\np2\np1,ann,no\n,bob,no\n")
    assert [fault.line for fault in found] == [3, 4, 5]


def test_a_column_that_is_no_label_is_refused():
    rows = "".join(f"p{n},ann,{n / 7}\n" for n in range(101))
    (fault,) = faults(f"item,annotator,label\n{rows}")
    assert "101 different labels, but at most 100" in fault.message


class TestKnownLabels:
    def test_read(self):
        text = "item,label,note\np1, yes,sure\np2,no,\n"
        assert read_known_labels(text.encode(), name="gold.csv") == {"p1": "yes", "p2": "no"}

    def test_faults(self):
        found = faults("item,label\np1,yes\np2,\np1,no\n", read_known_labels)
        assert found == [
            Fault(3, "label", "the cell is empty"),
            Fault(4, "item", "p1 is already on line 2"),
        ]

    def test_a_missing_column_is_one_fault(self):
        (fault,) = faults("item,gold\np1,yes\np2,no\n", read_known_labels)
        assert (fault.line, fault.column) == (1, "label")
        assert "the file has the columns item, gold, but known labels need the columns item and label" in fault.message

    def test_json_lines(self):
        text = '{"item": "p1", "label": 1}\n{"item": "p2"}\n'
        assert faults(text, read_known_labels) == [Fault(2, "label", "the cell is empty")]


class TestWritten:
    def test_without_probabilities(self):
        file = read("item,a,b,c\np1,yes,no,yes\np2,no,yes,\np3,,,\n")
        text = "".join(table_in(labels_table(file.items, file.names, majority(file.labels)), "csv"))
        assert text == "item,label,votes,n\np1,yes,2,3\np2,undecided,1,2\np3,undecided,0,0\n"

    def test_with_probabilities(self):
        posterior = np.array([[0.25, 0.75], [0.5, 0.5]])
        result = Aggregate(np.array([1, -1]), np.array([2, 1]), np.array([3, 2]), posterior)
        text = "".join(table_in(labels_table(["=p1", "p2"], ["no", "yes"], result), "csv"))
        assert text == "item,label,votes,n,probability\n'=p1,yes,2,3,0.7500\np2,undecided,1,2,0.5000\n"
