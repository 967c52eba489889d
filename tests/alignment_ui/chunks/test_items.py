"""Tests of item files for chunk alignment: the faults, and the warnings before an import."""

from __future__ import annotations

from typing import Any

import pytest

from accord_core.chunks.formats.ists import write_wa
from accord_core.chunks.formats.ists_check import check_wa
from accord_core.chunks.formats.ists_links import write_link
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from alignment_ui.chunks.design_report import design_report
from alignment_ui.chunks.tasktype import Chunks
from annotate.tasktypes import ItemsRead

TASK = Chunks()
LIMITS = {"rows": 3, "bytes": 1 << 20}
EQUI = ChunkLink((0,), (0,), "EQUI", frozenset(), 5)
REST = ChunkLink((1,), (1,), "SIMI", frozenset(), 3)


def pair(*links: ChunkLink, key: str = "1", source: str = "A b", target: str = "C d") -> IstsPair:
    return IstsPair(key, tuple(source.split()), tuple(target.split()), links)


def read(*pairs: IstsPair, **options: Any) -> ItemsRead:
    return read_text("".join(write_wa(pairs)), **options)


def read_text(text: str, *, rows: int = 3, **options: Any) -> ItemsRead:
    limits = {**LIMITS, "rows": rows}
    return TASK.read_items(text.encode(), "images.gold.wa", TASK.clean_options(options), limits)


def text_of(*links: ChunkLink) -> str:
    """Return a pair of two and two tokens, with the first link on line 13. Tokens can be missing."""
    lines = [*"".join(write_wa([pair()])).splitlines()[:-2]]
    for each in links:
        words = " ".join(["w"] * 9).split()
        lines.append(write_link(each, words, words))
    return "\n".join([*lines, "</alignment>", "</sentence>", ""])


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


TWICE = ChunkLink((0,), (1,), "REL", frozenset(), 1)
OVERLAPPING = (ChunkLink((0, 1), (0,), "SIMI", frozenset(), 3), REST)
BEYOND = (EQUI, REST, ChunkLink((8,), (), "NOALI"))
SCORED = (EQUI, ChunkLink((1,), (), "NOALI", frozenset(), 2), ChunkLink((), (1,), "NOALI"))
LOW = (ChunkLink((0,), (0,), "EQUI", frozenset(), 4), REST)


@pytest.mark.parametrize(
    ("begin", "many", "links", "refused", "warned"),
    [
        ("links", False, [EQUI, REST], [], []),
        ("links", False, [EQUI], [1, 1], []),  # not covered: “b” and “d”
        ("links", False, [TWICE, EQUI, REST], [14, 15], []),
        ("links", True, [TWICE, EQUI, REST], [], []),
        ("links", False, SCORED, [14], []),
        ("links", False, LOW, [13], []),
        ("links", False, BEYOND, [15], []),
        ("chunks", False, [TWICE, EQUI, REST], [], []),
        ("chunks", False, OVERLAPPING, [14], []),
        ("chunks", False, [EQUI], [1, 1], []),
        ("chunks", False, BEYOND, [15], []),
        ("chunks", False, SCORED, [], [14]),
        ("chunks", False, LOW, [], [13]),
        ("words", False, LOW, [], [13]),
        ("words", False, BEYOND, [], [15]),
        ("chunks", False, [], [], [1]),
        ("words", False, [], [], []),
    ],
)
def test_errors_that_annotators_would_see_are_refused_with_their_lines_and_others_are_warnings(
    begin: str, many: bool, links: list[ChunkLink], refused: list[int], warned: list[int]
) -> None:
    found = read_text(text_of(*links), begin=begin, many=many)
    assert sorted(fault.line for fault in found.faults if fault.line) == sorted(refused)
    assert [fault.line for fault in found.warnings] == warned
    as_it_stands = read_text(text_of(*links), begin=begin, many=many, guidelines="warn")
    assert as_it_stands.faults == []
    assert {*refused, *warned} <= {fault.line for fault in as_it_stands.warnings}


