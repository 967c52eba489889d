"""Tests of the parts from which a reviewer makes a decision."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from alignment_ui.chunks.answer import clean_answer
from tests.aligning import editor_strings
from tests.chunking import CHUNKS, DRAFT, LEFT, LINKS, SOURCE, TARGET

CONTENT = {"source": SOURCE.split(), "target": TARGET.split(), "many": False}
PARTS = """async ({ values, content, strings }) => {
    const { parts } = await import("/static/chunks/dist/review.js");
    return parts({ content, strings }, values);
}"""
WITH_PARTS = """async ({ value, chosen, content, strings }) => {
    const { withPart } = await import("/static/chunks/dist/review.js");
    return chosen.reduce((made, part) => withPart({ content, strings }, made, part), value);
}"""
CONFLICTS = """async ({ chosen, content, strings }) => {
    const { conflict } = await import("/static/chunks/dist/review.js");
    return chosen.some((one) => chosen.some((other) => one !== other && conflict({ content, strings }, one, other)));
}"""
THEIRS = {
    "chunks": {"source": [[0, 1], [2, 3, 4], [5]], "target": CHUNKS["target"]},
    "links": [LINKS[0] | {"type": "EQUI", "score": 5}, LINKS[1]],
    "left": [
        {"side": "source", "chunk": 2, "type": "ALIC"},
        *(each for each in LEFT if each["side"] == "target"),
    ],
}

STRINGS = editor_strings("chunks") | {  # the others are the page's
    "noLink": "no link",
    "noType": "not marked",
    "linked": "linked",
    "otherChunks": "other chunks",
    "linkedOrOther": "linked or other chunks",
}


def test_links_and_marks_of_two_answers_are_compared_and_combined(chunk_editor: Callable[..., Page]) -> None:
    page = chunk_editor(value=DRAFT)
    question = {"content": CONTENT, "strings": STRINGS}
    found = page.evaluate(PARTS, question | {"values": [DRAFT, THEIRS]})
    differing = [each for each in found if each["readings"][0]["part"] != each["readings"][1]["part"]]
    bare = {
        each["label"].replace("\u2068", "").replace("\u2069", ""): [reading["words"] for reading in each["readings"]]
        for each in differing
    }
    assert bare["two men – a crew"][1] == "EQUI, 5"
    assert bare["carried him out – rescued"] == ["no link", "SPE1, FACT, 4"]
    assert bare["carried … out – rescued"][1] == "no link"
    assert bare["."][1] == "ALIC"
    for number, whole in enumerate((DRAFT, THEIRS)):  # all parts of an answer make this answer
        chosen = [each["readings"][number]["part"] for each in differing]
        assert not page.evaluate(CONFLICTS, question | {"chosen": chosen})
        made = page.evaluate(WITH_PARTS, question | {"value": DRAFT, "chosen": chosen})
        answer = clean_answer(CONTENT, made | {"log": []}, many_to_many=False)
        expected = clean_answer(CONTENT, {**whole, "log": []}, many_to_many=False)
        assert {name: answer[name] for name in ("chunks", "links", "left")} == {
            name: expected[name] for name in ("chunks", "links", "left")
        }


def test_an_answer_without_a_mark_says_what_it_contains_instead(chunk_editor: Callable[..., Page]) -> None:
    page = chunk_editor(value=DRAFT)
    whole = {"chunks": {"source": [[0, 1], [2], [3], [4], [5]], "target": CHUNKS["target"]}, "links": [], "left": []}
    marked = {**whole, "left": [{"side": "source", "chunk": 1, "type": "NOALI"}]}
    linked = {**whole, "links": [{"source": 1, "target": 1, "type": "SIMI", "score": 3, "flags": []}]}
    apart = {**whole, "chunks": {"source": [[0, 1], [2, 3], [4], [5]], "target": CHUNKS["target"]}}

    def words(*values: object) -> list[str]:
        found = page.evaluate(PARTS, {"content": CONTENT, "strings": STRINGS, "values": list(values)})
        tokens = [[2], []]
        return next(([each["words"] for each in one["readings"]] for one in found if one["tokens"] == tokens), [])

    assert words(marked, apart) == ["NOALI", "other chunks"]
    assert words(marked, whole) == ["NOALI", "not marked"]
    assert words(marked, linked) == [], "the links differ"
    assert words(marked, linked, apart) == ["NOALI", "linked or other chunks", "linked or other chunks"]
