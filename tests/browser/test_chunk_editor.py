"""Tests of the chunk editor in a real browser: whole questions by mouse, keyboard and touch, and drafts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import value_of
from tests.chunking import (
    CHUNKS,
    DRAFT,
    LEFT,
    LINKS,
    accepted,
    at,
    chunk,
    chunks,
    complete,
    left,
    links,
    log,
    option,
    pill,
    pull,
    status,
    swipe,
    told,
    word,
)


@pytest.fixture
def editor(chunk_editor: Callable[..., Page]) -> Callable[..., Page]:
    return chunk_editor


# ── the whole task, three times ───────────────────────────────────────────────────────────────────────────────────
def test_by_mouse(editor: Callable[..., Page]) -> None:
    page = editor()
    expect(status(page)).to_contain_text("12 words are not in a chunk yet: two, men, carried …")
    pull(page, word(page, 0, 0), word(page, 0, 1))
    pull(page, word(page, 1, 1), word(page, 1, 0))  # from its end
    pull(page, word(page, 1, 3), word(page, 1, 4))
    word(page, 0, 2).click()
    word(page, 0, 4).click()
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".bond")).to_have_count(1)  # its pieces are tied together
    page.get_by_role("button", name="Single words").click()
    assert chunks(page) == CHUNKS
    page.get_by_role("button", name="Link the chunks").click()

    pull(page, chunk(page, 0, 0), chunk(page, 1, 0))
    option(page, "type", "SIMI").check(force=True)
    option(page, "score", 3).check(force=True)
    chunk(page, 1, 1).click()
    chunk(page, 0, 1).click()
    expect(status(page)).to_have_text(
        "1 of 2 links have a type and a score. carried … out – rescued needs a type and a score. "
        "2 chunks have no link. Link them, or choose NOALI or ALIC: “him” …"
    )
    status(page).click()
    expect(pill(page, "Type? carried … out – rescued")).to_be_focused()
    option(page, "type", "SPE1").check(force=True)
    option(page, "score", 4).check(force=True)
    option(page, "flag", "FACT").check(force=True)
    assert not complete(page)
    chunk(page, 0, 2).click()
    option(page, "left", "ALIC").check(force=True)
    chunk(page, 1, 2).click()
    option(page, "left", "NOALI").check(force=True)
    assert chunks(page) == CHUNKS
    assert value_of(page)["links"] == LINKS
    assert left(page) == [("source", 2, "ALIC"), ("target", 2, "NOALI")]
    assert complete(page)  # the full stops need no link
    assert accepted(page)["left"] == LEFT
    expect(status(page)).to_have_text("Every chunk is linked or marked. Your answer has 2 links.")
    ops = ["chunk", "chunk", "chunk", "join", "chunk", "link", "type", "score", "link", "type", "score", "flag"]
    assert [op for op, _ in log(page)] == [*ops, "left", "left"]
    assert {via for _, via in log(page)} == {"drag", "tap", "button", "panel"}
    times = [entry[0] for entry in value_of(page)["log"]]
    assert times == sorted(times)


@pytest.mark.nightly
def test_by_keyboard_alone(editor: Callable[..., Page]) -> None:
    page = editor()
    page.locator("#question").focus()
    for key in "Tab Tab Shift+ArrowRight j End ArrowLeft Space ArrowLeft ArrowLeft Space Enter w".split():
        page.keyboard.press(key)
    assert chunks(page) == {"source": [[0, 1], [2, 4], [3], [5]], "target": [[n] for n in range(6)]}
    page.keyboard.press("ArrowDown")
    for key in "Home Shift+ArrowRight j ArrowRight ArrowRight Shift+ArrowRight j c".split():
        page.keyboard.press(key)
    assert chunks(page) == CHUNKS
    page.keyboard.press("Tab")  # from the tool that leads to the links
    chunk(page, 0, 0).focus()
    for key in "Space ArrowDown Home Space s 3".split():
        page.keyboard.press(key)
    assert links(page) == [(0, 0, "SIMI", 3)]
    for key in "ArrowRight Space ArrowUp Home ArrowRight Space d 4 f".split():
        page.keyboard.press(key)
    for key in "ArrowRight a t".split():
        page.keyboard.press(key)
    assert accepted(page)["links"] == LINKS
    assert left(page) == [(one["side"], one["chunk"], one["type"]) for one in LEFT]
    assert complete(page)
    assert {via for _, via in log(page)} == {"key"}
    page.keyboard.press("Enter")
    assert page.evaluate("window.entered") == 1


@pytest.mark.nightly
def test_by_typing_what_the_match_begins_with(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS)
    typed = page.get_by_role("textbox")
    page.keyboard.press("/")
    expect(typed).to_be_focused()
    expect(typed).to_have_accessible_name("Link “two men” with:")
    expect(page.locator(".match")).to_have_count(4)
    page.keyboard.press("x")
    expect(page.get_by_role("status").filter(has_text="Nothing found for “x”")).to_be_visible()
    page.keyboard.press("Escape")
    expect(chunk(page, 0, 0)).to_be_focused()
    assert value_of(page) is None
    for key in ("/", "a", "m"):  # “a crew” and “a man” begin with an A
        page.keyboard.press(key)
    assert links(page) == [(0, 2, None, None)]
    for key in ("Enter", "z", "n", "/"):
        page.keyboard.press(key)
    expect(typed).to_have_accessible_name("Link “carried … out” with:")  # “two men” has just been marked
    for key in ("Escape", "z", "Home"):
        page.keyboard.press(key)
    for keys in (["/", "1", "s", "3"], ["/", "2", "d", "4"], ["f"], ["u", "a"], ["u", "n"]):
        for key in keys:  # four at most for each link
            page.keyboard.press(key)
    assert accepted(page)["links"] == LINKS
    assert left(page) == [("source", 2, "ALIC"), ("target", 2, "NOALI")]  # the full stops are left open
    assert complete(page)
    page.keyboard.press("u")
    expect(told(page)).to_have_text("Every chunk is linked or marked.")
    assert {via for _, via in log(page)} == {"key"}


def test_the_slash_of_a_german_keyboard(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS)
    page.evaluate(
        """() => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "/", code: "Digit7", shiftKey: true, bubbles: true }))"""
    )
    expect(page.get_by_role("textbox")).to_be_focused()


def test_by_touch(editor: Callable[..., Page]) -> None:
    page = editor(width=390, touch=True)
    swipe(page, at(word(page, 0, 0)), at(word(page, 0, 1)))
    for index in (2, 4):
        word(page, 0, index).tap()
    page.get_by_role("button", name="Join").tap()
    page.get_by_role("button", name="Single words").tap()
    assert chunks(page)["source"] == CHUNKS["source"]
    page.get_by_role("button", name="Link the chunks").tap()
    expect(page.locator(".board.columns")).to_be_visible()
    chunk(page, 0, 3).tap()
    page.locator(".inspect").get_by_text("NOALI").tap()
    chunk(page, 0, 0).tap()
    chunk(page, 1, 1).tap()
    sheet, label = page.locator(".inspect").bounding_box(), page.locator(".pill").bounding_box()
    assert sheet
    assert label
    assert label["y"] + label["height"] <= sheet["y"]  # the sheet does not cover the chosen link
    expect(page.locator(".inspect .types .d:visible")).to_have_count(6)  # meanings show before a type is selected
    page.locator(".inspect").get_by_text("EQUI", exact=True).tap()
    assert links(page) == [(0, 1, "EQUI", 5)]
    assert left(page) == [("source", 3, "NOALI")]
    expect(page.locator(".inspect.idle")).to_be_visible()  # the link has both, and the panel no longer covers it
    swipe(page, at(chunk(page, 0, 1)), at(chunk(page, 1, 0)))
    assert links(page) == [(0, 1, "EQUI", 5), (1, 0, None, None)]
    sizes = [box.bounding_box() for box in page.locator(".inspect label:visible, .bar .b:visible").all()]
    assert len(sizes) > 2
    assert all(size and size["height"] >= 44 for size in sizes)


# ── chunks ────────────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_drag_takes_words_out_of_their_chunks(editor: Callable[..., Page]) -> None:
    page = editor(chunks={"source": [[0, 1, 2, 3], [4], [5]], "target": [[0, 1, 2, 3, 4, 5]]})
    page.keyboard.press("c")
    pull(page, word(page, 0, 1), word(page, 0, 2))
    assert chunks(page)["source"] == [[0], [1, 2], [3], [4], [5]]  # chunks that the selection divides are split
    word(page, 1, 3).click()
    page.keyboard.press("x")
    assert chunks(page)["target"] == [[0, 1, 2], [3, 4, 5]]  # in front of the word pressed
    word(page, 0, 0).click()
    word(page, 0, 0).click()  # deselected, and without other chunks
    page.get_by_role("button", name="Split").click()
    expect(told(page)).to_have_text("This chunk is a single word and cannot be split.")
    page.get_by_role("button", name="Reset to the suggestion").click()
    assert chunks(page) == {"source": [[0, 1, 2, 3], [4], [5]], "target": [[0, 1, 2, 3, 4, 5]]}
    assert [op for op, _ in log(page)] == ["chunk", "split", "reset"]


def test_a_chunk_that_grows_keeps_its_link_and_one_taken_apart_loses_it(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    chunk(page, 0, 0).click()
    chunk(page, 0, 2).click(modifiers=["Shift"])
    page.get_by_role("button", name="Join").click()
    assert chunks(page)["source"] == [[0, 1, 2, 3, 4], [5]]
    assert links(page) == [(0, 0, "SIMI", 3)]  # one to one: that of the first
    assert page.evaluate("heard.at(-1)").endswith("Links removed.")
    assert left(page) == [("source", 1, "NOALI"), ("target", 2, "NOALI"), ("target", 3, "NOALI")]
    page.keyboard.press("z")
    assert links(page) == [(0, 0, "SIMI", 3), (1, 1, "SPE1", 4)]
    chunk(page, 0, 1).click()
    page.keyboard.press("x")  # into its pieces
    assert chunks(page)["source"] == [[0, 1], [2], [3], [4], [5]]
    assert links(page) == [(0, 0, "SIMI", 3)]
    page.keyboard.press("Control+z")
    assert value_of(page)["links"] == LINKS


# ── undo, drafts, looking ─────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_undo_and_redo_over_everything(editor: Callable[..., Page]) -> None:
    page = editor()
    page.keyboard.press("w")
    page.keyboard.press("c")
    pull(page, chunk(page, 0, 0), chunk(page, 1, 1))
    for key in ("s", "2", "l"):
        page.keyboard.press(key)
    chunk(page, 0, 5).click()
    page.keyboard.press("n")
    after = value_of(page)
    states = [after]
    for _ in range(6):
        page.keyboard.press("z")
        states.append(value_of(page))
    assert states[1]["left"] == []
    assert states[2]["links"][0]["flags"] == []
    assert states[3]["links"][0]["score"] is None
    assert states[4]["links"][0]["type"] is None
    assert states[5]["links"] == []
    assert states[6]["chunks"] == {"source": [], "target": []}
    expect(word(page, 0, 0)).to_be_visible()  # back where chunks are made
    for _ in range(6):
        page.keyboard.press("Shift+z")
    expect(chunk(page, 0, 5)).to_be_visible()  # and where they are linked
    assert {**value_of(page), "log": []} == {**after, "log": []}
    assert [op for op, _ in log(page)[6:]] == ["undo"] * 6 + ["redo"] * 6


def test_a_draft_is_taken_up_again(editor: Callable[..., Page]) -> None:
    page = editor(value={**DRAFT, "left": LEFT[:3]})
    expect(page.locator(".pill")).to_have_count(2)
    expect(chunk(page, 0, 2)).to_have_text("him ALIC")
    expect(pill(page, "carried … out – rescued, FACT")).to_contain_text("SPE1F4")
    chunk(page, 1, 3).click()
    page.keyboard.press("n")
    assert value_of(page)["links"] == LINKS
    assert value_of(page)["left"] == LEFT
    assert log(page) == [("link", "drag"), ("left", "key")]
    page.evaluate("begin(value)")  # as after a reload
    page.keyboard.press("z")
    assert value_of(page)["left"] == LEFT[:3]
    page.keyboard.press("Shift+z")
    assert value_of(page)["left"] == LEFT
    page.evaluate("begin({ ...value, log: [] })")  # changed elsewhere
    page.keyboard.press("z")
    assert log(page) == []
    page.evaluate("value => editor.setValue(value)", {**DRAFT, "links": LINKS[:1]})
    expect(page.locator(".pill")).to_have_count(1)


def test_disabled_shows_and_takes_nothing(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT, disabled=True)
    pull(page, chunk(page, 0, 0), chunk(page, 1, 2))
    pill(page, "two men – a crew").click()
    expect(option(page, "type", "SIMI")).to_be_disabled()
    for key in ("e", "1", "Backspace", "Control+z", "t"):
        page.keyboard.press(key)
    assert page.evaluate("window.heard") == []
    expect(page.get_by_role("button", name="Join")).to_be_hidden()
