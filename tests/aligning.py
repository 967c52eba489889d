"""An alignment editor on a separate page, without a server, for browser tests and for the benchmark of the editor."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from annotate.web.page_strings import page_strings
from tests.local_site import Handler, local_site

ROOT = Path(__file__).parents[1]

PAGE = """<!doctype html><html lang="en" data-icons="/static/icons.svg"><head><meta charset="utf-8">
<title>Editor</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/dist/annotate.css">
<link rel="stylesheet" href="/static/words/dist/words.css"></head>
<body><div class="an"><header class="an-top"><span class="brand"><span>Accord</span></span></header>
<main class="an-main"><div class="an-ask"><h1 id="question" tabindex="-1"></h1></div><div id="task"></div>
<div class="an-foot"><button class="b b-main b-big" type="button" id="next">Next <kbd>Enter</kbd></button></div>
<div id="feedback"></div><p class="sr" id="spoken" role="status"></p></main></div>
<script type="module">
import { mount } from "/static/words/dist/words.js";
import { listen } from "/static/js/annotate/keys.js";
window.start = (given) => {
  window.heard = [];
  window.entered = 0;
  window.begin = (value) => {
    window.editor?.destroy();
    window.value = value;
    window.editor = mount(document.getElementById("task"), { ...given, value, onChange: changed });
  };
  begin(given.value);
  document.getElementById("question").replaceChildren(...editor.heading());
};
function changed(value, words) {
  window.value = JSON.parse(JSON.stringify(value));
  window.heard.push(words);
  document.getElementById("spoken").textContent = words;
}
listen({ closed: () => false, single: () => true, open: () => {}, enter: () => window.entered++,
  task: (event) => editor.key(event) });
</script></body></html>"""


def editor_strings(task: str = "words") -> dict[str, Any]:
    """Return the English texts of the task's editor."""
    return page_strings(None, f"{task}/strings.html")


def static_file(url: str) -> Path:
    """Return the file for an address below /static/. Several folders are served as one."""
    place = url.partition("?")[0].removeprefix("/static/")
    folders = [ROOT / "static", *ROOT.glob("*/static"), *ROOT.glob("*/*/static")]
    return next((folder / place for folder in folders if (folder / place).is_file()), ROOT / "static" / place)


@contextmanager
def site(task: str = "words") -> Iterator[str]:
    """Serve a task's editor on a page, together with static files. Yields the address of the server."""

    class Editor(Handler):
        def do_GET(self) -> None:
            if self.path != "/":
                super().do_GET()
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE.replace("words/dist/words", f"{task}/dist/{task}").encode())

        def translate_path(self, path: str) -> str:
            return str(static_file(path))

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "max-age=60")
            super().end_headers()

    with local_site(partial(Editor, directory=str(ROOT))) as address:
        yield f"{address}/"


def open_editor(
    page: Page,
    address: str,
    source: str,
    target: str,
    *,
    prealignment: Mapping[str, Any] | None = None,
    value: Any = None,
    **more: Any,
) -> Page:
    """Show a pair of sentences, with tokens separated by spaces, and wait until the pair has been drawn."""
    page.goto(address)
    content = {"source": source.split(), "target": target.split(), "prealignment": prealignment}
    content |= {"f1": 0.7, "ignore_identical": True, "offers": True}
    task = {"content": content, "value": value, "disabled": False, "strings": editor_strings(), "language": "en"}
    task |= {"direction": "auto"} | more
    page.evaluate("task => (localStorage.clear(), start(task))", task)
    if isinstance(module := task["content"].get("offers"), str) and module:
        page.evaluate("module => import(module)", module)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page


def arabic_outside_isolates(page: Page) -> list[str]:
    """Return the texts of a page, outside the sentences, in which an Arabic word is not isolated from its surroundings.

    A word is isolated by FSI and PDI, by an element `bdi`, or by an element with a direction of its own.
    """
    texts: list[str] = page.evaluate(
        """() => {
            const texts = [...heard];
            for (const element of document.querySelectorAll("[aria-label]")) texts.push(element.ariaLabel);
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode())
              if (!walker.currentNode.parentElement.closest("bdi, [dir], script")) texts.push(walker.currentNode.data);
            return texts;
        }"""
    )
    assert any("\u2068" in text for text in texts)
    return [text for text in texts if re.search(r"[\u0600-\u06ff]", re.sub("\u2068[^\u2069]*\u2069", "", text))]


def word(page: Page, side: int, index: int) -> Locator:
    """Return the word with this index, counted from 0, on side 0 or 1."""
    return page.locator("#task .toks").nth(side).locator(".tok").nth(index)


NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def centre(page: Page, side: int, index: int) -> tuple[float, float]:
    box = word(page, side, index).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press the pointer, move it in a few steps, and release it."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def value_of(page: Page) -> Any:
    return page.evaluate("window.value")
