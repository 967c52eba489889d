"""Tests of the best–worst scaling module on a separate page: its size on different screens, and its messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.aligning import editor_strings, open_editor, site

ASK = {"noun": "pair", "most": "most related", "least": "least related"}
USUAL = "A sentence of ninety characters, which is what the longer ones in a study of pairs have..."
LONG = f"{USUAL} And there is more of it, for another line."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with site("bws") as at:
        yield at


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1366, "height": 650}, reduced_motion="reduce") as context:
        yield context.new_page()


def show(page: Page, address: str, sentence: str, value: Any = None) -> None:
    content = {"items": [{"sentences": [sentence, sentence]} for _ in range(4)], "ask": ASK}
    open_editor(page, address, "", "", content=content, strings=editor_strings("bws"), value=value)


@pytest.mark.parametrize("sentence", [USUAL, LONG])
def test_four_pairs_and_next_fit_a_low_screen(page: Page, address: str, sentence: str) -> None:
    show(page, address, sentence)
    assert page.evaluate("document.documentElement.scrollHeight") <= 650
    button = page.locator("#next").bounding_box()
    assert button
    assert button["y"] + button["height"] <= 650
    targets = [box.bounding_box() for box in page.locator(".pick label").all()]
    assert all(box and box["height"] >= 44 for box in targets)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "Choose the pair that is most related and the pair that is least related."),
        ({"best": 1, "worst": None}, "Choose the pair that is least related."),
        ({"best": None, "worst": 1}, "Choose the pair that is most related."),
        ({"best": 2, "worst": 1}, ""),
    ],
)
def test_what_is_missing_is_said(page: Page, address: str, value: Any, words: str) -> None:
    show(page, address, USUAL, value)
    assert page.evaluate("value => editor.refuse(value)", value) == words


@pytest.mark.parametrize(
    ("most", "least", "buttons"),
    [
        ("most related", "least related", ["Most", "Least"]),
        ("most positive", "most negative", ["Most positive", "Most negative"]),
    ],
)
def test_buttons_repeat_the_wording_unless_it_contains_least(
    page: Page, address: str, most: str, least: str, buttons: list[str]
) -> None:
    content = {"items": [{"sentences": ["Cold chips"]}] * 4, "ask": {"noun": "text", "most": most, "least": least}}
    open_editor(page, address, "", "", content=content, strings=editor_strings("bws"), value=None)
    assert page.locator(".pick label span > span:first-child").all_inner_texts()[:2] == buttons
    assert page.evaluate("[...document.querySelectorAll('.pick label')].every((e) => e.scrollWidth <= e.clientWidth)")
