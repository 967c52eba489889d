"""Gold and practice of chunk alignment: which files bring them, which pairs they may be, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from alignment_ui.chunks import Chunks
from annotate.tasktypes import ItemDraft

TASK = Chunks()
OPTIONS = TASK.clean_options({})
ITEM = ItemDraft(
    "p1",
    {
        "source": ["A", "cat", "sleeps"], "target": ["It", "rests"],
        "chunks": {"source": [[0, 1], [2]], "target": [[0], [1]]},
    },
    {"dataset": "images"},
    held_out=True,
)  # fmt: skip
LINKS = "1 2 <==> 1 // SPE1 // 3;;3 <==> 2 // SIMI // 4"


def read(rows: str, items: dict[str, ItemDraft] | None = None, **options: Any) -> Any:
    data = "id\tsource\ttarget\tlinks\texplanation\n" + rows
    return TASK.read_gold(data.encode(), "gold.tsv", OPTIONS | options, items or {})


def test_a_table_brings_links_as_lines_of_a_wa_file_with_what_the_annotator_is_told() -> None:
    found = read(f"x\tA cat sleeps\tIt rests\t{LINKS}\tA cat is more than it.\n")
    assert found.faults == []
    [question] = found.questions
    assert (question.ref, question.explanation) == ("known-x", "A cat is more than it.")
    assert question.payload["chunks"] == {"source": [[0, 1], [2]], "target": [[0], [1]]}
    assert [link["type"] for link in question.gold["links"]] == ["SPE1", "SIMI"]


def test_brackets_are_read_and_the_links_say_the_chunks() -> None:
    [question] = read(f"x\t[ A cat ] [ sleeps ]\t[ It ] [ rests ]\t{LINKS}\t\n").questions
    assert question.payload["source"] == ["A", "cat", "sleeps"]


def test_a_pair_with_the_id_of_a_held_out_item_is_that_item() -> None:
    [question] = read(f"p1\tA cat sleeps\tIt rests\t{LINKS}\t\n", {"p1": ITEM}).questions
    assert question.payload["item"] == "p1"
    assert TASK.item_keys(question.payload) == ["p1"]


def test_gold_begins_with_words_where_the_study_does() -> None:
    [question] = read(f"x\tA cat sleeps\tIt rests\t{LINKS}\t\n", begin="words").questions
    assert question.payload["chunks"] is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("x\tA cat sleeps\tIt rests\t\t", "the cell is empty"),
        ("x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SAME // 3\t", "“SAME” is no type"),
        ("x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SPE1 // 3;;3 <==> 9 // SIMI // 4\t", "no token 9 in the target"),
        ("x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SPE1 // 3\t", "in no chunk"),
        ("x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SPE1 // 5;;3 <==> 2 // SIMI // 4\t", "which only EQUI does"),
        (f"p1\tA dog sleeps\tIt rests\t{LINKS}\t", "its words are not those"),
        (f"p2\tA cat sleeps\tIt rests\t{LINKS}\t", "it is asked about in the study"),
        (f"p3\tA cat sleeps\tIt rests\t{LINKS}\t", "known-p3 is the id of a pair"),
    ],
)
def test_a_key_that_nobody_could_give_is_refused_with_its_line(row: str, said: str) -> None:
    asked = replace(ITEM, key="p2", held_out=False)
    items = {"p1": ITEM, "p2": asked, "known-p3": replace(asked, key="known-p3")}
    found = read(row + "\n", items)
    assert found.questions == []
    assert any(said in fault.message and fault.line == 2 for fault in found.faults), found.faults


def test_a_table_without_links_is_told_what_is_missing() -> None:
    found = TASK.read_gold(b"id,source,target\nx,A cat,It\n", "gold.csv", OPTIONS, {})
    assert [fault.column for fault in found.faults] == ["links"]
