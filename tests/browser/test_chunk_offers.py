"""Tests of the visits of chunks with likely matches, of suggested types and scores, and of joining by arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import value_of
from tests.chunking import CHUNKS, chunk, chunks, complete, left, links, log, told, word

SUGGEST = "async ([module, chunks, language]) => (await import(module)).likelyJudgement(chunks, language)"


@pytest.fixture
def editor(chunk_editor: Callable[..., Page]) -> Callable[..., Page]:
    return chunk_editor


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def test_two_keys_link_and_judge_a_chunk_and_lead_to_the_next(
    editor: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = editor(
        "A dog sleeps .",
        "The small dog is asleep .",
        chunks={"source": [[0, 1], [2], [3]], "target": [[0, 1, 2], [3, 4], [5]]},
    )
    press(page, "u")
    expect(told(page)).to_have_text("Match of “A dog”: 1 The small dog, 2 is asleep")
    expect(chunk(page, 1, 0)).to_have_attribute("data-n", "1")
    expect(page.locator(".match")).to_have_count(2)  # punctuation is never offered
    axe(page)
    assert value_of(page) is None, "an offer changes nothing"
    press(page, "1")
    assert links(page) == [(0, 0, None, None)]
    expect(page.locator(".match")).to_have_count(0)
    expect(page.get_by_role("button", name="Suggestion: SPE2, score 4")).to_be_visible()
    press(page, "v")
    assert links(page) == [(0, 0, "SPE2", 4)]
    expect(chunk(page, 0, 1)).to_be_focused()
    press(page, "1 s")
    expect(page.locator(".offer")).to_be_hidden()  # the words say too little
    press(page, "4")  # the score, because the chunk has a link
    assert links(page)[1] == (1, 1, "SIMI", 4)
    assert complete(page)
    assert log(page) == [("link", "offer"), ("judge", "offer"), ("link", "offer"), ("type", "key"), ("score", "key")]
    press(page, "z z z z")
    assert links(page) == [(0, 0, None, None)], "one step takes the suggestion back"


def test_a_mark_also_leads_to_the_next_chunk(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS)
    press(page, "u n")
    expect(chunk(page, 0, 1)).to_be_focused()
    assert left(page) == [("source", 0, "NOALI")]
    chunk(page, 0, 2).click()  # another chunk ends the visit
    expect(page.locator(".match")).to_have_count(0)
    press(page, "1")
    expect(told(page)).to_have_text("This chunk has no link. Drag the chunk to its match first.")


@pytest.mark.nightly
def test_a_study_without_offers(editor: Callable[..., Page]) -> None:
    page = editor("A dog .", "A dog .", chunks={"source": [[0, 1], [2]], "target": [[0, 1], [2]]}, offers=False)
    press(page, "u")
    expect(chunk(page, 0, 0)).to_be_focused()
    expect(page.locator(".match")).to_have_count(0)
    press(page, "/ 1 Enter v")
    expect(told(page)).to_have_text("There is no suggestion for this link.")
    assert links(page) == [(0, 0, None, None)]
    expect(page.locator(".offer")).to_be_hidden()


@pytest.mark.parametrize(
    ("first", "second", "language", "suggested"),
    [
        ("The cats", "a cat", "en", ("EQUI", 5)),
        ("is sitting", "sits", "en", ("EQUI", 5)),
        ("is", "is", "en", ("EQUI", 5)),
        ("a young black cat", "a cat", "en", ("SPE1", 3)),
        ("the door", "the red door", "en", ("SPE2", 4)),
        ("is not open", "is open", "en", ("OPPO", 4)),
        ("The open door", "The closed door", "en", ("OPPO", 4)),
        ("two men", "3 men", "en", ("SIMI", 3)),
        ("two men", "2 men", "en", ("EQUI", 5)),
        ("a red door", "a blue door", "en", None),
        ("a man", "a woman", "en", None),
        ("not open", "never closed", "en", None),
        ("die offene Tür", "die geschlossene Tür", "de", ("OPPO", 4)),
        ("keine Tür", "eine Tür", "de", ("OPPO", 4)),
        ("dos hombres", "tres hombres", "es", ("SIMI", 3)),
        ("الباب مفتوح", "باب مغلق", "ar", ("OPPO", 4)),
        ("ikkuna", "iso ikkuna", "fi", ("SPE2", 4)),  # no word list, so spelling alone
    ],
)
def test_the_suggested_type(
    editor: Callable[..., Page], first: str, second: str, language: str, suggested: Any
) -> None:
    page = editor()
    judgement = page.evaluate(SUGGEST, ["/static/chunks/overlap.js", [first.split(), second.split()], language])
    assert (judgement and (judgement["type"], judgement["score"])) == suggested


def test_arrow_keys_move_the_end_of_a_chunk(editor: Callable[..., Page]) -> None:
    page = editor()
    word(page, 0, 0).focus()
    press(page, "Control+ArrowRight Alt+ArrowRight")
    assert chunks(page)["source"] == [[0, 1, 2]]
    expect(word(page, 0, 2)).to_be_focused()
    press(page, "Control+ArrowLeft")
    assert chunks(page)["source"] == [[0, 1], [2]]
    expect(word(page, 0, 1)).to_be_focused()
    assert log(page)[-1] == ("split", "key")


@pytest.mark.nightly
def test_arrow_keys_join_linked_chunks_in_the_reading_direction(editor: Callable[..., Page]) -> None:
    parts = {"source": [[0], [1], [2]], "target": [[0], [1], [2]]}
    page = editor("باب مفتوح .", "باب مغلق .", chunks=parts, direction="rtl")
    chunk(page, 0, 0).focus()
    press(page, "Control+ArrowLeft")
    assert chunks(page)["source"] == [[0, 1], [2]]
    press(page, "Control+ArrowRight")
    assert chunks(page)["source"] == [[0], [1], [2]]
