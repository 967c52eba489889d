"""Tests of the parts that a reviewer takes from an annotator's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from alignment_ui.chunks.answer import clean_answer
from tests.aligning import editor_strings, value_of
from tests.chunking import CHUNKS, DRAFT, LEFT, LINKS, SOURCE, TARGET

CONTENT = {"source": SOURCE.split(), "target": TARGET.split(), "many": False}
DIFFERENCES = """async ({ theirs, content, strings }) => {
    const { differences } = await import("/static/chunks/dist/chunks.js");
    return differences({ content, strings }, window.value, theirs);
}"""


def test_links_and_marks_are_taken_with_their_chunks_and_can_be_undone(chunk_editor: Callable[..., Page]) -> None:
    page = chunk_editor(value=DRAFT)
    targets = [each for each in LEFT if each["side"] == "target"]
    theirs = {
        "chunks": {"source": [[0, 1], [2, 3, 4], [5]], "target": CHUNKS["target"]},
        "links": [LINKS[0] | {"type": "EQUI", "score": 5}, LINKS[1]],
        "left": [{"side": "source", "chunk": 2, "type": "ALIC"}, *targets],
    }

    def parts() -> list[dict[str, Any]]:
        sent = {"theirs": theirs, "content": CONTENT, "strings": editor_strings("chunks")}
        differing: list[dict[str, Any]] = page.evaluate(DIFFERENCES, sent)
        return differing

    bare = [part["words"].replace("\u2068", "").replace("\u2069", "") for part in parts()]
    assert bare == [
        "two men – a crew: EQUI, 5",
        "carried him out – rescued: SPE1, FACT, 4",
        "carried … out – rescued: not linked yet",
        ".: ALIC",
    ]
    for left in (3, 1, 0):  # the chunk with three words replaces the chunk with two words, and so its link
        page.evaluate("({ part, words }) => window.editor.take(part, words)", parts()[0])
        assert len(parts()) == left
    answer = clean_answer(CONTENT, value_of(page), many_to_many=False)
    assert {name: answer[name] for name in ("chunks", "links")} == {name: theirs[name] for name in ("chunks", "links")}
    for _ in range(3):
        page.keyboard.press("z")
    undone = value_of(page)
    assert {name: undone[name] for name in ("chunks", "links")} == {"chunks": CHUNKS, "links": LINKS}
