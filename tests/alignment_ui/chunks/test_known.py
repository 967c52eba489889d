"""Tests of gold and practice questions for chunk alignment: the file formats, the suitable pairs, and the faults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from alignment_ui.chunks.tasktype import Chunks
from alignment_ui.pairs.direction import isolated
from annotate.tasktypes import ItemDraft

TASK = Chunks()
OPTIONS = TASK.clean_options({})
ITEM = ItemDraft(
    "p1",
    {
        "source": ["A", "cat", "sleeps"],
        "target": ["It", "rests"],
        "chunks": {"source": [[0, 1], [2]], "target": [[0], [1]]},
    },
    {"dataset": "images"},
    held_out=True,
)
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


def test_errors_in_the_header_and_in_the_rows_are_reported_together() -> None:
    table = b"id\tsource\ttarget\tID\nx\tA cat\t\tx\nx\tA\n"
    found = TASK.read_gold(table, "gold.tsv", OPTIONS, {})
    assert [(fault.line, fault.column) for fault in found.faults] == [
        (None, "links"),
        (1, "ID"),
        (2, "target"),
        (3, None),
    ]


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
        ("x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SAME // 3\t", "“SAME” is not a type"),
        (
            "x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SPE1 // 3;;3 <==> 9 // SIMI // 4\t",
            "Token 9 does not exist: the second sentence has 2 tokens",
        ),
        ("x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SPE1 // 3\t", "“sleeps” is not in a chunk"),
        (
            "x\tA cat sleeps\tIt rests\t1 2 <==> 1 // SPE1 // 5;;3 <==> 2 // SIMI // 4\t",
            "only links of type EQUI can have this score",
        ),
        (f"p1\tA dog sleeps\tIt rests\t{LINKS}\t", "the words of pair p1 differ"),
        (f"p2\tA cat sleeps\tIt rests\t{LINKS}\t", "annotators align pair p2 in the study"),
        (f"p3\tA cat sleeps\tIt rests\t{LINKS}\t", "a pair of the study has the ID known-p3"),
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


def asked(number: int, **content: Any) -> ItemDraft:
    return ItemDraft(f"q{number}", {"source": ["A", "dog", "sleeps"], "target": ["It", "rests"], **content})


STUDY_PAIR = ITEM.content | {"links": [], "left": []}


def test_gold_begins_with_links_where_the_studys_pairs_do_and_never_with_the_expected_ones() -> None:
    items = {one.key: one for one in (asked(1, **STUDY_PAIR), ITEM)}
    key = "1 2 <==> 2 // OPPO // 1;;3 <==> 1 // REL // 2"  # no aligner suggests this link
    same = "x\tA cat sleeps\ta cat rests\t1 2 <==> 1 2 // SPE1 // 3;;3 <==> 3 // SIMI // 4\t\n"
    [known, held_out] = read(f"{same}p1\tA cat sleeps\tIt rests\t{key}\t\n", items, begin="links").questions
    assert known.payload["links"] == [
        {"source": 0, "target": 0, "type": "EQUI", "flags": [], "score": 5},
        {"source": 1, "target": 1, "type": "SIMI", "flags": [], "score": 3},
    ]
    assert known.payload["left"] == []
    assert held_out.payload["links"] is not None
    assert held_out.payload["links"] != held_out.gold["links"]


def test_a_file_may_say_which_links_gold_begins_with() -> None:
    data = (
        "id\tsource\ttarget\tlinks\tstart\n"
        f"x\tA cat sleeps\tIt rests\t{LINKS}\t"
        "1 2 <==> 1 // REL // 2;;3 <==> 0 // NOALI // NIL;;0 <==> 2 // NOALI // NIL\n"
    )
    [question] = TASK.read_gold(data.encode(), "gold.tsv", OPTIONS | {"begin": "links"}, {}).questions
    assert [link["type"] for link in question.payload["links"]] == ["REL"]
    assert question.payload["left"] == [
        {"side": "source", "chunk": 1, "type": "NOALI"},
        {"side": "target", "chunk": 1, "type": "NOALI"},
    ]


def test_links_to_begin_with_that_cannot_be_read_are_named_with_their_line() -> None:
    found = TASK.read_gold(
        f"id\tsource\ttarget\tlinks\tstart\nx\tA cat sleeps\tIt rests\t{LINKS}\tnonsense\n".encode(),
        "gold.tsv",
        OPTIONS,
        {},
    )
    assert [(fault.line, fault.column) for fault in found.faults] == [(2, "start")]


@pytest.mark.parametrize("begin", ["chunks", "links"])
def test_gold_begins_with_words_where_the_studys_pairs_came_without_chunks(begin: str) -> None:
    items = {f"q{number}": asked(number) for number in range(3)}
    [question] = read(f"x\tA cat sleeps\tIt rests\t{LINKS}\t\n", items, begin=begin).questions
    assert {name: question.payload[name] for name in ("chunks", "links", "left")} == {
        "chunks": None,
        "links": None,
        "left": None,
    }


def test_candidates_for_gold_begin_as_the_studys_pairs_do() -> None:
    held_out = [replace(ITEM, key=f"h{number}") for number in range(3)]
    drawn = TASK.draw_candidates([asked(1, **STUDY_PAIR), *held_out], [], 2, OPTIONS | {"begin": "links"}, 1)
    assert [question.payload["links"] is not None for question in drawn] == [True, True]


CAT_IT = "\u2068A cat\u2069 – \u2068It\u2069"


def test_the_grade_states_that_agreement_leaves_out_types_and_scores() -> None:
    [question] = read(f"x\tA cat sleeps\tIt rests\t{LINKS}\t\n").questions
    links = [{**link, "type": "REL", "score": 1} for link in question.gold["links"]]
    grade = TASK.grade(question.payload, question.gold, {**question.gold, "links": links}, OPTIONS)
    assert grade.passed
    assert "expected links, without types and scores: 100%." in grade.message


def test_a_disagreement_lists_only_links_that_differ() -> None:
    [question] = read(f"x\tA cat sleeps .\tIt rests .\t{LINKS};;4 <==> 3 // EQUI // 5\t\n").questions
    same = question.gold["links"][1]
    other = {**question.gold, "links": [{**question.gold["links"][0], "type": "SIMI", "flags": ["POL"]}, same]}
    own, right = TASK.differing_parts(question.payload, other, question.gold, {}, OPTIONS)
    label = "Links with a different type or score"
    assert [(part.label, part.texts) for part in own] == [(label, [f"{CAT_IT}: SIMI_POL 3"])]
    assert [(part.label, part.texts) for part in right] == [(label, [f"{CAT_IT}: SPE1 3"])], "no final punctuation"
    crossed = {**question.gold, "links": [{**same, "target": 0}]}
    own, right = TASK.differing_parts(question.payload, crossed, question.gold, {}, OPTIONS)
    assert [(part.label, part.texts) for part in own] == [
        ("Links that we did not expect", [f"{isolated('sleeps')} – {isolated('It')}: SIMI 4"])
    ]
    assert [text for part in right for text in part.texts] == [
        f"{CAT_IT}: SPE1 3",
        f"{isolated('sleeps')} – {isolated('rests')}: SIMI 4",
    ]
    own, right = TASK.differing_parts(question.payload, {**question.gold, "links": [same]}, question.gold, {}, OPTIONS)
    assert [part.texts for part in own] == [["All your links match the expected links."]]
    own, right = TASK.differing_parts(question.payload, question.gold, {**question.gold, "links": []}, {}, OPTIONS)
    assert [part.texts for part in right] == [["No links"]]
