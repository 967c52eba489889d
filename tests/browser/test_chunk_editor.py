"""Tests of the chunk editor in a real browser: chunks, links, types and scores by mouse, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.aligning import arabic_outside_isolates, drag, value_of
from tests.chunking import (
    CHUNKS,
    DRAFT,
    LEFT,
    LINKS,
    SOURCE,
    TARGET,
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

OVERLAPS = """boxes => { const all = [...document.querySelectorAll(boxes)].map(box => box.getBoundingClientRect());
  return all.filter((a, n) => all.some((b, m) => m < n && a.left < b.right && b.left < a.right && a.top < b.bottom
    && b.top < a.bottom)).length; }"""


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
    for key in "Space ArrowDown Home Space s Shift+Digit3".split():
        page.keyboard.press(key)
    assert links(page) == [(0, 0, "SIMI", 3)]
    for key in "ArrowRight Space ArrowUp Home ArrowRight Space 1 Shift+Digit4 f".split():
        page.keyboard.press(key)
    for key in "ArrowRight a Shift+n".split():
        page.keyboard.press(key)
    assert accepted(page)["links"] == LINKS
    assert left(page) == [(one["side"], one["chunk"], one["type"]) for one in LEFT]
    assert complete(page)
    assert {via for _, via in log(page)} == {"key"}
    page.keyboard.press("Enter")
    assert page.evaluate("window.entered") == 1


def test_by_typing_what_the_match_begins_with(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS)
    typed = page.get_by_role("textbox")
    page.keyboard.press("/")
    expect(typed).to_be_focused()
    expect(typed).to_have_accessible_name("Link “two men” with:")
    expect(page.locator(".match")).to_have_count(4)
    page.keyboard.press("x")
    expect(page.get_by_role("status").filter(has_text="begins with “x”")).to_be_visible()
    page.keyboard.press("Escape")
    expect(chunk(page, 0, 0)).to_be_focused()
    assert value_of(page) is None
    for key in ("/", "a", "m"):  # “a crew” and “a man” begin with an A
        page.keyboard.press(key)
    assert links(page) == [(0, 2, None, None)]
    page.keyboard.press("z")
    for keys in (["/", "1", "s", "Shift+Digit3"], ["/", "2", "1", "Shift+Digit4"], ["f"], ["u", "a"], ["u", "n"]):
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
    assert chunks(page)["source"] == [[0], [1, 2], [3], [4], [5]]  # what it cuts through falls apart
    word(page, 1, 3).click()
    page.keyboard.press("x")
    assert chunks(page)["target"] == [[0, 1, 2], [3, 4, 5]]  # in front of the word pressed
    word(page, 0, 0).click()
    word(page, 0, 0).click()  # let go of again, and alone
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
    assert page.evaluate("heard.at(-1)").endswith(
        "The links of this chunk were removed. Press Undo to restore the links."
    )
    assert left(page) == [("source", 1, "NOALI"), ("target", 2, "NOALI"), ("target", 3, "NOALI")]
    page.keyboard.press("z")
    assert links(page) == [(0, 0, "SIMI", 3), (1, 1, "SPE1", 4)]
    chunk(page, 0, 1).click()
    page.keyboard.press("x")  # into its pieces
    assert chunks(page)["source"] == [[0, 1], [2], [3], [4], [5]]
    assert links(page) == [(0, 0, "SIMI", 3)]
    page.keyboard.press("Control+z")
    assert value_of(page)["links"] == LINKS


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────
def test_one_to_one_a_second_link_moves_the_first(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    pull(page, chunk(page, 0, 0), chunk(page, 1, 2))
    assert links(page) == [(0, 2, None, None), (1, 1, "SPE1", 4)]
    assert ("target", 2, "NOALI") not in left(page)  # it has a link now
    assert not complete(page)
    expect(pill(page, "Type? two men – a man")).to_have_attribute("aria-pressed", "true")
    assert (
        page.evaluate("heard.at(-1)")
        == "The chunks are linked: two men – a man. The link was removed: two men – a crew."
    )
    page.keyboard.press("Backspace")
    assert links(page) == [(1, 1, "SPE1", 4)]


@pytest.mark.parametrize("many", [False, True])
def test_an_end_that_moves_takes_type_and_score_along(editor: Callable[..., Page], *, many: bool) -> None:
    page = editor(value=DRAFT, many=many)
    drag(page, end_of(page, 1, 0), at(chunk(page, 1, 2)))
    assert links(page) == [(0, 2, "SIMI", 3), (1, 1, "SPE1", 4)]
    assert log(page)[-1] == ("move", "drag")
    expect(pill(page, "two men – a man")).to_have_attribute("aria-pressed", "true")
    drag(page, end_of(page, 1, 2), at(chunk(page, 1, 1)))  # where another link ends
    assert links(page) == ([(0, 1, "SIMI", 3)] + ([(1, 1, "SPE1", 4)] if many else []))
    if many:
        drag(page, end_of(page, 0, 0), at(chunk(page, 0, 1)))
        expect(told(page)).to_have_text("These two chunks already have a link: carried … out – rescued.")
    page.keyboard.press("z")
    page.keyboard.press("z")
    assert value_of(page)["links"] == LINKS


def end_of(page: Page, side: int, index: int) -> tuple[float, float]:
    """Return the end of a chunk's only link in the row layout."""
    box = chunk(page, side, index).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] - 9 if side else box["y"] + box["height"] + 9


