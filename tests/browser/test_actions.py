"""Tests of the number of actions per question by mouse, keyboard and touch, which docs/figures.md contains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.aligning import centre, drag, editor_strings, open_editor, site, word
from tests.chunking import at, chunk, complete, links, option, pull, swipe
from tests.word_editor import Finger
from tests.word_editor import links as word_links

# The question of the example: five links, one chunk without a match, and two full stops.
SOURCE = "Two firefighters carried an elderly man out of a smoking house on Monday night ."
TARGET = "A fire crew rescued a man from a burning building on Monday night in Leith ."
CHUNKS = {
    "source": [[0, 1], [2], [3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13], [14]],
    "target": [[0, 1, 2], [3], [4, 5], [6, 7, 8, 9], [10, 11, 12], [13, 14], [15]],
}
JUDGED = [("SIMI", 4), ("SIMI", 4), ("SPE1", 4), ("SIMI", 3), ("EQUI", 5)]
LINKED = [(n, n, kind, score) for n, (kind, score) in enumerate(JUDGED)]
KEYS = {"SIMI": "s", "SPE1": "d", "EQUI": "e"}
# Eight links, each with the keys that lead to the match.
FERRY = ("The ferry left the island at dusk .", "At nightfall the boat left the island .")
FERRY_LINKS = [[0, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 0], [6, 1], [7, 7]]
FERRY_KEYS = [["t", "Enter"], ["b"], ["l"], ["t", "Enter"], ["i"], ["a"], ["n"], ["8"]]
PAIRS = [{"sentences": [f"The first text of pair {n}.", f"The second text of pair {n}."]} for n in range(1, 5)]
CONTENTS: dict[str, Any] = {
    "bws": {"items": PAIRS, "ask": {"noun": "pair", "most": "most related", "least": "least related"}},
    "paraphrase": {
        "before": "They ",
        "phrase": "cut back",
        "after": " the vines.",
        "candidates": [f"candidate {n}" for n in range(1, 10)],
    },
}
COUNT = """() => { window.actions = 0;
  const count = ({ key }) => { if (key !== "Shift") window.actions += 1; };
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, count, true); }"""


def actions(page: Page) -> int:
    """Return the number of presses, drags and keys since the question was shown, plus one for the next question."""
    return int(page.evaluate("actions")) + 1


# ── chunks ────────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.fixture
def question(chunk_editor: Callable[..., Page]) -> Callable[[int], Page]:
    def show(width: int) -> Page:
        page = chunk_editor(SOURCE, TARGET, chunks=CHUNKS, width=width, touch=width < 768)
        page.evaluate(COUNT)
        return page

    return show


def finished(page: Page) -> int:
    assert links(page) == LINKED
    assert complete(page)
    return actions(page)


def test_chunks_by_mouse(question: Callable[[int], Page]) -> None:
    page = question(1280)
    for n, (kind, score) in enumerate(JUDGED):
        pull(page, chunk(page, 0, n), chunk(page, 1, n))
        page.locator(f"label[for='type-{kind}']").click()
        if kind != "EQUI":
            page.locator(f"label[for='score-{score}']").click()
    page.get_by_role("button", name="The other chunk has no match").click()
    assert finished(page) == 16


@pytest.mark.nightly
def test_chunks_by_keys(question: Callable[[int], Page]) -> None:
    page = question(1280)
    for n, (kind, score) in enumerate(JUDGED):
        before = actions(page)
        for key in ("/", f"{n + 1}", KEYS[kind], *([f"{score}"] if kind != "EQUI" else [])):
            page.keyboard.press(key)
        assert actions(page) - before <= 4
    page.keyboard.press("t")
    assert finished(page) == 21


@pytest.mark.nightly
def test_chunks_by_offers(question: Callable[[int], Page]) -> None:
    page = question(1280)
    page.keyboard.press("u")
    for n, (kind, score) in enumerate(JUDGED):
        page.keyboard.press(str(chunk(page, 1, n).get_attribute("data-n")))
        keys = [KEYS[kind], *([f"{score}"] if kind != "EQUI" else [])]
        if page.locator(".offer:visible").filter(has_text=f"Suggestion: {kind}, score {score}").count():
            keys = ["v"]
        for key in keys:
            page.keyboard.press(key)
    page.keyboard.press("n")  # the chunk that the fifth link has led to
    assert finished(page) == 16


@pytest.mark.nightly
def test_chunks_by_keys_that_walk(question: Callable[[int], Page]) -> None:
    page = question(1280)
    page.locator("#question").focus()
    page.evaluate("document.querySelector('.linker .tok').focus(); actions = 0")
    for n, (kind, score) in enumerate(JUDGED):
        walk(page, 0, n)
        page.keyboard.press("Space")
        walk(page, 1, n)
        for key in ("Space", KEYS[kind], *([f"{score}"] if kind != "EQUI" else [])):
            page.keyboard.press(key)
    page.keyboard.press("t")
    assert finished(page) == 37


def walk(page: Page, side: int, index: int) -> None:
    """Move with the arrow keys along the shortest path."""
    place = """() => { const sides = [...document.querySelectorAll(".board .toks")];
      const side = sides.findIndex((each) => each.contains(document.activeElement));
      return [side, [...sides[side].children].indexOf(document.activeElement)]; }"""
    while page.evaluate(place) != [side, index]:
        here, number = page.evaluate(place)
        if here != side:
            page.keyboard.press("ArrowDown" if side else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if number < index else "ArrowLeft")


@pytest.mark.nightly
def test_chunks_by_touch(question: Callable[[int], Page]) -> None:
    page = question(390)
    for n, (kind, score) in enumerate(JUDGED):
        chunk(page, 0, n).scroll_into_view_if_needed()
        swipe(page, at(chunk(page, 0, n)), at(chunk(page, 1, n)))
        page.locator(f"label[for='type-{kind}']").tap()
        if kind != "EQUI":
            page.locator(f"label[for='score-{score}']").tap()
    page.get_by_role("button", name="The other chunk has no match").tap()
    assert finished(page) == 16


def test_regrading_and_removing(question: Callable[[int], Page]) -> None:
    page = question(1280)
    pull(page, chunk(page, 0, 0), chunk(page, 1, 0))
    option(page, "type", "SIMI").check(force=True)
    page.evaluate("actions = 0")
    page.locator(".pill").click()
    page.locator("label[for='type-REL']").click()
    assert actions(page) - 1 == 2
    page.get_by_role("button", name="Remove link").click()
    assert actions(page) - 1 == 3
    assert links(page) == []


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.fixture
def ferry(editor: Callable[..., Page]) -> Callable[[int], Page]:
    def show(width: int) -> Page:
        page = editor(*FERRY, width=width, touch=width < 768)
        page.evaluate(COUNT)
        return page

    return show


def aligned(page: Page) -> int:
    assert word_links(page) == (FERRY_LINKS, [])
    return actions(page)


def test_words_by_mouse(ferry: Callable[[int], Page]) -> None:
    page = ferry(1280)
    for i, j in FERRY_LINKS:
        drag(page, centre(page, 0, i), centre(page, 1, j))
    assert aligned(page) == 9


@pytest.mark.nightly
def test_words_by_letters_and_full_stops(ferry: Callable[[int], Page]) -> None:
    page = ferry(1280)
    for key in (",", *"ac....", *"fa.", *"hh"):
        page.keyboard.press(key)
    assert aligned(page) == 13


@pytest.mark.nightly
def test_words_by_touch(ferry: Callable[[int], Page]) -> None:
    page = ferry(390)
    finger = Finger(page)
    for i, j in FERRY_LINKS:
        word(page, 0, min(i, j)).evaluate("tok => tok.scrollIntoView({ block: 'center', behavior: 'instant' })")
        finger.drag(centre(page, 0, i), centre(page, 1, j), hold=abs(i - j) > 1)
    assert aligned(page) == 9


@pytest.mark.nightly
def test_words_by_keys(ferry: Callable[[int], Page]) -> None:
    page = ferry(1280)
    for keys in FERRY_KEYS:
        before = actions(page)
        for key in ["/", *keys]:
            page.keyboard.press(key)
        assert actions(page) - before <= 4
    assert aligned(page) == 19


@pytest.mark.nightly
def test_words_by_keys_that_walk(ferry: Callable[[int], Page]) -> None:
    page = ferry(1280)
    page.evaluate("document.querySelector('.board .tok').focus(); actions = 0")
    for i, j in FERRY_LINKS:
        walk(page, 0, i)
        page.keyboard.press("Space")
        walk(page, 1, j)
        page.keyboard.press("Space")
    assert aligned(page) == 69


@pytest.mark.nightly
def test_words_regraded_and_removed(ferry: Callable[[int], Page]) -> None:
    page = ferry(1280)
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    (x1, y1), (x2, y2) = centre(page, 0, 0), centre(page, 1, 0)
    page.evaluate("actions = 0")
    page.mouse.click((x1 + x2) / 2, (y1 + y2) / 2)
    page.locator(".linkbar").get_by_role("button", name="Possible").click()
    assert actions(page) - 1 == 2
    assert word_links(page) == ([], [[0, 0]])
    page.locator(".linkbar").get_by_role("button", name="Remove").click()
    assert actions(page) - 1 == 3
    page.keyboard.press("m")
    page.evaluate("actions = 0")
    cells = [page.locator(".matrix tbody td").nth(number).bounding_box() for number in (0, 9)]
    drag(page, *[(cell["x"] + 12, cell["y"] + 12) for cell in cells if cell])
    assert actions(page) - 1 == 1
    assert word_links(page)[0] == [[0, 0], [0, 1], [1, 0], [1, 1]]  # a block


# ── best–worst scaling, paraphrase ────────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def contexts(chromium: Browser) -> Iterator[dict[bool, BrowserContext]]:
    made = {
        touch: chromium.new_context(
            reduced_motion="reduce", viewport={"width": 390 if touch else 1280, "height": 844}, has_touch=touch
        )
        for touch in (False, True)
    }
    yield made
    for context in made.values():
        context.close()


@pytest.mark.parametrize(
    ("task", "pressed", "keys", "number"),
    [
        ("bws", ["best-2", "worst-4"], ["2", "Shift+Digit4"], 3),
        ("paraphrase", [f"{'yes' if n % 2 else 'no'}-{n}" for n in range(1, 10)], list("ynynynyny"), 10),
    ],
)
@pytest.mark.parametrize("by", ["mouse", "keys", "touch"])
def test_choices(
    contexts: dict[bool, BrowserContext], task: str, pressed: list[str], keys: list[str], number: int, by: str
) -> None:
    page = contexts[by == "touch"].new_page()
    with site(task) as address:
        open_editor(page, address, "", "", content=CONTENTS[task], strings=editor_strings(task), direction="ltr")
        page.evaluate(COUNT)
        for name in pressed if by != "keys" else []:
            label = page.locator(f"label[for='{name}']")
            (label.tap if by == "touch" else label.click)()
        for key in keys if by == "keys" else []:
            page.keyboard.press(key)
        assert page.evaluate("editor.complete(value)")
        assert actions(page) == number
    page.close()
