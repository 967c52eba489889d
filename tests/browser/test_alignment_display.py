"""Tests of what the editor of word alignment shows: drafts, layouts, right-to-left text, and several people's links."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from alignment_ui.words.tasktype import Words
from tests.aligning import centre, drag, word
from tests.annotating import until
from tests.chromium import check_width
from tests.word_editor import LONG, SHORT, SUGGESTED, links, log, middle

ARABIC = ("رفضت الهيئة الخطة", "لم تقبل الخطة")


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
    expect(page.locator(".board .links.raised .tie")).to_have_count(1)
    others = page.locator(".board .links", has=page.locator(".tie:not(.on)"))
    assert others.evaluate("layer => Number(getComputedStyle(layer).opacity)") < 0.5
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
    check_width(page)


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


def test_several_peoples_links_are_laid_over_each_other(editor: Callable[..., Page]) -> None:
    drawings = [
        {"sure": [[0, 0], [2, 3]], "possible": [], "log": []},
        {"sure": [[0, 0], [1, 1]], "possible": [[2, 3]], "log": []},
    ]
    given = [{"name": f"person-{n}", "words": "", "value": value} for n, value in enumerate(drawings)]
    page = editor(*SHORT, prealignment=SUGGESTED, given=given)
    expect(page.locator(".board .tie.proposed")).to_have_count(2)  # all agree on the third
    assert sorted(page.locator(".board .sign text").all_text_contents()) == ["AB", "B"]
    page.mouse.click(*middle(page, 1, 1))
    assert links(page) == ([[0, 0], [1, 1]], [])
    expect(page.locator(".board .links:not(.raised) .tie.proposed")).to_have_count(1)
    expect(page.locator(".board .links:not(.raised) .sign text")).to_have_count(2)  # who drew it is still said


@pytest.mark.parametrize("letters", range(1, 5))
def test_letters_of_crossing_links_do_not_cover_each_other(editor: Callable[..., Page], letters: int) -> None:
    sentence = " ".join("abcdefgh"[number] * letters for number in range(8))
    reversed_links = [[number, 7 - number] for number in range(8)]
    drawings = [{"sure": sure, "possible": [], "log": []} for sure in (reversed_links, [[0, 0], [0, 1], [1, 1]])]
    given = [{"name": f"person-{n}", "words": "", "value": value} for n, value in enumerate(drawings)]
    page = editor(sentence, sentence, given=given)
    signs = page.locator(".board .links:not(.raised) .sign")
    expect(signs).to_have_count(11)
    boxes = [box for sign in signs.all() if (box := sign.bounding_box())]
    for one, other in combinations(boxes, 2):
        covered = [
            min(one[at] + one[size], other[at] + other[size]) - max(one[at], other[at])
            for at, size in (("x", "width"), ("y", "height"))
        ]
        assert min(covered) < 3  # px: the outlines may touch


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
    both["given"] = {"sure": [[0, 0]], "possible": []}
    both["expected"] = {"sure": [[0, 0], [2, 3]], "possible": []}
    sentence = page.evaluate("both => editor.feedback(document.getElementById('feedback'), both)", both)
    assert sentence == "Only links between identical words differ."  # so that the heading does not call them the same


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


@pytest.mark.nightly
@pytest.mark.parametrize("width", [390])
def test_axe_finds_nothing(editor: Callable[..., Page], axe: Callable[[Page], None], width: int) -> None:
    page = editor(*SHORT, width=width, prealignment=SUGGESTED)
    page.keyboard.press("m")
    page.keyboard.press("c")
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    axe(page)
    check_width(page)
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


@pytest.mark.parametrize(("height", "stays"), [(800, False), (1000, True)])
def test_in_low_windows_the_running_text_scrolls_away_and_the_tools_stay(
    editor: Callable[..., Page], height: int, stays: bool
) -> None:
    page = editor(LONG, LONG)
    page.set_viewport_size({"width": 1280, "height": height})
    page.evaluate("scrollTo(0, 600)")
    expect(page.get_by_role("toolbar")).to_be_in_viewport(ratio=1)
    running = page.locator(".texts")
    if stays:
        expect(running).to_be_in_viewport(ratio=1)
    else:
        expect(running).not_to_be_in_viewport()
    word(page, 0, 30).focus()
    box, tools = word(page, 0, 30).bounding_box(), page.locator(".stick").bounding_box()
    assert box
    assert tools
    assert box["y"] >= tools["y"] + tools["height"]
