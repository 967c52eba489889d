"""Tests of touch input in the editors of chunks, best–worst scaling and paraphrases: no gesture acts twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.aligning import editor_strings, open_editor, site, value_of
from tests.chunking import DRAFT, chunk, log

WORDS = " ".join(f"word{n}" for n in range(14))
HALF = {
    **DRAFT,
    "chunks": {side: [[n] for n in range(14)] for side in ("source", "target")},
    "links": [{"source": n, "target": n, "type": "SIMI", "score": 3, "flags": []} for n in range(0, 14, 2)],
    "left": [{"side": side, "chunk": n, "type": "ALIC"} for side in ("source", "target") for n in range(1, 14, 2)],
}
IS_BOARD = "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.board'))"


@pytest.mark.parametrize("column", [60, pytest.param(330, marks=pytest.mark.nightly)])
def test_a_tap_that_opens_the_panel_presses_nothing_in_it(chunk_editor: Callable[..., Page], column: int) -> None:
    page = chunk_editor(WORDS, WORDS, value=HALF, width=390, touch=True)
    for y in range(510, 840, 20):  # where the panel is to be
        page.evaluate("editor.setValue(value)")
        page.evaluate("scrollTo({ top: 300, behavior: 'instant' })")
        if page.evaluate(IS_BOARD, [column, y]):
            page.touchscreen.tap(column, y)
            assert value_of(page) == HALF, y


def test_a_tap_that_links_scrolls_and_presses_nothing(chunk_editor: Callable[..., Page]) -> None:
    page = chunk_editor(WORDS, WORDS, value={**HALF, "links": [], "left": []}, width=390, touch=True)
    page.evaluate("scrollTo({ top: 300, behavior: 'instant' })")
    chunk(page, 0, 12).tap()
    chunk(page, 1, 13).tap()
    assert log(page) == [("link", "drag"), ("link", "tap")]
    assert value_of(page)["links"] == [{"source": 12, "target": 13, "type": None, "score": None, "flags": []}]
    panel = page.locator(".inspect").bounding_box()
    assert panel
    for end in (chunk(page, 0, 12), chunk(page, 1, 13)):  # both are in sight above the panel
        box = end.bounding_box()
        assert box
        assert box["y"] + box["height"] < panel["y"]


PAIRS = [{"sentences": [f"The first text of pair {n}.", f"The second text of pair {n}."]} for n in range(1, 5)]
ASK = {"noun": "pair", "most": "most related", "least": "least related"}
CANDIDATES = [f"candidate {n}" for n in range(1, 31)]
CHOICES = {
    "bws": ({"items": PAIRS, "ask": ASK}, ".pick label"),
    "paraphrase": (
        {"before": "They ", "phrase": "cut back", "after": " the vines.", "candidates": CANDIDATES},
        ".yn label, .none",
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("task", CHOICES)
def test_one_tap_is_one_choice(chromium: Browser, task: str) -> None:
    content, targets = CHOICES[task]
    with site(task) as address, chromium.new_context(has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 390, "height": 844})
        given: dict[str, Any] = {"content": content, "strings": editor_strings(task), "direction": "ltr"}
        open_editor(page, address, "", "", **given)
        for number, target in enumerate(page.locator(targets).all(), start=1):
            target.tap()
            assert page.evaluate("heard.length") == number
