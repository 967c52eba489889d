"""Helpers for browser tests of the annotators' pages: start the work as an annotator, answer questions, and read the
stored answers.
"""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.core import signing
from playwright.sync_api import Page, expect

from annotate.core.services.claim import claim
from annotate.models import Answer, Assignment, Participation, Study
from tests.chromium import LIVE_SERVER, WAIT, add_cookie
from tests.factories import gold_in, make_study, raw_answer

SETTLED = 550  # ms after which feedback takes an answer


def enter(page: Page, participation: Participation, host: str = LIVE_SERVER) -> None:
    """Give the browser the cookie of a participation at this host."""
    name = f"accord-{participation.study.public_id}"
    value = signing.get_cookie_signer(salt=name + "participation").sign(participation.public_id)
    add_cookie(page, name, value, host)


def start(page: Page, participation: Participation) -> Assignment:
    """Claim an assignment for the annotator, or continue the assignment in progress, and open its page."""
    enter(page, participation)
    assignment = claim(participation.pk).assignment
    assert assignment
    page.goto(f"/a/{assignment.public_id}")
    heading(page)
    return on_page(page)


def heading(page: Page) -> None:
    """Wait until a question is shown."""
    expect(page.get_by_role("heading", level=1, name="Which pair is")).to_be_visible()


def on_page(page: Page) -> Assignment:
    return Assignment.objects.get(public_id=urlsplit(page.url).path.rsplit("/", 1)[1])


def question(page: Page, number: int) -> None:
    """Wait until this question of the assignment is shown."""
    expect(page.locator("#progress")).to_have_attribute("aria-valuenow", str(number))
    expect(page.locator("#answering")).to_be_visible()


def choose(page: Page, best: int, worst: int) -> None:
    """Answer the question with the keyboard."""
    page.keyboard.press(str(best))
    page.keyboard.press(f"Shift+Digit{worst}")


def chosen(page: Page) -> tuple[str, str]:
    """Return the positions that are marked as most and as least, or an empty string for a missing choice."""
    return tuple(
        page.evaluate("name => document.querySelector(`input[name=${name}]:checked`)?.value ?? ''", name)
        for name in ("best", "worst")
    )


def answer_of(assignment: Assignment, position: int) -> Answer:
    return assignment.answers.select_related("question", "participation__study").get(position=position)


def gold_position(assignment: Assignment) -> int:
    return gold_in(assignment)[0].position


def choose_on_gold(page: Page, assignment: Assignment, *, right: bool) -> None:
    answer = answer_of(assignment, gold_position(assignment))
    choose(page, **raw_answer(answer, right=right))


def do_rest(page: Page, assignment: Assignment, *, first: int = 1, right: bool = True) -> None:
    """Answer all questions from number `first` with the keyboard and submit the HIT, with the expected or the opposite
    answers to gold questions.
    """
    answers = list(assignment.answers.select_related("question", "participation__study").order_by("position"))
    for answer in answers[first - 1 :]:
        question(page, answer.position)
        choose(page, **raw_answer(answer, right=right))
        page.keyboard.press("Enter")
        if answer.question.gold and not right:
            look_at_feedback(page)


def look_at_feedback(page: Page) -> None:
    expect(page.get_by_role("button", name="I understand. Continue")).to_be_focused()
    page.wait_for_timeout(SETTLED)
    page.keyboard.press("Enter")


def next_set(page: Page) -> None:
    """Go on to the next set from the page between two sets."""
    expect(page.get_by_role("button", name="Next set")).to_be_focused()
    page.keyboard.press("Enter")


def until(page: Page, condition: Callable[[], object]) -> None:
    """Wait until the database contains the expected data, and fail after `WAIT`."""
    deadline = time.monotonic() + WAIT / 1000
    while not condition():
        assert time.monotonic() < deadline, f"not within {WAIT / 1000:g} s"
        page.wait_for_timeout(50)


def gold_study(**settings: Any) -> Study:
    """Each HIT of six questions has one gold question, and an annotator who misses two of two gold questions is
    stopped.
    """
    usual = {"judgements": 2, "gold": 8, "gold_block": 5, "rule_threshold": "0.7", "rule_minimum": 2}
    return make_study(**usual | settings)
