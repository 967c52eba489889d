"""Tests of the demonstration as a new user sees it: one process, SQLite, a real browser, and only the keyboard.

The user answers ten questions, misses gold questions and is stopped. The researcher restores the annotator, the
reliability changes, and the scores are downloaded.
"""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import servers
from tests.annotating import SETTLED, choose, next_set
from tests.chromium import WAIT, check_accessibility

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "relatedness"


@dataclass
class Demo:
    site: str
    join: str
    login: str


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """Run the server of `script/demo` on a free port."""
    port = servers.free_port()
    site = f"http://127.0.0.1:{port}"
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env = kept | {"ACCORD_DATA": str(tmp_path), "ACCORD_SITE_URL": site}
    command = [sys.executable, "manage.py", "demo", "--serve", "127.0.0.1", str(port)]
    output = tmp_path / "output"
    with output.open("wb") as file:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=file, stderr=subprocess.STDOUT)
    try:
        _await(site, server)
        links = output.read_text()
        yield Demo(site, _link(links, "/join/"), _link(links, "/login/"))
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.nightly
def test_a_new_user(demo: Demo, chromium: Browser) -> None:
    annotator = chromium.new_context(viewport={"width": 1280, "height": 900}).new_page()
    researcher = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True).new_page()
    for page in (annotator, researcher):
        page.set_default_timeout(WAIT)
    _join(annotator, demo.join)
    answered = _answer_until_stopped(annotator)
    assert answered >= 10
    expect(annotator.get_by_role("heading", level=1)).to_contain_text("Thank you")
    expect(annotator.get_by_text("You will be paid")).to_be_visible()
    check_accessibility(annotator)

    researcher.goto(demo.login)
    researcher.get_by_role("button", name="Sign in").click()
    researcher.get_by_role("link", name="Relatedness of sentence pairs").first.click()
    before = _compute(researcher)
    _restore(researcher)
    after = _compute(researcher)
    # All submitted HITs count again: at least eight, because a HIT has at most two gold questions.
    assert after[0] - before[0] in (40, 45, 50)
    assert after[1] != before[1], "reliability has moved"
    researcher.get_by_role("link", name="scores.csv").first.scroll_into_view_if_needed()
    with researcher.expect_download() as download:
        researcher.get_by_role("link", name=re.compile(r"scores\.csv")).first.click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    assert len(rows) == 96
    assert all(0 <= float(row["score"]) <= 1 for row in rows)


def _join(page: Page, link: str) -> None:
    """Read the consent text, agree and start the work without the mouse."""
    page.goto(link)
    check_accessibility(page)
    for name in ("agree", "eligible"):
        _tab_to(page, f"input[name={name}]")
        page.keyboard.press("Space")
    _tab_to(page, "form button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/a/**")


def _answer_until_stopped(page: Page) -> int:
    """Answer all questions with the keyboard, with wrong answers to gold questions, and return the number
    of answers.
    """
    known, keys = _gold(), _keys_by_sentences()
    looked = False
    for answered in range(1, 81):
        expect(page.locator("#answering")).to_be_visible()
        shown = [keys[text] for text in _sentences(page)]
        gold = known.get(frozenset(shown))
        best, worst = (shown.index(gold[1]) + 1, shown.index(gold[0]) + 1) if gold else (1, 4)
        place = page.locator("#progress").inner_text()
        choose(page, best, worst)
        page.keyboard.press("Enter")
        if gold:
            button = page.get_by_role("button", name="I understand. Continue")
            stopped = page.get_by_role("heading", name="Your work in this study ends here")
            expect(button.or_(stopped).first).to_be_visible()
            if not looked:
                check_accessibility(page)
                looked = True
            if button.is_visible():
                page.wait_for_timeout(SETTLED)
                page.keyboard.press("Enter")
        again = page.get_by_role("button", name="Next set")
        page.wait_for_function(
            "before => !document.querySelector('#progress')"
            " || document.activeElement.innerText === 'Next set'"
            " || (document.querySelector('#progress').innerText !== before"
            "     && !document.querySelector('#answering').hidden)",
            arg=place,
        )
        if again.is_visible():
            next_set(page)
            expect(page.locator("#answering")).to_be_visible()
        if "/s/" in page.url or page.locator("#progress").count() == 0:
            return answered
    raise AssertionError("eighty questions, and nobody stopped us")


def _restore(page: Page) -> None:
    page.get_by_role("navigation", name="Study pages").get_by_role("link", name=re.compile("^People")).click()
    page.get_by_role("link", name=re.compile("^Stopped")).or_(
        page.get_by_role("button", name=re.compile("^Stopped"))
    ).first.click()
    row = page.locator("tr", has=page.locator(".who")).filter(has_not_text="Simulated").first
    pseudonym = row.locator(".who").inner_text()
    row.locator(".who").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(pseudonym)
    page.get_by_role("button", name="Restore").first.click()
    dialog = page.get_by_role("dialog")
    check_accessibility(page)
    dialog.get_by_label("Reason").fill("The gold was missed on purpose.")
    dialog.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Active").first).to_be_visible()


def _compute(page: Page) -> tuple[int, str]:
    """Calculate the results, open the report, and return the number of judgements and the printed reliability."""
    page.get_by_role("navigation", name="Study pages").get_by_role("link", name="Results").click()
    calculate = page.get_by_role("button", name=re.compile("^Calculate"))
    title = page.get_by_role("heading", level=1, name=re.compile("^Reports?"))
    expect(title).to_be_visible()
    before = title.inner_text()
    if not calculate.count():
        page.get_by_role("link", name="All reports").click()
    page.wait_for_load_state()
    calculate.click()
    expect(title).to_have_text(re.compile(r"^Report \d+$"), timeout=60_000)
    expect(title).not_to_have_text(before)
    sub = page.locator(".con-head .sub").inner_text()
    found = re.search(r"([\d,]+) judgements", sub)
    assert found, sub
    reliability = page.locator(".fig", has_text="Reliability of the scores").locator(".big").inner_text()
    return int(found[1].replace(",", "")), reliability


def _sentences(page: Page) -> list[str]:
    """Return the first sentence of each pair, in screen order."""
    return [pair.locator(".sent").first.inner_text() for pair in page.locator(".pair").all()]


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def _gold() -> dict[frozenset[str], tuple[str, str]]:
    questions = {}
    for name in ("gold.csv", "practice.csv"):
        for row in _read(name):
            items = frozenset(row[f"Item{n}"] for n in range(1, 5))
            questions[items] = (row["BestItem"], row["WorstItem"])
    return questions


def _keys_by_sentences() -> dict[str, str]:
    return {row["sentence1"]: row["id"] for row in _read("items.csv")}


def _read(name: str) -> list[dict[str, str]]:
    with (EXAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _link(links: str, part: str) -> str:
    return next(word for word in links.split() if part in word)


def _await(site: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server, which first creates the studies, answers."""
    for _ in range(3_000):
        if server.poll() is not None:
            break
        try:
            with urlopen(f"{site}/healthz", timeout=5):  # noqa: S310 - our own server
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise AssertionError("the server did not come up")
