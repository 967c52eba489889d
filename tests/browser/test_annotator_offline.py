"""Tests of work without a connection: slow responses, an offline start, two tabs, a lost cookie, a stop, and a shared
browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from annotate.models import Assignment, Participation
from annotate.recruiting.services.join import issue_resume_code
from tests.annotating import (
    SETTLED,
    answer_of,
    choose,
    choose_on_gold,
    chosen,
    do_rest,
    enter,
    gold_position,
    gold_study,
    heading,
    look_at_feedback,
    next_set,
    on_page,
    question,
    start,
    until,
)
from tests.factories import gold_in, make_annotator, make_study, raw_answer, take

pytestmark = pytest.mark.django_db(transaction=True)

OFFLINE = r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|net::ERR|fetching the script"
COPIES = """async () => {
  const names = await caches.keys();
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith("/a/"));
}"""


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A page with its service worker."""
    return open_page(service_workers="allow")


@pytest.fixture
def page_alone(open_page: Callable[..., Page]) -> Page:
    """A page without a service worker, whose requests all pass `page.route`."""
    return open_page()


def copied(page: Page) -> None:
    """Wait until the open page can start without a connection."""
    until(page, lambda: page.evaluate(COPIES) == [page.evaluate("location.pathname")])
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def given(assignment: Assignment) -> int:
    return assignment.answers.filter(value__isnull=False).count()


@pytest.mark.nightly
def test_next_waits_for_no_answer_and_feedback_names_its_question(page_alone: Page) -> None:
    page = page_alone
    assignment = start(page, make_annotator(gold_study()))
    place, total = gold_position(assignment), assignment.answers.count()
    held: list[Route] = []
    page.route(re.compile("/answers/\\d+$"), lambda route: held.append(route))
    for number in range(1, total):
        question(page, number)
        if number == place:
            choose_on_gold(page, assignment, right=False)
        else:
            choose(page, 1, 2)
        page.keyboard.press("Enter")
        question(page, number + 1)  # while the first request still waits
    until(page, lambda: held)
    assert given(assignment) == 0
    if place == total:
        choose_on_gold(page, assignment, right=False)
    else:
        choose(page, 1, 2)
    page.keyboard.press("Enter")  # submits, as soon as the answer under way has got through
    held[0].continue_()
    page.unroute(re.compile("/answers/\\d+$"))
    expect(page.get_by_role("heading", name=f"Question {place}: our answer is different")).to_be_visible()
    assert Assignment.objects.get(pk=assignment.pk).state == "leased"
    look_at_feedback(page)
    until(page, lambda: Assignment.objects.get(pk=assignment.pk).state == "done")
    next_set(page)
    question(page, 1)
    assert on_page(page) != assignment
    assert answer_of(assignment, place).acknowledged_at


def test_a_chosen_answer_is_not_interrupted_by_feedback(page_alone: Page) -> None:
    page = page_alone
    practice = start(page, make_annotator(make_study(practice=2)))
    held: list[Route] = []
    page.route("**/answers/1", lambda route: held.append(route))
    choose(page, **raw_answer(answer_of(practice, 1)))
    page.keyboard.press("Enter")
    question(page, 2)
    page.keyboard.press("3")
    until(page, lambda: held)
    with page.expect_response("**/answers/1"):
        held[0].continue_()
    page.wait_for_timeout(300)
    assert chosen(page) == ("3", "")
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Question 1: our answer is the same")).to_be_visible()


@pytest.mark.nightly
def test_missed_gold_that_was_on_its_way_can_no_longer_be_changed(page_alone: Page, expected_errors: list[str]) -> None:
    page = page_alone
    expected_errors.append("status of 409")
    study = gold_study(questions_per_hit=2, gold_block=2, rule_threshold=0)
    assignment = start(page, make_annotator(study))
    place, last = gold_position(assignment), assignment.answers.count()
    while place == last:  # the submission sends the last answer
        do_rest(page, assignment)
        question(page, 1)
        assignment = on_page(page)
        place = gold_position(assignment)
    other = page.context.new_page()
    other.goto(page.url)
    heading(other)
    answer_until(page, place)
    held: list[Route] = []
    page.route(f"**/answers/{place}", lambda route: held.append(route))
    choose_on_gold(page, assignment, right=False)
    missed = chosen(page)
    page.keyboard.press("Enter")
    question(page, place + 1)
    until(page, lambda: held)
    page.get_by_role("button", name="Back").click()
    question(page, place)
    choose_on_gold(page, assignment, right=True)
    assert chosen(page) != missed
    held[0].continue_()
    expect(page.locator("#note-heading")).to_be_visible()
    page.wait_for_timeout(SETTLED)
    page.keyboard.press("Enter")
    expect(page.get_by_text("your answer can no longer be changed")).to_be_visible()
    assert chosen(page) == missed

    answer_until(other, place)  # the other tab does not know of this answer
    choose_on_gold(other, assignment, right=True)
    other.keyboard.press("Enter")
    expect(other.get_by_text(f"Question {place} has already been graded")).to_be_visible()
    question(other, place)
    assert chosen(other) == missed
    assert not answer_of(assignment, place).passed


