"""Tests that punctuation marks at the end of a sentence need no link: exports mark them as NOALI with the score NIL."""

from __future__ import annotations

from typing import Any

import pytest

from accord_core.chunks.formats.ists import read_wa, write_wa
from accord_core.chunks.formats.ists_check import check_wa
from accord_core.chunks.numerics.chunks import final_punctuation
from alignment_ui.chunks.answer import clean_answer, from_pair, to_pair
from annotate.tasktypes import InvalidAnswer

PAYLOAD = {"source": "“ A cat sleeps . ”".split(), "target": "It sleeps !".split()}
CHUNKS = {"source": [[0], [1, 2], [3], [4], [5]], "target": [[0], [1], [2]]}
LINKS = [
    {"source": 1, "target": 0, "type": "SPE1", "score": 4, "flags": []},
    {"source": 2, "target": 1, "type": "EQUI", "score": 5, "flags": []},
]
QUOTE = {"side": "source", "chunk": 0, "type": "NOALI"}


def answer(**changes: Any) -> dict[str, Any]:
    return {"chunks": CHUNKS, "links": LINKS, "left": [QUOTE], "log": [[1, "link", "key", [1, 0]]], **changes}


@pytest.mark.parametrize(
    ("sentence", "marks"),
    [
        ("A cat .", {2}),
        ("A cat , too ... ”", {4, 5}),
        ("A cat", set()),
        ("猫 。", {1}),
        ("Costs 5 $", set()),
        (". .", {0, 1}),
    ],
)
def test_the_marks_at_the_end(sentence: str, marks: set[int]) -> None:
    assert final_punctuation(sentence.split()) == marks


@pytest.mark.parametrize("many", [False, True], ids=["2015", "2016"])
def test_left_open_they_are_written_as_noali_and_read_back(*, many: bool) -> None:
    value = clean_answer(PAYLOAD, answer(), many_to_many=many)
    text = "".join(write_wa([to_pair("1", PAYLOAD, value)]))
    assert "5 <==> 0 // NOALI // NIL // . <==> -not aligned- \n" in text
    assert "0 <==> 3 // NOALI // NIL // -not aligned- <==> ! \n" in text
    assert check_wa(text, strict=True, many_to_many=many).faults == []
    [pair] = read_wa(text.encode(), name="alignment.wa")
    assert from_pair(pair) == {name: value[name] for name in ("chunks", "links", "left")}


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"left": []}, "chunks.source.0"),  # a mark at the beginning
        ({"links": LINKS[:1]}, "chunks.source.2"),  # a word
        ({"chunks": {**CHUNKS, "target": [[0], [1, 2]]}, "links": LINKS[:1]}, "chunks.source.2"),
    ],
)
def test_one_to_one_all_else_is_to_be_marked(changes: Any, place: str) -> None:
    with pytest.raises(InvalidAnswer) as refused:
        clean_answer(PAYLOAD, answer(**changes), many_to_many=False)
    assert refused.value.path == place


def test_a_word_together_with_its_full_stop_is_to_be_marked() -> None:
    joined = {**CHUNKS, "source": [[0], [1, 2], [3, 4], [5]]}
    with pytest.raises(InvalidAnswer) as refused:
        clean_answer(PAYLOAD, answer(chunks=joined, links=LINKS[:1]), many_to_many=False)
    assert refused.value.path == "chunks.source.2"
