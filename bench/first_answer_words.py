"""Count the words that annotators read from the join link to their first practice question and first counted answer.

    script/bench first_answer_words [LINK ...]

LINK is a join link of a running `script/demo`. Without links, the program starts a demonstration of its own, which
takes some minutes. A new annotator passes the pages of each study in Chromium on the shortest way:

- Words are the visible words of each page, without texts for screen readers only and without closed parts.
- A line that an earlier page or question has already shown is not read again.
- The annotator presses whatever is needed, and answers all practice questions without regard to their texts.
- Seconds are the time to read the words at 200 words per minute. The time to answer is not included.

The first counted answer is the first answer of the first set after practice. The words include its question.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from bench.first_answer import wait_for
from tests import servers
from tests.chromium import QUIET

WORDS_PER_MINUTE = 200
SETTLED = 600  # ms until feedback takes a press
ROOT = Path(__file__).resolve().parent.parent
SHOWN = """() => {
  const hidden = [...document.querySelectorAll(".sr, [aria-hidden=true]")];
  hidden.forEach((element) => element.style.setProperty("display", "none", "important"));
  const text = document.body.innerText;
  hidden.forEach((element) => element.style.removeProperty("display"));
  return text;
}"""


class Reader:
    """An annotator who reads each line once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.words: list[int] = []  # of each page or question
        self._lines: set[str] = set()

    def reads(self) -> None:
        self.page.wait_for_timeout(300)  # until all parts of the page have been drawn
        shown = [self.page.evaluate(SHOWN)]
        if self.page.locator("#task iframe").is_visible():
            form = self.page.frame_locator("#task iframe")
            expect(form.locator("[required]").first).to_be_visible()
            shown.append(form.locator("body").inner_text())
        lines = {line.strip() for text in shown for line in text.splitlines()}
        self.words.append(sum(len(line.split()) for line in lines - self._lines))
        self._lines |= lines

    @property
    def total(self) -> int:
        return sum(self.words)


def main(links: list[str]) -> None:
    """Print one line per study."""
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=QUIET)
        for link in links:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            print(measured(page, link), flush=True)
            page.close()
        browser.close()


def measured(page: Page, link: str) -> str:
    """Return the counts of the study as one line."""
    page.goto(link)
    title, reader = page.title().partition(" ·")[0], Reader(page)
    reader.reads()
    for box in page.locator("form input[type=checkbox]").all():
        box.check()
    page.locator("form:not([action]) button[type=submit]").first.click()
    page.wait_for_url("**/a/**")
    before, pages = reader.total, list(reader.words)
    practice = answer_until_counted(reader)
    words = f"{before:>4} words ({' + '.join(map(str, pages))}), {seconds(before):>4} s to the first practice question"
    total = f"{reader.total:>5} words, {seconds(reader.total):>4} s to the first counted answer"
    return f"{title:<34} {words}; {total}, with {practice} practice questions"


def answer_until_counted(reader: Reader) -> int:
    """Answer the practice questions and the first question of the first set, and return how many practice questions
    there were.
    """
    page, practice = reader.page, 0
    while True:
        expect(page.locator("#answering")).to_be_visible()
        expect(page.locator("#task > :not([hidden])").first).to_be_visible()
        reader.reads()
        is_practice = "Practice" in page.title()
        answer(page)
        page.locator("#next").click()
        if not is_practice:
            return practice
        practice += 1
        feedback = page.locator("#feedback .b-main").first
        expect(feedback).to_be_visible()
        reader.reads()
        page.wait_for_timeout(SETTLED)
        feedback.click()
        expect(page.locator("#feedback .b-main")).to_have_count(0)


def answer(page: Page) -> None:
    """Answer the question in the quickest way of its task type."""
    ready = page.locator("#next[aria-disabled=false], #next:not([aria-disabled])")
    if page.locator("iframe").count():
        required = page.frame_locator("iframe").locator("[required]")
        expect(required.first).to_be_visible()
        for name in sorted(required.evaluate_all("inputs => [...new Set(inputs.map((input) => input.name))]")):
            page.frame_locator("iframe").locator(f"[name={name}]").first.check()
        expect(ready).to_be_visible()
        return
    for keys in (("1", "Shift+Digit4"), ("a",), ("t",), ("y",) * 12):
        for key in keys:
            if not ready.count():
                page.keyboard.press(key)
        page.wait_for_timeout(100)


def seconds(words: int) -> int:
    return round(words / WORDS_PER_MINUTE * 60)


@contextmanager
def demonstration() -> Iterator[list[str]]:
    """Serve the demonstration with new data, and yield its join links."""
    with tempfile.TemporaryDirectory() as folder:
        port, output = servers.free_port(), Path(folder) / "output"
        site = f"http://127.0.0.1:{port}"
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        command = [sys.executable, "manage.py", "demo", "--serve", "127.0.0.1", str(port)]
        with output.open("wb") as file:
            env = kept | {"ACCORD_DATA": folder, "ACCORD_SITE_URL": site}
            server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=file, stderr=subprocess.STDOUT)
        try:
            wait_for(f"{site}/healthz")
            yield re.findall(r"http\S+/join/\S+", output.read_text(encoding="utf-8"))
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    if sys.argv[1:]:
        main(sys.argv[1:])
    else:
        with demonstration() as own:
            main(own)
