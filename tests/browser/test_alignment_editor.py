"""Tests of the word-alignment editor in a real browser by mouse, touch and keyboard: the answers, the log and the
messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from alignment_ui.words.tasktype import Words
from tests.aligning import centre, drag, value_of, word
from tests.annotating import until
from tests.word_editor import LONG, SHORT, SUGGESTED, Finger, links, log, middle

ARABIC = ("رفضت الهيئة الخطة", "لم تقبل الخطة")


# ── the whole task, three times ───────────────────────────────────────────────────────────────────────────────────
def test_by_mouse(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    word(page, 1, 3).click()
    word(page, 0, 2).click()
    page.get_by_role("radio", name="Possible").click()
    drag(page, centre(page, 1, 1), centre(page, 0, 1))
    assert links(page) == ([[0, 0], [2, 3]], [[1, 1]])
    assert log(page) == [
        ("sure", "drag", [[0, 0]]),
        ("sure", "tap", [[2, 3]]),
        ("possible", "drag", [[1, 1]]),
    ]
    times = [entry[0] for entry in value_of(page)["log"]]
    assert times == sorted(times)
    assert all(isinstance(time, int) and time >= 0 for time in times)
    assert page.evaluate("editor.complete(window.value)")


def test_by_touch(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, width=390, touch=True)
    expect(page.locator(".board.columns")).to_be_visible()
    for side, index in ((0, 0), (1, 0), (0, 2), (1, 3)):
        word(page, side, index).tap()
    assert links(page) == ([[0, 0], [2, 3]], [])
    finger = Finger(page)
    finger.drag(centre(page, 0, 1), centre(page, 1, 1))
    finger.drag(centre(page, 1, 1), centre(page, 1, 2), hold=True)  # along a side: picks up both
    word(page, 0, 1).tap()
    assert links(page)[0] == [[0, 0], [1, 1], [1, 2], [2, 3]]
    page.touchscreen.tap(*middle(page, 2, 3))
    bar = page.get_by_role("group", name="early – early")
    bar.get_by_role("button", name="Possible").tap()
    assert links(page) == ([[0, 0], [1, 1], [1, 2]], [[2, 3]])
    bar.get_by_role("button", name="Remove").tap()
    expect(bar).to_be_hidden()
    assert links(page) == ([[0, 0], [1, 1], [1, 2]], [])
    assert [op for op, _, _ in log(page)][-2:] == ["possible", "remove"]


def test_by_keyboard_alone(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    keys = page.keyboard
    page.locator("#question").focus()
    keys.press("Tab")
    expect(page.get_by_role("radio", name="Sure")).to_be_focused()
    keys.press("Tab")
    expect(word(page, 0, 0)).to_be_focused()
    keys.press("Space")  # picks up
    expect(word(page, 0, 0)).to_have_attribute("aria-selected", "true")
    keys.press("ArrowDown")  # the nearest of the other sentence
    keys.press("Home")
    expect(word(page, 1, 0)).to_be_focused()
    keys.press("Space")
    assert links(page) == ([[0, 0]], [])
    for key in ("d", "Tab"):
        keys.press(key)
    assert page.evaluate("document.activeElement.closest('.toks') === null")  # beyond both sentences
    keys.press("Shift+Tab")
    keys.press("End")
    keys.press("Space")
    keys.press("ArrowUp")
    keys.press("End")
    keys.press("Space")
    assert links(page) == ([[0, 0]], [[2, 3]])
    keys.press("s")  # new links are sure again: nothing picked up, so no link is in focus
    keys.press("t")  # the word's link turns
    assert links(page) == ([[0, 0], [2, 3]], [])
    keys.press("Backspace")
    assert links(page) == ([[0, 0]], [])
    keys.press("Enter")
    assert page.evaluate("window.entered") == 1
    assert {via for _, via, _ in log(page)} == {"key"}


# ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_block_by_shift_and_a_drag(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    word(page, 0, 0).click()
    word(page, 0, 1).click(modifiers=["Shift"])
    word(page, 1, 0).click(modifiers=["Shift"])
    word(page, 1, 1).click(modifiers=["Shift"])
    expect(page.locator(".says")).to_contain_text("Enter")
    drag(page, centre(page, 0, 1), centre(page, 1, 0))
    assert links(page)[0] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert log(page) == [("sure", "drag", [[0, 0], [0, 1], [1, 0], [1, 1]])]
    page.keyboard.press("Control+z")
    assert links(page) == ([], [])  # one command


def test_a_steep_drag_links_the_word_that_it_began_from(editor: Callable[..., Page]) -> None:
    page = editor(" ".join("abcdefghij"), " ".join("klmnopqrst"), width=600)
    expect(page.locator(".board.columns")).to_be_visible()
    (x, top), (beyond, bottom) = centre(page, 0, 0), centre(page, 1, 8)
    page.mouse.move(x, top)
    page.mouse.down()
    page.mouse.move(x, centre(page, 0, 6)[1], steps=8)  # over its neighbours
    expect(page.get_by_role("option", selected=True)).to_have_count(7)
    page.mouse.move(beyond, bottom, steps=8)
    expect(page.get_by_role("option", selected=True)).to_have_count(0)
    page.mouse.up()
    assert links(page) == ([[0, 8]], [])


def test_escape_gives_a_drag_up(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    page.mouse.move(*centre(page, 0, 1))
    page.mouse.down()
    page.mouse.move(*centre(page, 1, 3), steps=3)
    page.keyboard.press("Escape")
    expect(page.locator(".above .tie")).to_have_count(0)
    page.mouse.up()
    assert value_of(page) is None


def test_a_block_by_lasso_and_enter(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    (left, top), (right, bottom) = centre(page, 0, 0), centre(page, 1, 2)
    drag(page, (left - 150, top - 4), (right - 5, bottom + 4))
    chosen = [
        [n for n in range(len(words)) if word(page, side, n).get_attribute("aria-selected") == "true"]
        for side, words in enumerate((["he", "left", "early"], ["she", "went", "away", "early"]))
    ]
    assert chosen[0][:2] == [0, 1]
    assert chosen[1] == [0, 1, 2]
    page.keyboard.press("Enter")
    assert page.evaluate("window.entered") == 0  # the block came first
    assert log(page) == [("sure", "key", [[i, j] for i in chosen[0] for j in chosen[1]])]
    page.keyboard.press("Enter")
    assert page.evaluate("window.entered") == 1


def test_a_block_by_shift_and_arrows(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    word(page, 0, 0).focus()
    for key in ("Shift+ArrowRight", "ArrowDown", "Home", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert links(page)[0] == [[i, j] for i in (0, 1) for j in (0, 1, 2)]


# ── kinds, and taking away ────────────────────────────────────────────────────────────────────────────────────────
def test_linking_again_removes_and_another_kind_replaces(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    there = (centre(page, 0, 0), centre(page, 1, 0))
    drag(page, *there)
    page.keyboard.press("d")
    drag(page, *there)
    assert links(page) == ([], [[0, 0]])
    drag(page, *there)
    assert links(page) == ([], [])
    assert [op for op, _, _ in log(page)] == ["sure", "possible", "remove"]
    assert not page.evaluate("editor.complete(window.value)")  # no link, and not said that nothing matches
    page.get_by_role("button", name="No words match").click()
    assert page.evaluate("editor.complete(window.value)")
    assert log(page)[-1] == ("confirm", "button", [])


def test_a_link_is_pressed_and_its_bar_changes_it(editor: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    page.mouse.click(*middle(page, 0, 0))
    assert value_of(page) is None  # selecting changes nothing
    bar = page.get_by_role("group", name="he – she")
    expect(bar.get_by_role("button", name="Sure")).to_have_attribute("aria-pressed", "true")
    axe(page)
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    page.mouse.click(*middle(page, 0, 0))
    bar.get_by_role("button", name="Possible").click()
    expect(bar.get_by_role("button", name="Possible")).to_have_attribute("aria-pressed", "true")
    assert links(page) == ([[2, 3]], [[0, 0], [1, 1]])
    bar.get_by_role("button", name="Remove").click()
    assert links(page) == ([[2, 3]], [[1, 1]])
    page.mouse.move(5, 5)
    expect(page.locator(".board.lit")).to_have_count(0)  # there is nothing to highlight
    page.mouse.click(*middle(page, 2, 3), button="right")
    assert links(page) == ([], [[1, 1], [2, 3]])
    page.mouse.move(*middle(page, 1, 1))
    page.keyboard.press("s")  # that of the link in focus
    assert links(page) == ([[1, 1]], [[2, 3]])


def test_undo_and_redo(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    drag(page, centre(page, 0, 1), centre(page, 1, 2))
    page.keyboard.press("Control+z")
    assert links(page) == ([[0, 0], [2, 3]], [[1, 1]])
    page.keyboard.press("Control+Shift+z")
    assert links(page)[0] == [[0, 0], [1, 2], [2, 3]]
    undo.click()
    page.keyboard.press("Shift+z")
    page.keyboard.press("z")
    expect(redo).to_have_attribute("aria-disabled", "false")
    back = page.get_by_role("button", name="Reset to the suggestion")
    expect(back).to_have_attribute("aria-disabled", "true")  # is so already
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    expect(redo).to_have_attribute("aria-disabled", "true")
    back.click()
    assert links(page) == ([[0, 0], [2, 3]], [[1, 1]])
    assert [op for op, _, _ in log(page)] == ["sure", "undo", "redo", "undo", "redo", "undo", "remove", "reset"]


def test_right_as_suggested(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    assert not page.evaluate("editor.complete(null)")
    assert not page.evaluate("links => editor.complete({...links, log: []})", SUGGESTED)
    assert page.evaluate("links => editor.complete(links)", SUGGESTED)  # drawn elsewhere: without a log
    page.keyboard.press("a")
    assert value_of(page) == {**SUGGESTED, "log": [[value_of(page)["log"][0][0], "confirm", "key", []]]}
    assert page.evaluate("editor.complete(window.value)")
    expect(page.get_by_role("button", name="The suggested links are correct")).to_be_hidden()
    expect(page.locator(".said")).to_have_text("The suggested links are correct")


# ── what is seen ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_draft_is_taken_up_again(editor: Callable[..., Page]) -> None:
    draft = {"sure": [[0, 0]], "possible": [[1, 2]], "log": [[10, "remove", "tap", [[2, 3]]]]}
    page = editor(*SHORT, prealignment=SUGGESTED, value=draft)
    expect(page.locator(".board .tie")).to_have_count(2)
    page.get_by_role("button", name="Show changes").click()
    expect(page.locator(".board .tie.added")).to_have_count(1)
    expect(page.locator(".board .tie.removed .sign")).to_have_count(2)
    expect(page.locator(".says")).to_have_text("2 links, 1 possible; 3 words without a link; 1 added, 2 removed")
    drag(page, centre(page, 0, 2), centre(page, 1, 3))
    assert log(page) == [("remove", "tap", [[2, 3]]), ("sure", "drag", [[2, 3]])]
    expect(page.locator(".board .tie.removed")).to_have_count(1)  # as suggested again
    page.mouse.click(*middle(page, 1, 1))  # a removed link is restored when it is pressed
    assert links(page) == ([[0, 0], [2, 3]], [[1, 1], [1, 2]])


def test_a_draft_with_links_to_no_word_is_taken_up_without_them(editor: Callable[..., Page]) -> None:
    page = editor(
        *SHORT, value={"sure": [[0, 0], [0, 99]], "possible": [[99, 1]], "log": [[9, "sure", "drag", [[0, 0]]]]}
    )
    expect(page.locator(".board .tie")).to_have_count(1)
    drag(page, centre(page, 0, 1), centre(page, 1, 1))
    assert links(page) == ([[0, 0], [1, 1]], [])


def test_hover_dims_all_other_links(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    page.mouse.move(*centre(page, 0, 1))
    expect(page.locator(".board .tie.on")).to_have_count(1)
    expect(page.locator(".board .tie.on")).to_have_class(re.compile("possible"))
    other = page.locator(".board .tie:not(.on)").first
    assert other.evaluate("tie => Number(getComputedStyle(tie).strokeOpacity)") < 0.5
    expect(page.locator(".says")).to_contain_text("left: possible link with went.")
    expect(word(page, 1, 1)).to_have_class(re.compile("mate"))
    expect(word(page, 1, 2)).to_have_class(re.compile("loose"))
    expect(word(page, 0, 2)).to_have_class(re.compile("same"))
    page.mouse.move(5, 5)
    expect(page.locator(".board .tie.on")).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "source", "layout"),
    [
        (1280, SHORT[0], "rows"),
        (1280, LONG, "columns"),
        (1280, " ".join(LONG.split()[:22]), "columns"),
        (1880, " ".join(LONG.split()[:22]), "rows"),
        (600, SHORT[0], "columns"),
    ],
)
def test_rows_only_where_both_sentences_fit(editor: Callable[..., Page], width: int, source: str, layout: str) -> None:
    page = editor(source, SHORT[1], width=width)
    expect(page.locator(f".board.{layout}")).to_be_visible()
    expect(page.locator(".toks")).to_have_count(2)
    for toks in page.locator(".toks").all():
        boxes = toks.evaluate("toks => [...toks.children].map(tok => tok.getBoundingClientRect().toJSON())")
        assert boxes
        assert len({box["y" if layout == "rows" else "x"] for box in boxes}) == 1
        assert all(box["width"] >= 24 and box["height"] >= 24 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_layout_follows_the_window(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    expect(page.locator(".board.rows")).to_be_visible()
    page.set_viewport_size({"width": 500, "height": 800})
    expect(page.locator(".board.columns")).to_be_visible()
    page.mouse.click(*middle(page, 0, 0))  # where the link is now
    expect(page.get_by_role("group", name="he – she")).to_be_visible()


def test_right_to_left_runs_from_the_right(editor: Callable[..., Page]) -> None:
    page = editor(*ARABIC, language="ar", prealignment={"sure": [[2, 2]], "possible": []})
    places = [centre(page, 0, index)[0] for index in range(3)]
    assert places == sorted(places, reverse=True)
    end = page.locator(".board .tie > circle").first.bounding_box()
    assert end
    assert abs(end["x"] + end["width"] / 2 - places[2]) < 2  # measured, so the link is where its word is
    word(page, 0, 0).focus()
    page.keyboard.press("ArrowLeft")
    expect(word(page, 0, 1)).to_be_focused()
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    assert links(page)[0] == [[0, 0], [2, 2]]
    page.set_viewport_size({"width": 390, "height": 800})
    until(page, lambda: centre(page, 0, 0)[1] < centre(page, 0, 1)[1])  # the board follows the width in its next frame
    text = """tok => { const range = document.createRange(); range.selectNodeContents(tok);
        const [words, box] = [range.getBoundingClientRect(), tok.getBoundingClientRect()];
        return [words.left - box.left, box.right - words.right]; }"""
    (left, right), (other_left, other_right) = (word(page, side, 0).evaluate(text) for side in (0, 1))
    assert right < left  # in columns words lie next to where links meet them
    assert other_left < other_right


def test_the_same_word_twice_is_two_words(editor: Callable[..., Page]) -> None:
    page = editor("the cat the dog", "the dog the cat")
    drag(page, centre(page, 0, 2), centre(page, 1, 0))
    assert links(page)[0] == [[2, 0]]


# ── the matrix ────────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_matrix_says_and_does_the_same(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    page.keyboard.press("m")
    grid = page.get_by_role("grid")
    expect(grid.get_by_role("gridcell", name="he – she: sure, as suggested")).to_be_visible()
    assert grid.locator("td[tabindex='0']").count() == 1
    grid.locator("td[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(grid.get_by_role("gridcell", name="left – away: not linked")).to_be_focused()
    page.keyboard.press("Space")
    expect(grid.get_by_role("gridcell", name="left – away: sure, added by you")).to_be_focused()
    expect(page.locator("#spoken")).to_have_text("left – away: sure")
    assert log(page) == [("sure", "matrix", [[1, 2]])]
    page.keyboard.press("d")
    assert links(page)[1] == [[1, 1], [1, 2]]
    page.keyboard.press("Backspace")
    expect(grid.get_by_role("gridcell", name="left – away: not linked")).to_be_focused()
    page.keyboard.press("Control+Home")
    expect(grid.get_by_role("gridcell", name="he – she: sure, as suggested")).to_be_focused()
    expect(page.locator(".board .tie.on")).to_have_count(1)  # lit in both views
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    expect(grid.get_by_role("gridcell", name="he – she: suggestion removed")).to_be_attached()
    grid.get_by_role("gridcell", name="early – early").first.click()  # in the middle, where identical words have a dot
    assert links(page)[0] == []


def test_the_matrix_stays_shown_and_is_left_out_on_a_phone(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    page.get_by_role("button", name="Table").click()
    page.evaluate("begin(null)")
    expect(page.get_by_role("grid")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.get_by_role("grid")).to_be_hidden()
    expect(page.get_by_role("button", name="Table")).to_be_hidden()


def test_the_toolbar_has_one_tab_stop(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    bar = page.get_by_role("toolbar")
    assert bar.locator("[tabindex='0']").count() == 1
    bar.locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Possible")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name="Possible")).to_be_checked()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Table")).to_be_focused()
    assert bar.locator("[tabindex='0']").count() == 1


# ── deciding ──────────────────────────────────────────────────────────────────────────────────────────────────────
def test_several_peoples_links_are_laid_over_each_other(editor: Callable[..., Page]) -> None:
    drawings = [
        {"sure": [[0, 0], [2, 3]], "possible": [], "log": []},
        {"sure": [[0, 0], [1, 1]], "possible": [[2, 3]], "log": []},
    ]
    given = [{"name": f"person-{n}", "words": "", "value": value} for n, value in enumerate(drawings)]
    page = editor(*SHORT, prealignment=SUGGESTED, given=given)
    expect(page.locator(".board .tie.proposed")).to_have_count(2)  # all agree on the third
    expect(page.locator(".legend")).to_contain_text("Aperson-0")
    assert sorted(page.locator(".board .sign text").all_text_contents()) == ["AB", "B"]
    page.mouse.click(*middle(page, 1, 1))
    assert links(page) == ([[0, 0], [1, 1]], [])
    expect(page.locator(".board .tie.proposed")).to_have_count(1)
    expect(page.locator(".board .sign text")).to_have_count(2)  # who drew it is still said


# ── only looking ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_disabled_shows_and_takes_nothing(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED, value={**SUGGESTED, "log": []}, disabled=True)
    drag(page, centre(page, 0, 1), centre(page, 1, 2))
    word(page, 0, 0).click()
    page.mouse.click(*middle(page, 0, 0))
    for key in ("Control+z", "d", "a", "Backspace"):
        page.keyboard.press(key)
    assert page.evaluate("window.heard") == []
    expect(page.get_by_role("radio")).to_have_count(0)
    page.mouse.move(*centre(page, 0, 1))
    expect(page.locator(".board .tie.on")).to_have_count(1)  # looking is allowed


def test_feedback_does_not_mark_links_between_identical_words(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    expected = {
        "sure": [[0, 0], [2, 3]],
        "possible": [],
    }  # the last words are identical, and grading ignores their link
    both = {"expected": expected, "given": {"sure": [[0, 0], [1, 1]], "possible": []}}
    sentence = page.evaluate("both => editor.feedback(document.getElementById('feedback'), both)", both)
    assert sentence == "1 of your links was not expected."
    expect(page.locator("#feedback .board .tie.missed")).to_have_count(0)
    expect(page.locator("#feedback .board .tie.extra .sign")).to_have_count(1)


def test_feedback_lays_both_side_by_side(editor: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    page = editor(SHORT[0], "she went away soon")
    given = {"sure": [[0, 0], [1, 2]], "possible": [[2, 3]]}
    sentence = page.evaluate(
        "both => editor.feedback(document.getElementById('feedback'), both)",
        {"expected": {"sure": [[0, 0], [2, 3]], "possible": [[1, 1]]}, "given": given},
    )
    assert sentence == (
        "1 of your links was not expected. 1 expected link is missing. "
        "1 link is sure in one answer and possible in the other."
    )
    own, right = page.locator("#feedback .stage").all()
    expect(own.get_by_role("heading")).to_have_text("Your links")
    expect(own.locator(".board .tie.extra .sign")).to_have_count(1)
    expect(right.locator(".board .tie.missed .sign")).to_have_count(1)
    for side in (own, right):
        expect(side.locator(".board .tie.changed .sign")).to_have_count(1)
    axe(page)
    same = {"expected": given, "given": given}
    assert page.evaluate("both => editor.feedback(document.getElementById('feedback'), both)", same) == ""


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(editor: Callable[..., Page], axe: Callable[[Page], None], width: int) -> None:
    page = editor(*SHORT, width=width, prealignment=SUGGESTED)
    page.keyboard.press("m")
    page.keyboard.press("c")
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    word(page, 0, 2).click()  # something is picked up, all else is dimmed
    axe(page)
    page.keyboard.press("/")
    axe(page)
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")
    (x1, y1), (x2, y2) = centre(page, 0, 2), centre(page, 1, 3)
    page.mouse.click((x1 + x2) / 2, (y1 + y2) / 2)
    expect(page.locator(".linkbar")).to_be_visible()
    axe(page)


def test_agrees_as_the_server_grades(editor: Callable[..., Page]) -> None:
    words = ("the ferry left at dusk", "the boat left before night")
    random = np.random.default_rng(7)
    cells = [[i, j] for i in range(5) for j in range(5)]

    def drawn() -> dict[str, Any]:
        kinds = random.choice(["sure", "possible", ""], size=len(cells), p=[0.2, 0.1, 0.7])
        found = {
            kind: [cell for cell, of in zip(cells, kinds, strict=True) if of == kind] for kind in ("sure", "possible")
        }
        return {**found, "log": [[0, "confirm", "button", []]]}

    known = {"sure": [[0, 0], [1, 1], [2, 2], [4, 4]], "possible": [[3, 3]]}
    near = [{**known, "sure": known["sure"][:n], "log": [[0, "confirm", "button", []]]} for n in range(5)]
    pairs = [(given, known) for given in near] + [(drawn(), drawn()) for _ in range(200)]
    page = editor(*words)
    told = page.evaluate("pairs => pairs.map(([given, expected]) => editor.agrees(given, expected))", pairs)
    payload = {"source": words[0].split(), "target": words[1].split()}
    options = {"f1": 0.7, "ignore_identical": True}
    graded = [Words().grade(payload, expected, given, options).passed for given, expected in pairs]
    assert told == graded
    assert {True, False} <= set(graded)
