"""Tests of long work in the browser: 200 questions in one sitting, an idle page, eight hours asleep, and a crash."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright, Request, expect

from annotate.core.services.claim import claim
from annotate.data.services.design import build_design
from annotate.models import Answer, Assignment, Participation
from annotate.server import clock
from annotate.studies.services.study import create_study, open_study
from tests import servers
from tests.aligning import word
from tests.annotating import enter, next_set, question, until
from tests.chromium import QUIET, WAIT
from tests.factories import UserFactory, make_annotator
from tests.word_study import bring

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]

QUESTIONS = 200
SET = 50
# The keys of one answer. Each changes the answer several times, so that a history grows as in real work.
KEYS = {
    "words": [",", "b", "b", "c", "d", "Escape", "z", "Shift+Z"],
    "chunks": ["w", "c", "/", "1", "e", "z", "Shift+Z", "t"],
    "bws": ["1", "Shift+Digit4", "2", "Shift+Digit3"],
}
PAIR = "{0},The cat number {0} saw the dog.,The dog was seen by {0} cats.\n"
OPTIONS = {"bws": {"factor": 2.0}, "words": {"tokenise": False}}

IDLE = 10_000  # ms
# Collects the delay of each timer when it runs, and of each animation frame.
TIMERS = """
window.timers = [];
for (const name of ["setTimeout", "setInterval"]) {
  const own = window[name];
  window[name] = (act, ms = 0, ...more) => own(() => (window.timers.push(ms), act?.(...more)), ms);
}
const frame = requestAnimationFrame;
window.requestAnimationFrame = (act) => frame((at) => (window.timers.push(0), act(at)));
"""


class Resources(NamedTuple):
    """What the page holds after a garbage collection."""

    heap: float  # bytes
    listeners: float
    nodes: float


class Spent(NamedTuple):
    """What the last questions took: seconds of the main thread, and bytes sent and received."""

    processor: float
    bytes: int


def annotator_of(kind: str, questions: int = QUESTIONS, per_set: int = SET) -> Participation:
    """Return an annotator of a study with so many questions, without gold."""
    user = UserFactory()
    settings = {"judgements": 1, "gold_block": 0, "rule_threshold": 0, "practice": False, "questions_per_hit": per_set}
    study = create_study(
        user=user, title="Long", task_type=kind, seed=1, instructions="Read.", options=OPTIONS.get(kind), **settings
    )
    count = questions // 2 if kind == "bws" else questions
    rows = "".join(PAIR.format(number) for number in range(count))
    bring(study, "items", f"id,sentence1,sentence2\n{rows}".encode(), "items.csv")
    build_design(study.pk, user=user)
    return make_annotator(open_study(study.pk, user=user))


@pytest.mark.parametrize("kind", KEYS)
def test_200_questions_in_one_sitting_take_no_more_at_the_end(page: Page, kind: str) -> None:
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    requests: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))
    enter_work(page, annotator_of(kind))
    resources, spent, earlier = {}, {}, processor(client)
    for number in range(1, QUESTIONS + 1):
        answer(page, kind, (number - 1) % SET + 1)
        if number % SET == 0 and number < QUESTIONS:
            next_set(page)
        if number % 20 == 0:
            now = processor(client)
            sizes = [request.sizes() for request in requests]
            sent = sum(one["requestBodySize"] + one["responseBodySize"] for one in sizes)
            spent[number] = Spent(now - earlier, sent)
            requests.clear()
            resources[number] = held(client)
            earlier = processor(client)
    until(page, lambda: Answer.objects.filter(value__isnull=False).count() == QUESTIONS)
    first, last = resources[60], resources[180]
    assert last.heap < 1.25 * first.heap
    assert last.listeners <= first.listeners
    assert last.nodes < 1.1 * first.nodes
    early, late = ([spent[number] for number in numbers] for numbers in ((40, 60), (160, 180)))
    assert sum(one.processor for one in late) < 1.3 * sum(one.processor for one in early)
    assert sum(one.bytes for one in late) < 1.2 * sum(one.bytes for one in early)


def enter_work(page: Page, annotator: Participation) -> None:
    enter(page, annotator)
    page.goto(f"/s/{annotator.study.public_id}")
    page.locator("form[action$='/start'] button").click()
    question(page, 1)


def answer(page: Page, kind: str, number: int) -> None:
    question(page, number)
    for key in KEYS[kind]:
        page.keyboard.press(key)
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("Enter")


def processor(client: CDPSession) -> float:
    return metrics(client)["TaskDuration"]


def held(client: CDPSession) -> Resources:
    for _ in range(2):
        client.send("HeapProfiler.collectGarbage")
    now = metrics(client)
    return Resources(now["JSHeapUsedSize"], now["JSEventListeners"], now["Nodes"])


def metrics(client: CDPSession) -> dict[str, float]:
    return {each["name"]: each["value"] for each in client.send("Performance.getMetrics")["metrics"]}


def test_after_a_crash_the_page_stands_at_the_same_word(
    playwright_driver: Playwright, live_server: Any, tmp_path: Path
) -> None:
    """The answer to the first question is on its way, and the second question has a link and a selected word."""
    annotator = annotator_of("words", questions=3, per_set=3)
    context = browser_with(playwright_driver, tmp_path, live_server.url)
    page = context.pages[0]
    enter_work(page, annotator)
    answer(page, "words", 1)
    question(page, 2)
    context.set_offline(True)
    word(page, 0, 1).click()
    word(page, 1, 1).click()
    word(page, 0, 3).click()
    address = page.url
    page.wait_for_timeout(6000)  # Chromium writes its storage to the disk every few seconds
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(tmp_path).encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
    context = browser_with(playwright_driver, tmp_path, live_server.url)
    page = context.pages[0]
    enter(page, annotator)
    page.goto(address)
    question(page, 2)
    expect(word(page, 0, 3)).to_have_attribute("aria-selected", "true")
    expect(page.locator('.board .tie[data-part="1-1"]')).to_have_count(1)
    context.close()


def browser_with(playwright: Playwright, profile: Path, address: str) -> BrowserContext:
    """Start a browser with this profile, which the next browser finds on the disk."""
    program = servers.chromium_program()
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=program, args=QUIET, base_url=address
    )
    context.set_default_timeout(WAIT)
    return context


def test_an_idle_page_runs_no_timer_and_little_code(page: Page) -> None:
    page.add_init_script(TIMERS)
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    enter_work(page, annotator_of("words", questions=3, per_set=3))
    word(page, 0, 1).click()
    expect(page.get_by_text("Selected: cat")).to_be_visible()
    page.wait_for_timeout(2000)
    page.evaluate("timers.length = 0")
    before = processor(client)
    page.wait_for_timeout(IDLE)
    assert page.evaluate("timers.filter((ms) => ms < 60_000)") == []
    assert processor(client) - before < 0.001 * IDLE / 1000


def test_eight_hours_asleep_lose_nothing_even_if_another_annotator_takes_the_set(page: Page) -> None:
    annotator = annotator_of("words", questions=2, per_set=2)
    enter_work(page, annotator)
    answer(page, "words", 1)
    question(page, 2)
    word(page, 0, 1).click()
    word(page, 1, 1).click()
    until(page, Answer.objects.filter(value__isnull=False).exists)
    until(
        page, Answer.objects.filter(value__isnull=True, draft__isnull=False).exists
    )  # a later save would extend the lease again
    client = page.context.new_cdp_session(page)
    client.send("Page.setWebLifecycleState", {"state": "frozen"})
    Assignment.objects.update(lease_until=clock.now() - timedelta(hours=7))
    assert claim(make_annotator(annotator.study).pk).assignment
    client.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator('.board .tie[data-part="1-1"]')).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your set was submitted.")).to_be_visible()
    assignment = Assignment.objects.get(participation=annotator)
    assert (assignment.state, assignment.answers.filter(value__isnull=False).count()) == ("surplus", 2)