@pytest.mark.nightly
def test_a_right_answer_to_gold_can_be_changed_and_stays_graded(page_alone: Page) -> None:
    page = page_alone
    study = gold_study(questions_per_hit=2, gold_block=2)
    assignment = start(page, make_annotator(study))
    while (place := gold_position(assignment)) == assignment.answers.count():  # the submission sends the last answer
        do_rest(page, assignment)
        question(page, 1)
        assignment = on_page(page)
    answer_until(page, place)
    choose_on_gold(page, assignment, right=True)
    page.keyboard.press("Enter")
    question(page, place + 1)
    until(page, lambda: answer_of(assignment, place).passed)
    page.get_by_role("button", name="Back").click()
    question(page, place)
    choose_on_gold(page, assignment, right=False)
    changed = chosen(page)
    page.keyboard.press("Enter")
    question(page, place + 1)
    until(page, lambda: answer_of(assignment, place).later)
    page.reload()
    question(page, place + 1)
    page.get_by_role("button", name="Back").click()
    question(page, place)
    assert chosen(page) == changed
    assert answer_of(assignment, place).passed


def answer_until(page: Page, place: int) -> None:
    for number in range(1, place):
        question(page, number)
        choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, place)


@pytest.mark.nightly
def test_a_page_starts_offline_and_finishes_its_hit_and_the_next(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(OFFLINE)
    assignment = start(page, make_annotator(make_study(reward="0.50")))
    total = assignment.answers.count()
    copied(page)
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    question(page, 2)
    until(page, lambda: given(assignment) == 1)
    page.context.set_offline(True)
    page.reload()
    question(page, 2)  # the copy is older than the first answer
    page.get_by_role("button", name="Back").click()
    question(page, 1)
    assert chosen(page) == ("1", "2")
    page.get_by_role("button", name="Next").click()
    for number in range(2, total + 1):
        question(page, number)
        choose(page, 3, 4)
        page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved on this device")).to_be_visible()
    assert given(assignment) == 1
    page.reload()  # while the submission waits for a connection
    question(page, total)
    expect(page.get_by_role("status").filter(has_text="will be submitted when you are back online")).to_be_visible()
    page.keyboard.press("1")  # the answers wait for their submission, so keys and presses change nothing
    expect(page.locator("#task")).to_have_attribute("inert", "")
    assert chosen(page) == ("3", "4")
    page.context.set_offline(False)
    until(page, lambda: Assignment.objects.get(pk=assignment.pk).state == "done")
    next_set(page)
    question(page, 1)
    following = on_page(page)
    assert following != assignment
    assert all(answer.trace == [] for answer in assignment.answers.all())

    copied(page)
    page.context.set_offline(True)
    page.reload()
    question(page, 1)
    assert on_page(page) == following
    expect(page.get_by_text("$0.50 earned")).to_be_attached()  # the copy of the page says $0.00
    choose(page, 4, 1)
    page.keyboard.press("Enter")
    question(page, 2)
    page.context.set_offline(False)
    until(page, lambda: answer_of(following, 1).value)
    assert (
        page.evaluate("id => Object.keys(localStorage).filter((key) => key.includes(id))", assignment.public_id) == []
    )


@pytest.mark.nightly
def test_two_tabs_without_a_connection_lose_nothing(page_alone: Page, expected_errors: list[str]) -> None:
    page = page_alone
    expected_errors.append(OFFLINE)
    assignment = start(page, make_annotator(make_study()))
    other = page.context.new_page()
    other.goto(page.url)
    heading(other)
    page.route("**/api/**", lambda route: route.fulfill(status=502, body="the server is being restarted"))
    other.route("**/api/**", lambda route: route.abort())
    for tab, number in ((page, 1), (other, 1), (other, 2), (page, 2), (page, 3)):
        question(tab, number)
        choose(tab, number, 4)
        tab.keyboard.press("Enter")
    question(page, 4)
    expect(other.get_by_role("status").filter(has_text="Saved on this device")).to_be_visible()
    page.close()
    other.unroute("**/api/**")
    other.reload()
    question(other, 4)
    until(other, lambda: given(assignment) == 3)
    do_rest(other, assignment, first=4)
    until(other, lambda: Assignment.objects.get(pk=assignment.pk).state == "done")


@pytest.mark.nightly
def test_answers_wait_for_the_resume_code_when_the_cookie_is_lost(page: Page, expected_errors: list[str]) -> None:
    expected_errors.extend((OFFLINE, "status of 404"))
    participation = make_annotator(make_study())
    assignment = start(page, participation)
    code = issue_resume_code(participation.pk).code
    copied(page)
    page.context.set_offline(True)
    for number in (1, 2):
        question(page, number)
        choose(page, 2, 3)
        page.keyboard.press("Enter")
    page.context.clear_cookies()
    context = page.context
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"/a/{assignment.public_id}")
    expect(page.get_by_text("Answers that have not been sent yet are stored in this browser")).to_be_visible()
    until(page, lambda: page.evaluate(COPIES) == [])  # the server does not know the annotator of the page
    assert given(assignment) < 2, "a page can still send something while it closes"
    page.get_by_role("link", name="Continue with a code").click()
    page.get_by_label("Your resume code").fill(code)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Continue").click()
    question(page, 3)
    until(page, lambda: given(assignment) == 2)


