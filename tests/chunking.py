"""The chunk editor on a separate page, with functions that touch and read its chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from alignment_ui.chunks.answer import clean_answer
from tests.aligning import drag, editor_strings, open_editor, site, value_of
from tests.chromium import WAIT

SOURCE, TARGET = "two men carried him out .", "a crew rescued a man ."
CHUNKS = {"source": [[0, 1], [2, 4], [3], [5]], "target": [[0, 1], [2], [3, 4], [5]]}
LINKS = [
    {"source": 0, "target": 0, "type": "SIMI", "score": 3, "flags": []},
    {"source": 1, "target": 1, "type": "SPE1", "score": 4, "flags": ["FACT"]},
]
OFFERS = "/static/chunks/dist/visits.js"
LEFT = [
    {"side": side, "chunk": chunk, "type": kind}
    for side, chunk, kind in [
        ("source", 2, "ALIC"),
        ("source", 3, "NOALI"),
        ("target", 2, "NOALI"),
        ("target", 3, "NOALI"),
    ]
]
DRAFT = {"chunks": CHUNKS, "links": LINKS, "left": LEFT, "log": [[5, "link", "drag", [0, 0]]]}


@pytest.fixture(scope="session")
def chunk_site() -> Iterator[str]:
    with site("chunks") as at:
        yield at


@pytest.fixture(scope="session")
def chunk_contexts(chromium: Browser) -> Iterator[dict[bool, BrowserContext]]:
    """Run the test with a mouse (False) and with touch input (True)."""
    phone = {"has_touch": True, "is_mobile": True}
    made = {touch: chromium.new_context(reduced_motion="reduce", **(phone if touch else {})) for touch in (False, True)}
    yield made
    for context in made.values():
        context.close()


@pytest.fixture
def chunk_editor(chunk_contexts: dict[bool, BrowserContext], chunk_site: str) -> Iterator[Callable[..., Page]]:
    """Return `chunk_editor(*, chunks, links, many, offers, value, …)`, which opens the editor on a page without
    errors.
    """
    complaints: list[str] = []
    pages: list[Page] = []

    def new(
        source: str = SOURCE,
        target: str = TARGET,
        *,
        chunks: Any = None,
        links: Any = None,
        many: bool = False,
        offers: bool = True,
        width: int = 1280,
        touch: bool = False,
        **given: Any,
    ) -> Page:
        page = chunk_contexts[touch].new_page()
        pages.append(page)
        page.set_default_timeout(WAIT)
        page.set_viewport_size({"width": width, "height": 844})
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        sentences = {"source": source.split(), "target": target.split()}
        content = {
            **sentences,
            "chunks": chunks,
            "links": links,
            "many": many,
            "f1": 0.7,
            "offers": OFFERS if offers else "",
        }
        return open_editor(page, chunk_site, source, target, content=content, strings=editor_strings("chunks"), **given)

    yield new
    for page in pages:
        page.close()
    assert complaints == []


def word(page: Page, side: int, index: int) -> Locator:
    """Return a word in the step in which chunks are formed."""
    return page.locator(".chunker .toks").nth(side).locator(".tok").nth(index)


def chunk(page: Page, side: int, index: int) -> Locator:
    """Return a chunk in the step in which chunks are linked."""
    return page.locator(".linker .toks").nth(side).locator(".tok").nth(index)


def at(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(page: Page, start: Locator, end: Locator) -> None:
    drag(page, at(start), at(end))


def pill(page: Page, words: str) -> Locator:
    return page.get_by_role("group", name="Links").get_by_role("button", name=words)


def option(page: Page, group: str, value: object) -> Locator:
    return page.locator(f".inspect input[name='{group}'][value='{value}']")


def status(page: Page) -> Locator:
    return page.locator(".says:visible")


def told(page: Page) -> Locator:
    return page.locator(".foot .said")


def chunks(page: Page) -> Any:
    return value_of(page)["chunks"]


def links(page: Page) -> list[tuple[int, int, str | None, int | None]]:
    return [(link["source"], link["target"], link["type"], link["score"]) for link in value_of(page)["links"]]


def left(page: Page) -> list[tuple[str, int, str]]:
    return [(one["side"], one["chunk"], one["type"]) for one in value_of(page)["left"]]


def log(page: Page) -> list[tuple[str, str]]:
    return [(op, via) for _, op, via, _ in value_of(page)["log"]]


def complete(page: Page) -> bool:
    return bool(page.evaluate("editor.complete(window.value)"))


def accepted(page: Page, *, many: bool = False) -> Mapping[str, Any]:
    """Return the answer in the form that the server accepts, and fail if the server rejects the answer."""
    payload = {"source": SOURCE.split(), "target": TARGET.split()}
    return clean_answer(payload, value_of(page), many_to_many=many)


def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Move a finger from one point to another."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", start)
    for step in range(1, 6):
        send("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
    send("touchEnd")
    session.detach()