def test_a_block_is_refused_one_to_one(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS)
    chunk(page, 0, 0).click()
    chunk(page, 0, 1).click(modifiers=["Shift"])
    chunk(page, 1, 0).click()
    expect(told(page)).to_contain_text("Each chunk can have only one link.")
    assert value_of(page) is None


def test_many_to_many(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS, many=True)
    assert page.get_by_role("button", name="No chunks match").is_visible()
    pull(page, chunk(page, 0, 0), chunk(page, 1, 0))
    pull(page, chunk(page, 0, 0), chunk(page, 1, 2))
    for key in ("r", "Shift+Digit2", "g", "e"):
        page.keyboard.press(key)
    assert links(page) == [(0, 0, "EQUI", 5), (0, 2, "REL", 2)]
    assert left(page) == [
        (side, n, "NOALI") for side, n in [("source", 1), ("source", 2), ("source", 3), ("target", 1), ("target", 3)]
    ]
    expect(chunk(page, 0, 3)).to_have_text(". NOALI")
    assert complete(page)
    assert accepted(page, many=True)["left"] == value_of(page)["left"]
    chunk(page, 0, 3).click()
    page.keyboard.press("a")
    expect(told(page)).to_contain_text("counts as NOALI")
    expect(page.get_by_role("radio", name="ALIC")).to_have_count(0)
    for link in ("two men – a man", "two men – a crew"):
        pill(page, link).click()
        page.keyboard.press("Backspace")
    assert not complete(page)  # that nothing matches is to be said
    page.get_by_role("button", name="No chunks match").click()
    assert complete(page)


def test_a_block_is_one_band_and_one_thing(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS, many=True)
    pull(page, chunk(page, 0, 0), chunk(page, 1, 0))
    for start, end in ((0, 1), (1, 0), (1, 1)):
        pull(page, chunk(page, 0, start), chunk(page, 1, end))
    expect(page.locator(".tie.band")).to_have_count(1)
    label = pill(page, "two men, carried … out – a crew, rescued")
    expect(label).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".inspect .sent")).to_have_text("two men, carried … out ↔ a crew, rescued")
    for key in ("s", "Shift+Digit3"):
        page.keyboard.press(key)
    assert links(page) == [(n, m, "SIMI", 3) for n in (0, 1) for m in (0, 1)]
    assert complete(page)
    page.keyboard.press("Backspace")
    assert links(page) == []
    page.keyboard.press("z")
    assert len(accepted(page, many=True)["links"]) == 4