@pytest.mark.nightly
def test_a_stop_by_an_answer_given_offline_is_credited(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(OFFLINE)
    participation = make_annotator(gold_study(rule_minimum=1, pay_stopped=False))
    assignment = start(page, participation)
    place, total = gold_position(assignment), assignment.answers.count()
    page.context.set_offline(True)
    for number in range(1, total + 1):
        question(page, number)
        if number == place:
            choose_on_gold(page, assignment, right=False)
        else:
            choose(page, 1, 2)
        page.keyboard.press("Enter")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name=f"Question {place}: our answer is different")).to_be_visible()
    look_at_feedback(page)
    expect(page.get_by_role("heading", name="Thank you. Your work in this study ends here")).to_be_visible()
    expect(page.get_by_text("You will be paid $0.50 for 1 set.")).to_be_visible()
    assert Participation.objects.get(pk=participation.pk).standing == "stopped"
    assignment.refresh_from_db()
    assert (assignment.state, assignment.credited) == ("void", True)
    assert given(assignment) == total


def test_requests_whose_replies_got_lost_change_nothing_twice(page_alone: Page, expected_errors: list[str]) -> None:
    page = page_alone
    expected_errors.extend((OFFLINE, "status of 409"))
    assignment = start(page, make_annotator(gold_study(rule_threshold=0)))
    (gold,) = gold_in(assignment)
    lost: list[str] = []

    def lose_the_reply(route: Route) -> None:
        route.fetch()
        lost.append(route.request.url)
        route.abort()

    for address in (f"**/answers/{gold.position}", "**/acknowledgement", "**/submission"):
        page.route(address, lose_the_reply, times=1)
    do_rest(page, assignment, right=False)
    next_set(page)
    question(page, 1)
    assert on_page(page) != assignment
    assert len(lost) == (2 if gold.position == assignment.answers.count() else 3)
    assert Assignment.objects.filter(participation=assignment.participation_id).count() == 2
    answer = answer_of(assignment, gold.position)
    assert (answer.trace, answer.disputed, assignment.participation.answers.filter(passed=False).count()) == (
        [],
        False,
        1,
    )


@pytest.mark.nightly
def test_copies_of_pages_belong_to_one_annotator(page: Page, expected_errors: list[str]) -> None:
    expected_errors.extend((OFFLINE, "status of 404"))
    study = make_study(judgements=2)
    first, second = make_annotator(study), make_annotator(study)
    mine = start(page, first)
    copied(page)
    start(page, second)
    copied(page)
    assert page.evaluate(COPIES) == [f"/a/{take(second).public_id}"]
    page.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_"):
        page.goto(f"/a/{mine.public_id}")
    page.context.set_offline(False)
    page.goto(f"/s/{study.public_id}/not-me")
    page.get_by_role("button", name="Start as a new annotator").click()
    expect(page).to_have_url(re.compile("/join/"))
    until(page, lambda: page.evaluate(COPIES) == [])
    until(page, lambda: page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0)
    page.context.set_offline(True)
    for path in (f"/a/{take(second).public_id}", f"/s/{study.public_id}", "/console/"):
        with pytest.raises(Exception, match="ERR_"):
            page.goto(path)


def test_the_worker_leaves_every_other_page_alone(page: Page, client: Callable[..., object]) -> None:
    enter(page, make_annotator(make_study()))
    reply = page.request.get("/a/worker.js")
    assert reply.headers["content-type"].startswith("text/javascript")
    assert "no-store" in reply.headers["cache-control"]
    assert "service-worker-allowed" not in reply.headers, "the worker controls /a/ only"
