"""Tests of links in the chunk editor: one to one, many to many, types, scores and what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import drag, value_of
from tests.chunking import (
    CHUNKS,
    DRAFT,
    LEFT,
    LINKS,
    accepted,
    at,
    chunk,
    complete,
    left,
    links,
    log,
    option,
    pill,
    pull,
    status,
    told,
)


@pytest.fixture
def editor(chunk_editor: Callable[..., Page]) -> Callable[..., Page]:
    return chunk_editor


def test_one_to_one_a_second_link_moves_the_first(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    pull(page, chunk(page, 0, 0), chunk(page, 1, 2))
    assert links(page) == [(0, 2, None, None), (1, 1, "SPE1", 4)]
    assert ("target", 2, "NOALI") not in left(page)  # it has a link now
    assert not complete(page)
    expect(pill(page, "Type? two men – a man")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("heard.at(-1)") == "two men – a man: linked instead"
    page.keyboard.press("Backspace")
    assert links(page) == [(1, 1, "SPE1", 4)]


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_many_to_many(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS, many=True)
    assert page.get_by_role("button", name="No chunks match").is_visible()
    pull(page, chunk(page, 0, 0), chunk(page, 1, 0))
    pull(page, chunk(page, 0, 0), chunk(page, 1, 2))
    for key in ("r", "2", "g", "e"):
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
    assert not complete(page)  # the annotator must state that nothing matches
    page.get_by_role("button", name="No chunks match").click()
    assert complete(page)


@pytest.mark.nightly
def test_a_block_is_one_band_and_one_thing(editor: Callable[..., Page]) -> None:
    page = editor(chunks=CHUNKS, many=True)
    pull(page, chunk(page, 0, 0), chunk(page, 1, 0))
    for start, end in ((0, 1), (1, 0), (1, 1)):
        pull(page, chunk(page, 0, start), chunk(page, 1, end))
    expect(page.locator(".links:not(.raised) .tie.band")).to_have_count(1)
    label = pill(page, "two men, carried … out – a crew, rescued")
    expect(label).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".inspect .sent")).to_have_text("two men, carried … out ↔ a crew, rescued")
    for key in ("s", "3"):
        page.keyboard.press(key)
    assert links(page) == [(n, m, "SIMI", 3) for n in (0, 1) for m in (0, 1)]
    assert complete(page)
    page.keyboard.press("Backspace")
    assert links(page) == []
    page.keyboard.press("z")
    assert len(accepted(page, many=True)["links"]) == 4


# ── rejected annotations, and the reasons ─────────────────────────────────────────────────────────────────────────
def test_scores_go_with_types(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    pill(page, "two men – a crew").click()
    legend = page.locator(".scores legend")
    expect(legend).to_contain_text("5 only for EQUI")
    for score, allowed in enumerate([True, True, True, True, False], 1):
        expect(option(page, "score", score)).to_be_enabled(enabled=allowed)
    page.keyboard.press("5")
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
    page.keyboard.press("t")
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
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    assert links(page)[0] == (0, 0, "SIMI", 2)
    assert page.evaluate("entered") == 1
