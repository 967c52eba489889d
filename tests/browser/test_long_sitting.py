"""Tests of long work in the browser: 200 questions in one sitting, an idle page, eight hours asleep, and a crash."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import CDPSession, Page, Request, expect

from annotate.data.services.design import build_design
from annotate.models import Answer, Participation
from annotate.studies.services.study import create_study, open_study
from tests.annotating import enter, next_set, question, until
from tests.factories import UserFactory, make_annotator
from tests.word_study import bring

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = 200
SET = 50
# The keys of one answer. Each changes the answer several times, so that a history grows as in real work.
KEYS = {
    "words": [",", "b", "b", "c", "d", "Escape", "z", "Shift+Z"],
    "chunks": ["w", "c", "/", "1", "e", "z", "Shift+Z", "Shift+N"],
    "bws": ["1", "Shift+Digit4", "2", "Shift+Digit3"],
}
PAIR = "{0},The cat number {0} saw the dog.,The dog was seen by {0} cats.\n"
OPTIONS = {"bws": {"factor": 2.0}, "words": {"tokenise": False}}


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


@pytest.mark.nightly
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