def test_all_errors_of_a_file_are_reported_at_once_by_the_checker_of_the_command() -> None:
    text = (
        text_of(*LOW).replace("SIMI // 3", "SAME // 3")
        + text_of(*SCORED).replace('id="1"', 'id="2"').replace("// A b", "// A  B")
        + text_of(*BEYOND).replace('id="1"', 'id="1"')
    )
    checked = check_wa(text, strict=True, many_to_many=False)
    found = read_text(text, begin="links", rows=9)
    assert [fault.line for fault in found.faults if fault.line] == [each.line for each in checked.faults]
    assert {each.rule for each in checked.faults} >= {"type", "equi-score", "two-tokenisations", "left-over-score"}
    assert {each.rule for each in checked.faults} >= {"no-such-token", "same-id"}
    summary = found.faults[0]
    assert summary.line is None
    assert "Imported files that break the guidelines" in summary.message


def test_files_that_differ_in_words_or_ids_are_refused_even_if_files_are_imported_as_they_stand() -> None:
    text = text_of(EQUI, REST)
    for broken in (text + text, text.replace("2 b :", "2 b")):
        assert read_text(broken, guidelines="warn", begin="words").faults
    differing = text.replace("// A b", "// A B")
    assert [fault.line for fault in read_text(differing, begin="words").faults] == [None, 1]
    assert [fault.line for fault in read_text(differing, begin="words", guidelines="warn").warnings] == [1]


def test_files_imported_as_they_stand_lose_only_what_a_warning_names() -> None:
    linked_noali = (EQUI, ChunkLink((1,), (1,), "NOALI"))
    [item] = read_text(text_of(*linked_noali), begin="links", guidelines="warn").items
    assert "b – d: NOALI" in TASK.item_parts(item.content)["links"]
    found = read_text(text_of(*BEYOND), begin="links", guidelines="warn")
    assert "chunks" not in found.items[0].content
    assert [warning.line for warning in found.warnings] == [1, 15]
    assert "starts without chunks and links" in found.warnings[0].message


def test_gold_files_report_all_errors_and_scores_of_unlinked_chunks_have_a_way_in() -> None:
    text = text_of(*LOW) + text_of(EQUI).replace('id="1"', 'id="2"') + text_of(*SCORED).replace('id="1"', 'id="3"')
    broken = TASK.read_gold(text.encode(), "gold.wa", TASK.clean_options({}), {})
    assert [fault.line for fault in broken.faults] == [13, 17, 17, 45]
    scored = text_of(*SCORED).encode()
    [summary, fault] = TASK.read_gold(scored, "gold.wa", TASK.clean_options({}), {}).faults
    assert (summary.line, fault.line) == (None, 14)
    found = TASK.read_gold(scored, "gold.wa", TASK.clean_options({"guidelines": "warn"}), {})
    assert (found.faults, [warning.line for warning in found.warnings]) == ([], [14])
    assert len(found.questions) == 1


def test_brackets_within_a_sentence_are_words_and_the_researcher_is_told() -> None:
    table = b"id\tsource\ttarget\nx\tA [ cat ]\tIt\n"
    found = TASK.read_items(table, "x.tsv", TASK.clean_options({}), LIMITS)
    assert found.items[0].content["source"] == ["A", "[", "cat", "]"]
    assert [(warning.line, warning.column) for warning in found.warnings] == [(2, "source"), (None, None)]


def sentences(*rows: str, columns: str = "id\tsource\ttarget") -> list[tuple[str, str]]:
    """Return the words of each pair in a table, separated by spaces."""
    table = "\n".join([columns, *rows])
    found = TASK.read_items(table.encode(), "items.tsv", TASK.clean_options({"begin": "links"}), LIMITS)
    assert found.faults == []
    return [(" ".join(item.content["source"]), " ".join(item.content["target"])) for item in found.items]


def test_a_full_stop_attached_to_a_word_becomes_a_word_so_that_it_can_be_a_chunk() -> None:
    plain, chunked = "1\tA man isn't here.\tNo, he left.", "2\t[ U.K. exports ] [ rose ]\t[ Exports ] [ don't rise. ]"
    assert sentences(plain, chunked) == [
        ("A man isn't here .", "No , he left ."),
        ("U.K. exports rose", "Exports don't rise."),
    ]


def test_the_design_says_who_makes_the_chunks_that_a_file_lacks() -> None:
    options = TASK.clean_options({})
    found = TASK.read_items(b"source\ttarget\nA b .\tC d .\n[ A b ]\t[ C d ]\n", "items.tsv", options, LIMITS)
    (begin,) = [
        check for check in design_report({"": found.items}, options).checks if check.name == "Initial annotation"
    ]
    assert begin.detail == "1 without chunks, which annotators make first, 1 with chunks"


