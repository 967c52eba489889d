"""Tests of item files for chunk alignment: the faults, and the warnings before an import."""

from __future__ import annotations

from typing import Any

import pytest

from alignment_ui.chunks.formats.ists import write_wa
from alignment_ui.chunks.numerics.chunks import ChunkLink, IstsPair
from alignment_ui.chunks.tasktype import Chunks
from annotate.tasktypes import ItemsRead

TASK = Chunks()
LIMITS = {"rows": 3, "bytes": 1 << 20}
EQUI = ChunkLink((0,), (0,), "EQUI", frozenset(), 5)
REST = ChunkLink((1,), (1,), "SIMI", frozenset(), 3)


def pair(*links: ChunkLink, key: str = "1", source: str = "A b", target: str = "C d") -> IstsPair:
    return IstsPair(key, tuple(source.split()), tuple(target.split()), links)


def read(*pairs: IstsPair, **options: Any) -> ItemsRead:
    data = "".join(write_wa(pairs)).encode()
    return TASK.read_items(data, "images.gold.wa", TASK.clean_options(options), LIMITS)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (pair(source=""), "the sentence is empty"),
        (pair(source="a " * 101), "101 tokens, more than the limit of 100"),
        (pair(key="x" * 201), "1 to 200 characters, not 201"),
    ],
)
def test_a_pair_that_cannot_be_asked_about_is_refused_with_its_line(broken: IstsPair, said: str) -> None:
    found = read(pair(key="0"), broken)
    assert [fault.line for fault in found.faults] == [17]
    assert said in found.faults[0].message


def test_more_pairs_than_the_limit_are_refused_and_not_cut_off() -> None:
    found = read(*(pair(key=str(number)) for number in range(4)))
    assert found.items == []
    assert "more than 3" in found.faults[0].message


@pytest.mark.parametrize(
    ("begin", "many", "links", "said"),
    [
        ("links", False, [EQUI, REST], []),
        ("words", False, [], []),
        ("links", False, [EQUI], ["must fix the initial annotation: In the first sentence, “b” is not in a chunk"]),
        ("chunks", False, [], ["the pair has no links, so it starts without chunks"]),
        (
            "chunks",
            False,
            [ChunkLink((0, 1), (0,), "SIMI", frozenset(), 3), REST],
            ["token 2 of the source sentence is in two"],
        ),
        ("links", False, [ChunkLink((0,), (1,), "REL", frozenset(), 1), EQUI, REST], ["already has a link or a mark"]),
        ("links", True, [ChunkLink((0,), (1,), "REL", frozenset(), 1), EQUI, REST], []),
        ("chunks", False, [ChunkLink((0,), (1,), "REL", frozenset(), 1), EQUI, REST], []),
    ],
)
def test_what_annotators_will_have_to_mend_is_told_beforehand(
    begin: str, many: bool, links: list[ChunkLink], said: list[str]
) -> None:
    found = read(pair(*links), begin=begin, many=many)
    assert found.faults == []
    assert len(found.warnings) == len(said)
    for warning, part in zip(found.warnings, said, strict=True):
        assert warning.line == 1
        assert part in warning.message


def test_brackets_within_a_sentence_are_words_and_the_researcher_is_told() -> None:
    table = b"id\tsource\ttarget\nx\tA [ cat ]\tIt\n"
    found = TASK.read_items(table, "x.tsv", TASK.clean_options({}), LIMITS)
    assert found.items[0].content["source"] == ["A", "[", "cat", "]"]
    assert [(warning.line, warning.column) for warning in found.warnings] == [(2, "source"), (None, None)]


@pytest.mark.parametrize(
    ("begin", "parts"),
    [
        ("words", {"source": ["A", "cat", "sat"], "target": ["It", "sat"]}),
        ("chunks", {"source": "[A cat] sat", "target": "[It] sat"}),
        ("links", {"source": "[A cat] [sat]", "target": "[It] [sat]", "links": "A cat – It: EQUI 5; NOALI: sat"}),
    ],
)
def test_tables_of_items_show_chunks_and_links_as_text(begin: str, parts: dict[str, Any]) -> None:
    content: dict[str, Any] = {"source": ["A", "cat", "sat"], "target": ["It", "sat"], "_wa": "internal"}
    if begin == "chunks":
        content["chunks"] = {"source": [[0, 1]], "target": [[0]]}
    if begin == "links":
        content["chunks"] = {"source": [[2], [0, 1]], "target": [[0], [1]]}
        content["links"] = [{"source": 1, "target": 0, "type": "EQUI", "flags": [], "score": 5}]
        content["left"] = [{"side": "source", "chunk": 0, "type": "NOALI"}]
    assert TASK.item_parts(content) == parts
