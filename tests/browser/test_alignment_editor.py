"""Tests of the word-alignment editor in a real browser by mouse, touch and keyboard: the answers, the log and the
messages.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import centre, drag, value_of, word
from tests.word_editor import SHORT, SUGGESTED, Finger, links, log, middle


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
    (x, top), (beyond, bottom) = centre(page, 0, 0), centre(page, 1, 7)
    page.mouse.move(x, top)
    page.mouse.down()
    page.mouse.move(x, centre(page, 0, 5)[1], steps=8)  # over its neighbours
    expect(page.get_by_role("option", selected=True)).to_have_count(6)
    page.mouse.move(beyond, bottom, steps=8)
    expect(page.get_by_role("option", selected=True)).to_have_count(0)
    page.mouse.up()
    assert links(page) == ([[0, 7]], [])


@pytest.mark.parametrize("width", [600, 1280])
def test_a_drag_that_rests_on_the_last_of_several_words_links_them_all(editor: Callable[..., Page], width: int) -> None:
    page = editor("a b c d e", "v w x y z", width=width)
    expect(page.locator(".board.columns" if width == 600 else ".board.rows")).to_be_visible()
    sweep(page, [(0, 1), (0, 3)], (1, 4))
    assert links(page)[0] == [[1, 4], [2, 4], [3, 4]]
    assert log(page) == [("sure", "drag", [[1, 4], [2, 4], [3, 4]])]
    drag(page, centre(page, 1, 0), centre(page, 1, 1))  # two words of the other sentence are selected first
    sweep(page, [(0, 0), (0, 1)], (1, 1))
    assert links(page)[0] == [[0, 0], [0, 1], [1, 0], [1, 1], [1, 4], [2, 4], [3, 4]]


def test_a_drag_that_returns_to_its_word_links_only_this_word(editor: Callable[..., Page]) -> None:
    page = editor("a b c d e", "v w x y z", width=600)
    sweep(page, [(0, 1), (0, 3), (0, 1)], (1, 1))
    assert links(page)[0] == [[1, 1]]


def sweep(page: Page, along: list[tuple[int, int]], end: tuple[int, int]) -> None:
    """Drag along words of one sentence, rest on each of these words, and drag to a word of the other sentence."""
    page.mouse.move(*centre(page, *along[0]))
    page.mouse.down()
    for node in along[1:]:
        page.mouse.move(*centre(page, *node), steps=8)
        expect(page.locator(".above .tie")).to_have_count(0 if node == along[0] else 1)
        expect(word(page, *node)).to_have_attribute("aria-selected", str(node != along[0]).lower())
    page.mouse.move(*centre(page, *end), steps=8)
    page.mouse.up()


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


@pytest.mark.nightly
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