def test_words_that_a_file_separates_or_numbers_stay_as_they_are() -> None:
    assert sentences("1\tIt cost 5% .\tIt cost 5$ .") == [("It cost 5% .", "It cost 5$ .")]
    links = "1\tA.\tB.\t1 <==> 1 // EQUI // 5"
    assert sentences(links, columns="id\tsource\ttarget\tlinks") == [("A.", "B.")]


@pytest.mark.parametrize(
    ("begin", "parts"),
    [
        ("words", {"source": "A cat sat", "target": "It sat"}),
        ("chunks", {"source": "[A cat] sat", "target": "[It] sat"}),
        (
            "links",
            {"source": "[A cat] [sat]", "target": "[It] [sat]", "links": "A cat – It: EQUI 5; not aligned: “sat”"},
        ),
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


TABLE = "id,source,target,links,topic\n1,A b,C d,{},x\n"
BOTH = "1 <==> 1 // EQUI // 5;;2 <==> 2 // SIMI // 3"


def read_table(cell: str, *, source: str = "A b", target: str = "C d", **options: Any) -> ItemsRead:
    text = TABLE.replace("A b", source).replace("C d", target).format(cell)
    return TASK.read_items(text.encode(), "items.csv", TASK.clean_options(options), LIMITS)


def test_links_in_a_table_are_the_initial_annotation_as_in_a_wa_file() -> None:
    [in_table] = read_table(BOTH, begin="links").items
    [in_wa] = read(pair(EQUI, REST), begin="links").items
    for part in ("chunks", "links", "left"):
        assert in_table.content[part] == in_wa.content[part]
    assert in_table.metadata == {"topic": "x"}


def test_chunks_in_brackets_that_the_links_do_not_mention_start_as_noali() -> None:
    found = read_table("1 <==> 1 // EQUI // 5", source="[ A ] [ b ]", target="[ C ] [ d ]", begin="links")
    [item] = found.items
    assert not found.faults
    assert len(item.content["links"]) == 1
    assert {(one["side"], one["chunk"], one["type"]) for one in item.content["left"]} == {
        ("source", 1, "NOALI"),
        ("target", 1, "NOALI"),
    }


@pytest.mark.parametrize("begin", ["words", "chunks"])
def test_links_that_the_study_does_not_use_are_metadata_with_a_warning(begin: str) -> None:
    found = read_table(BOTH, begin=begin)
    assert not found.faults
    assert "links" in [warning.column for warning in found.warnings]
    assert "links" not in found.items[0].content
    assert found.items[0].metadata["links"] == BOTH


@pytest.mark.parametrize(
    ("cell", "source"),
    [
        ("https://example.org/1", "A b"),
        ("1 <==> 1 // EQUI // 5", "A b"),  # “b” and “d” are not covered
        ("1 <==> 1 // EQUI // 4;;2 <==> 2 // SIMI // 3", "A b"),
        ("1 2 <==> 1 // SIMI // 3;;0 <==> 2 // NOALI // NIL", "[ A ] [ b ]"),  # other chunks than the brackets
        ("1 <==> 1 // EQUI // 5;;9 <==> 2 // SIMI // 3", "A b"),
    ],
)
def test_faulty_links_in_a_table_are_refused_with_their_lines(cell: str, source: str) -> None:
    target = "[ C ] [ d ]" if "[" in source else "C d"
    faults = read_table(cell, source=source, target=target, begin="links").faults
    assert {fault.line for fault in faults} - {None} == {2}


def test_an_empty_cell_of_links_is_a_warning() -> None:
    found = read_table("", source="[ A ] [ b ]", target="[ C ] [ d ]", begin="links")
    assert not found.faults
    assert len(found.warnings) == 1
    assert "links" not in found.items[0].content


@pytest.mark.parametrize("text", ["1s1 2p3\n", "0-0 1?2\n", "1 1 2 S\n"])
def test_links_without_sentences_are_refused_with_the_page_that_imports_them(text: str) -> None:
    [fault] = read_text(text).faults
    assert "Import two files" in fault.message
