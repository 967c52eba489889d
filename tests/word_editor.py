"""The word-alignment editor on a separate page: fixtures, real touch input, and functions that read the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.aligning import centre, open_editor, site, value_of
from tests.chromium import WAIT

SHORT = ("he left early", "she went away early")
SUGGESTED = {"sure": [[0, 0], [2, 3]], "possible": [[1, 1]]}
LONG = " ".join(f"word{n}" for n in range(50))
LONG_PRESS = 550  # ms

Point = tuple[float, float]


@pytest.fixture(scope="session")
def word_site() -> Iterator[str]:
    with site() as at:
        yield at


@pytest.fixture(scope="session")
def word_contexts(chromium: Browser) -> Iterator[dict[bool, BrowserContext]]:
    """Return browser contexts with a mouse (False) and with touch (True). All tests share the contexts, so modules come
    from the cache.
    """
    phone = {"has_touch": True, "is_mobile": True}
    made = {touch: chromium.new_context(reduced_motion="reduce", **(phone if touch else {})) for touch in (False, True)}
    yield made
    for context in made.values():
        context.close()


@pytest.fixture
def editor(word_contexts: dict[bool, BrowserContext], word_site: str) -> Iterator[Callable[..., Page]]:
    """Return `editor(source, target, *, width=1280, height=800, touch=False, **given)`, which opens the editor.

    The test fails if a page logs an error.
    """
    complaints: list[str] = []
    pages: list[Page] = []

    def new(
        source: str, target: str, *, width: int = 1280, height: int = 800, touch: bool = False, **given: Any
    ) -> Page:
        page = word_contexts[touch].new_page()
        pages.append(page)
        page.set_default_timeout(WAIT)
        page.set_viewport_size({"width": width, "height": height})
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        return open_editor(page, word_site, source, target, **given)

    yield new
    for page in pages:
        page.close()
    assert complaints == []


class Finger:
    """A finger on the screen that uses the browser’s own touch input, so that the browser scrolls and cancels as for a
    person.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.client = page.context.new_cdp_session(page)

    def down(self, *points: Point) -> None:
        self._send("touchStart", points)

    def move(self, *points: Point) -> None:
        self._send("touchMove", points)

    def up(self) -> None:
        self._send("touchEnd", ())

    def drag(self, start: Point, end: Point, *, hold: bool = False, lift: bool = True) -> None:
        """Press, with a long press if `hold`, and move to the end in ten steps."""
        self.down(start)
        if hold:
            self.page.wait_for_timeout(LONG_PRESS)
            self.page.wait_for_selector(".board .source")  # a busy browser notices the long press later
        for step in range(1, 11):
            self.move((start[0] + (end[0] - start[0]) * step / 10, start[1] + (end[1] - start[1]) * step / 10))
            self.page.wait_for_timeout(8)
        if lift:
            self.up()

    def _send(self, kind: str, points: tuple[Point, ...]) -> None:
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def links(page: Page) -> tuple[list[list[int]], list[list[int]]]:
    """Return the sure and the possible links of the answer."""
    value = value_of(page)
    return value["sure"], value["possible"]


def log(page: Page) -> list[tuple[str, str, list[list[int]]]]:
    """Return the log of the answer without its times."""
    return [(op, via, pairs) for _, op, via, pairs in value_of(page)["log"]]


def middle(page: Page, first: int, second: int) -> Point:
    """Return the point halfway between two words, which is the middle of their link."""
    (x1, y1), (x2, y2) = centre(page, 0, first), centre(page, 1, second)
    return (x1 + x2) / 2, (y1 + y2) / 2
