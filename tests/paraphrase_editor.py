"""The paraphrase module on a page without other elements: a fixture, and functions that read the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Locator, Page, Route

from tests.aligning import static_file
from tests.chromium import WAIT

HOST = "http://127.0.0.1:9"  # nothing listens there: every request is answered below
WORDS = "prune trim reduce curtail shorten".split()
CUT = {"before": "The growers want to ", "phrase": "cut back", "after": " the vines along the wall."}
MANY = [f"candidate {number}" for number in range(1, 46)]
RAMBLING = "what takes many more words to say than the one that is marked, and so breaks into several lines"
SHEETS = ("dist/annotate", "paraphrase/dist/paraphrase")
START = """
import { mount } from "/static/paraphrase/dist/paraphrase.js";
import { readStrings } from "/static/js/annotate/dom.js";
import { listen } from "/static/js/annotate/keys.js";
const given = JSON.parse(document.getElementById("given").textContent);
const onChange = (value, words) => { Object.assign(window, { value, words }); };
const task = mount(document.getElementById("task"), { ...given, onChange, strings: readStrings("strings") });
const none = () => false;
listen({ closed: none, single: () => given.single, open: none, enter: none, task: (event) => task.key(event) });
document.getElementById("question").append(...task.heading());
window.editor = task;
"""

Open = Callable[..., Page]


@pytest.fixture
def paraphrase_editor(chromium: Browser) -> Iterator[Open]:
    """Return `editor(candidates=…, value=…, width=1280, …)`, which opens the question on a page like the work page."""
    complaints: list[str] = []
    contexts = []

    def open_editor(width: int = 1280, height: int = 800, candidates: list[str] = WORDS, **given: Any) -> Page:
        phone = {"has_touch": True, "is_mobile": True} if width < 768 else {}
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **phone)
        contexts.append(context)
        context.set_default_timeout(WAIT)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        parts = {name: given.pop(name, text) for name, text in CUT.items()}
        usual = {"value": None, "disabled": False, "language": "en", "direction": "ltr", "single": True}
        html = _html({**usual, **given, "content": {**parts, "candidates": candidates}})
        context.route("**/*", lambda route: _serve(route, html))
        page = context.new_page()
        page.goto(HOST)
        page.wait_for_function("window.editor")
        return page

    yield open_editor
    for context in contexts:
        context.close()
    assert not complaints


def _html(given: dict[str, Any]) -> str:
    links = "".join(f'<link rel="stylesheet" href="/static/{name}.css">' for name in SHEETS)
    strings = render_to_string("paraphrase/strings.html")
    return f"""<!doctype html><html lang="en" data-icons="/static/icons.svg"><meta charset="utf-8">
    <title>Paraphrases</title>    <meta name="viewport" content="width=device-width, initial-scale=1">{links}
    <div class="an"><header class="an-top"><span>Accord</span></header>
    <main class="an-main"><h1 id="question" tabindex="-1"></h1><div id="task"></div>
    <div class="an-foot"><button class="b b-main b-big" id="next" type="button">Next</button></div></main></div>
    <template id="strings">{strings}</template>
    <script type="application/json" id="given">{json.dumps(given)}</script><script type="module">{START}</script>"""


def _serve(route: Route, html: str) -> None:
    path = route.request.url.removeprefix(HOST)
    if path.startswith("/static/"):
        route.fulfill(path=static_file(path))
    else:
        route.fulfill(body=html if path == "/" else "", content_type="text/html")


def row(page: Page, number: int) -> Locator:
    return page.locator(".cand").nth(number - 1)


def votes(page: Page) -> list[bool | None]:
    """Return the votes in screen order."""
    return page.locator(".cand").evaluate_all(
        """rows => rows.map(row =>
            row.querySelector('.yes').checked || (row.querySelector('.no').checked ? false : null))"""
    )


def tried(page: Page) -> str:
    """Return the text in place of the phrase in the sentence."""
    return page.locator(".room .sent:visible ins").inner_text()


def complete(page: Page) -> bool:
    return bool(page.evaluate("editor.complete(window.value ?? null)"))


def places(page: Page) -> list[dict[str, float]]:
    """Return the positions of all elements that could move."""
    return page.locator(".whole, .tried, .cand, .none, #next").evaluate_all(
        "all => all.map(one => { const { x, y, width, height } = one.getBoundingClientRect();"
        " return { x, y, width, height } })"
    )