# ── what cannot be said, and why ──────────────────────────────────────────────────────────────────────────────────
def test_scores_go_with_types(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    pill(page, "two men – a crew").click()
    legend = page.locator(".scores legend")
    expect(legend).to_contain_text("5 only for EQUI")
    for score, allowed in enumerate([False, True, True, True, True, False]):
        expect(option(page, "score", score)).to_be_enabled(enabled=allowed)
    page.keyboard.press("Shift+Digit5")
    expect(told(page)).to_contain_text("5 only for EQUI")
    assert value_of(page) == DRAFT
    page.keyboard.press("e")
    assert links(page)[0] == (0, 0, "EQUI", 5)  # sets it by itself
    expect(legend).to_contain_text("EQUI always has a score of 5")
    expect(option(page, "score", 4)).to_be_disabled()
    page.keyboard.press("o")
    assert links(page)[0] == (0, 0, "OPPO", None)  # and takes it along
    assert not complete(page)
    expect(pill(page, "two men – a crew")).to_contain_text("OPPO?")
    page.keyboard.press("n")
    expect(told(page)).to_contain_text("Remove the link first")
    chunk(page, 0, 3).click()
    page.keyboard.press("e")
    expect(told(page)).to_contain_text("has no link")


@pytest.mark.parametrize(
    ("broken", "missing"),
    [
        ({"links": [{**LINKS[0], "type": "EQUI"}, LINKS[1]]}, "two men – a crew needs a score"),
        ({"links": [{**LINKS[0], "score": 5}, LINKS[1]]}, "two men – a crew needs a score"),
        ({"links": [LINKS[0], {**LINKS[1], "type": None}]}, "carried … out – rescued needs a type"),
        ({"left": LEFT[1:]}, "Link “him”, or choose NOALI or ALIC"),
        ({"chunks": {**CHUNKS, "target": CHUNKS["target"][:3]}, "left": LEFT[:3]}, "1 word is not in a chunk yet: ."),
    ],
)
def test_what_is_not_whole_cannot_be_given(editor: Callable[..., Page], broken: Any, missing: str) -> None:
    page = editor(value={**DRAFT, **broken})
    expect(status(page)).to_contain_text(missing)
    assert not page.evaluate("value => editor.complete(value)", {**DRAFT, **broken})
    assert page.evaluate("value => editor.complete(value)", DRAFT)


def test_a_starting_point_is_right_as_it_stands(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS, links=LINKS)
    page.keyboard.press("Shift+n")
    assert complete(page)
    page = editor(chunks={"source": [[0, 1, 2, 3, 4, 5]], "target": [[0, 1, 2, 3, 4, 5]]}, links=[LINKS[0]])
    expect(status(page)).to_have_text(
        "You have not changed anything yet. Correct any wrong links, or confirm that everything is correct."
    )
    assert not complete(page)
    page.get_by_role("button", name="Everything is correct").click()
    assert complete(page)
    assert log(page) == [("reset", "button")]
    expect(status(page)).to_contain_text("Every chunk is linked or marked.")
    page.keyboard.press("y")  # once
    assert log(page) == [("reset", "button")]


def test_by_a_key_that_nothing_matches(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS, many=True)
    expect(status(page)).to_contain_text("No chunks are linked yet.")
    page.keyboard.press("y")
    assert complete(page)
    assert log(page) == [("left", "key")]


@pytest.mark.parametrize("touch", [False, True])
def test_a_press_on_what_is_missing_shows_the_place(editor: Callable[..., Page], touch: bool) -> None:
    page = editor(value={**DRAFT, "left": LEFT[1:]}, touch=touch, width=390 if touch else 1280)
    (status(page).tap if touch else status(page).click)()
    expect(page.locator(".inspect .sent")).to_have_text("him")
    expect(page.locator(".linker .face.chosen")).to_have_text("him ")


def test_enter_goes_on_after_a_press_on_a_label(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    pill(page, "two men – a crew").click()
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Enter")
    assert links(page)[0] == (0, 0, "SIMI", 2)
    assert page.evaluate("entered") == 1


# ── undo, drafts, looking ─────────────────────────────────────────────────────────────────────────────────────────
def test_undo_and_redo_over_everything(editor: Callable[..., Page]) -> None:
    page = editor()
    page.keyboard.press("w")
    page.keyboard.press("c")
    pull(page, chunk(page, 0, 0), chunk(page, 1, 1))
    for key in ("s", "Shift+Digit2", "l"):
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
    for key in ("e", "Shift+Digit1", "Backspace", "Control+z", "Shift+n"):
        page.keyboard.press(key)
    assert page.evaluate("window.heard") == []
    expect(page.get_by_role("button", name="Join")).to_be_hidden()


# ── what is seen ──────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("width", [390, 1280])
def test_labels_never_overlap(editor: Callable[..., Page], width: int) -> None:
    words = " ".join(f"w{n}" for n in range(12))
    every = {"source": [[n] for n in range(12)], "target": [[n] for n in range(12)]}
    crowd = [(n, n) for n in range(12)] + [(n, 11 - n) for n in range(0, 12, 2)]
    crowded = [{"source": n, "target": m, "type": "SIMI", "score": 3, "flags": []} for n, m in crowd]
    page = editor(words, words, width=width, many=True, value={**DRAFT, "chunks": every, "links": crowded, "left": []})
    expect(page.locator(".pill")).to_have_count(len(crowded))
    assert page.evaluate(OVERLAPS, ".pill") == 0
    assert page.evaluate(OVERLAPS, ".pill, .linker .tok") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rows_where_both_fit_and_columns_otherwise(editor: Callable[..., Page]) -> None:
    long = " ".join(f"word{n}" for n in range(50))
    groups = [[n, n + 1] for n in range(0, 50, 2)]
    page = editor(value=DRAFT)
    expect(page.locator(".board.rows")).to_be_visible()
    page.set_viewport_size({"width": 600, "height": 800})
    expect(page.locator(".board.columns")).to_be_visible()
    page = editor(long, long, chunks={"source": groups, "target": groups})
    expect(page.locator(".board.columns")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def is_in_sight(locator: Locator) -> bool:
    box, height = locator.bounding_box(), locator.page.viewport_size["height"]  # type: ignore[index]
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def test_along_a_long_pair_tools_panel_and_status_stay_in_sight(editor: Callable[..., Page]) -> None:
    long = " ".join(f"word{n}" for n in range(50))
    groups = [[n, n + 1] for n in range(0, 50, 2)]
    every = [{"source": n, "target": n, "type": "SIMI", "score": 3, "flags": []} for n in range(25)]
    value = {**DRAFT, "chunks": {"source": groups, "target": groups}, "links": every, "left": []}
    page = editor(long, long, width=1366, value=value)
    page.set_viewport_size({"width": 1366, "height": 768})
    pill(page, "word20 word21").click()
    page.evaluate("scrollBy({ top: 500, behavior: 'instant' })")
    assert page.evaluate("scrollY") > 200
    for part in (".bar", ".inspect", ".foot"):
        assert is_in_sight(page.locator(part)), part
    page.keyboard.press("/")  # all are linked
    expect(told(page)).to_have_text("Every chunk is linked or marked.")


def test_a_chunk_in_the_running_text_lights_its_counterpart(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT, width=700)
    page.locator(".texts [data-token='4']").first.hover()  # in the chunk “carried … out”
    expect(page.locator(".texts .on")).to_have_text(["carried ", "out "])
    expect(page.locator(".texts .mate")).to_have_text(["rescued "])
    expect(chunk(page, 1, 1)).to_have_class(re.compile("mate"))
    chunk(page, 1, 0).hover()
    expect(page.locator(".texts .mate")).to_have_text(["two ", "men "])


def test_on_the_narrowest_phone_each_button_shows_what_it_is(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT, width=320, touch=True)
    for button in page.locator(".bar .b:visible").all():
        parts = button.locator("svg, span").evaluate_all("all => all.map(part => part.getBoundingClientRect().width)")
        assert max(parts) > 8, button.get_attribute("class")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_selected_states_show_in_forced_colours(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    page.emulate_media(forced_colors="active")
    pill(page, "two men – a crew").click()
    for chosen, other in [
        (".seg .b[aria-checked='true']", ".seg .b[aria-checked='false']"),
        (".types input:checked + label", ".types input:not(:checked) + label"),
        (".pill.chosen", ".pill:not(.chosen)"),
    ]:
        looks = [
            page.locator(each).first.evaluate("e => getComputedStyle(e).backgroundColor") for each in (chosen, other)
        ]
        assert looks[0] != looks[1], chosen


def test_right_to_left(editor: Callable[..., Page]) -> None:
    page = editor("رفضت الهيئة الخطة", "لم تقبل الخطة", language="ar")
    pull(page, word(page, 0, 0), word(page, 0, 1))
    page.keyboard.press("w")
    assert chunks(page)["source"] == [[0, 1], [2]]
    assert at(word(page, 0, 0))[0] > at(word(page, 0, 2))[0]
    page.get_by_role("button", name="Link the chunks").click()
    assert at(chunk(page, 0, 0))[0] > at(chunk(page, 0, 1))[0]
    expect(chunk(page, 0, 0)).to_be_focused()
    assert page.locator(".foot .says bdi").count() == 1  # words of another direction leave the sentence as it is
    page.keyboard.press("ArrowLeft")
    expect(chunk(page, 0, 1)).to_be_focused()
    page.keyboard.press("/")
    assert arabic_outside_isolates(page) == []
    for key in ("3", "s", "Shift+Digit3", "Backspace", "u", "n"):
        page.keyboard.press(key)
        assert arabic_outside_isolates(page) == []
    assert len(page.evaluate("heard")) == 7


def test_feedback_side_by_side(editor: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    page = editor(value=DRAFT)
    own = {**DRAFT, "links": [{**LINKS[0], "score": 2}, {**LINKS[1], "target": 2}]}
    sentence = page.evaluate(
        "both => editor.feedback(document.getElementById('feedback'), both)", {"expected": DRAFT, "given": own}
    )
    assert sentence == "1 of your links was not expected. 1 expected link is missing. 1 link has a different score."
    labels = [stage.locator(".pill").all_inner_texts() for stage in page.locator("#feedback .stage").all()]
    assert [[text.replace("\n", " ") for text in side] for side in labels] == [
        ["≠ SIMI 2", "− SPE1 F 4"],
        ["≠ SIMI 3", "+ SPE1 F 4"],
    ]
    axe(page)
    stops = [{"source": 3, "target": 3, "type": "EQUI", "score": 5, "flags": []}]
    apart = {"expected": {**DRAFT, "links": LINKS + stops, "left": LEFT[:1] + LEFT[2:3]}, "given": DRAFT}
    feedback = "both => editor.feedback(document.getElementById('feedback'), both)"
    assert page.evaluate(feedback, apart) == ""  # final punctuation need not be linked
    expect(page.locator("#feedback .missed")).to_have_count(0)
    same = page.evaluate(
        "both => editor.feedback(document.getElementById('feedback'), both)", {"expected": DRAFT, "given": DRAFT}
    )
    assert same == ""


@pytest.mark.parametrize("given", [DRAFT, {**DRAFT, "links": LINKS[:1]}, {**DRAFT, "links": []}])
def test_agrees_as_the_server_grades(editor: Callable[..., Page], given: Any) -> None:
    from alignment_ui.chunks.tasktype import Chunks

    page = editor()
    payload = {"source": SOURCE.split(), "target": TARGET.split()}
    graded = Chunks().grade(payload, DRAFT, given, {"f1": 0.7})
    assert page.evaluate("([given, expected]) => editor.agrees(given, expected)", [given, DRAFT]) is graded.passed


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing(editor: Callable[..., Page], axe: Callable[[Page], None], width: int, scheme: Any) -> None:
    page = editor(value={**DRAFT, "links": [LINKS[0], {**LINKS[1], "type": None}], "left": LEFT[:2]}, width=width)
    page.emulate_media(color_scheme=scheme)
    pill(page, "two men – a crew").click()
    axe(page)
    page.keyboard.press("c")
    word(page, 0, 2).click()
    axe(page)
