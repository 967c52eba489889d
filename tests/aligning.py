"""The word-alignment editor on a page of its own, without a server: what its browser tests and its bench drive."""

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Route

ROOT = Path(__file__).parents[1]
ADDRESS = "http://localhost/"  # answered from the work tree, by `route`
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".html": "text/html"}

PAGE = """<!doctype html><html lang="en" data-icons="/static/icons.svg"><head><meta charset="utf-8"><title>Editor</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/vendor/bootstrap.min.css"><link rel="stylesheet" href="/static/css/tokens.css">
<link rel="stylesheet" href="/static/css/base.css"><link rel="stylesheet" href="/static/css/annotate.css">
<link rel="stylesheet" href="/static/css/tasks/words.css"></head>
<body><div class="an"><header class="an-top"><span class="brand"><span>Accord</span></span></header>
<main class="an-main"><div class="an-ask"><h1 id="question" tabindex="-1"></h1></div><div id="task"></div>
<div class="an-foot"><button class="b b-main b-big" type="button" id="next">Next <kbd>Enter</kbd></button></div>
<div id="feedback"></div><p class="sr" id="spoken" role="status"></p></main></div>
<script type="application/json" id="given">GIVEN</script>
<script type="module">
import { mount } from "/static/js/tasks/words.js";
import { listen } from "/static/js/annotate/keys.js";
const given = JSON.parse(document.getElementById("given").textContent);
window.heard = [];
window.entered = 0;
window.begin = (value) => {
  window.editor?.destroy();
  window.value = value;
  window.editor = mount(document.getElementById("task"), { ...given, value, onChange: changed });
};
function changed(value, words) {
  window.value = JSON.parse(JSON.stringify(value));
  window.heard.push(words);
  document.getElementById("spoken").textContent = words;
}
begin(given.value);
document.getElementById("question").replaceChildren(...editor.heading());
listen({ closed: () => false, single: () => true, open: () => {}, enter: () => window.entered++,
  task: (event) => editor.key(event) });
window.ready = true;
</script></body></html>"""


def editor_strings() -> dict[str, str]:
    """What the task's template says, in English."""
    template = (ROOT / "templates/annotate/tasks/words/strings.html").read_text(encoding="utf-8")
    return {name: html.unescape(text) for name, text in re.findall(r'data-string="(\w+)">\{% translate "(.*?)"', template)}


def open_editor(
    page: Page,
    source: str,
    target: str,
    *,
    prealignment: Mapping[str, Any] | None = None,
    value: Any = None,
    **more: Any,
) -> Page:
    """Show a pair of sentences, tokens apart by spaces, and wait until it is drawn."""
    content = {"source": source.split(), "target": target.split(), "prealignment": prealignment}
    given = {"content": content, "value": value, "disabled": False, "strings": editor_strings(), "language": "en"}
    given |= {"direction": "auto", **more}
    shown = PAGE.replace("GIVEN", json.dumps(given).replace("<", "\\u003c"))

    def answer(route: Route) -> None:
        path = ROOT / route.request.url.removeprefix(ADDRESS)
        if route.request.url == ADDRESS:
            route.fulfill(body=shown, content_type="text/html")
        elif path.is_file():
            route.fulfill(body=path.read_bytes(), content_type=KINDS[path.suffix])
        else:
            route.fulfill(status=404)

    page.unroute_all()
    page.route(ADDRESS + "**", answer)
    page.goto(ADDRESS)
    page.wait_for_function("window.ready", timeout=5000)
    return page


def word(page: Page, side: int, index: int) -> Locator:
    """A word: side 0 or 1, index from 0."""
    return page.locator("#task .toks").nth(side).locator(".tok").nth(index)


def centre(page: Page, side: int, index: int) -> tuple[float, float]:
    box = word(page, side, index).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press, move in a few steps, let go."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def value_of(page: Page) -> Any:
    return page.evaluate("window.value")
