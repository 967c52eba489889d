"""Tests that no answer is lost after reloads, lost connections, in two windows, with double presses or on another
device.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from annotate.models import Assignment
from tests.annotating import (
    answer_of,
    choose,
    choose_on_gold,
    chosen,
    do_rest,
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
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db(transaction=True)

OFFLINE = r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource: net::|when fetching the script"


@pytest.mark.nightly
def test_a_reload_in_mid_question_resumes_the_draft(page: Page) -> None:
    assignment = start(page, make_annotator(make_study()))
    page.keyboard.press("3")
    expect(page.locator("#stored").filter(has_text="Saved")).to_be_visible()
    assert answer_of(assignment, 1).draft == {"best": 3, "worst": None}
    page.reload()
    heading(page)
    assert chosen(page) == ("3", "")
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Enter")
    question(page, 2)
    page.reload()
    question(page, 2)


@pytest.mark.nightly
def test_a_choice_that_was_not_sent_survives_a_crash(page: Page) -> None:
    assignment = start(page, make_annotator(make_study()))
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")  # as in a crash, no request leaves the page
    page.keyboard.press("2")
    page.goto("about:blank")
    page.go_back()
    heading(page)
    assert chosen(page) == ("2", "")
    until(page, lambda: answer_of(assignment, 1).draft == {"best": 2, "worst": None})


@pytest.mark.nightly
def test_a_choice_that_another_window_overwrote_in_the_storage_is_sent(page: Page) -> None:
    assignment = start(page, make_annotator(make_study()))
    key = f"accord:hit:{assignment.public_id}:1"
    page.evaluate("key => { window.before = localStorage.getItem(key) ?? '{}'; }", key)
    page.keyboard.press("2")
    # Another window writes the record without having seen the choice.
    page.evaluate("key => localStorage.setItem(key, window.before)", key)
    until(page, lambda: answer_of(assignment, 1).draft == {"best": 2, "worst": None})
    page.reload()
    heading(page)
    assert chosen(page) == ("2", "")


@pytest.mark.parametrize("pause", [0, 150, 300])  # ms: before, while and after the service worker takes over the page
def test_what_was_chosen_goes_out_when_the_page_is_left(open_page: Callable[..., Page], pause: int) -> None:
    page = open_page(service_workers="allow")
    assignment = start(page, make_annotator(make_study()))
    page.wait_for_timeout(pause)
    page.keyboard.press("2")
    page.goto("about:blank")
    until(page, lambda: answer_of(assignment, 1).draft == {"best": 2, "worst": None})


@pytest.mark.nightly
def test_a_draft_larger_than_what_outlives_a_page_gets_through(page: Page) -> None:
    assignment = start(page, make_annotator(make_study()))
    draft = {"best": 2, "worst": None, "note": "x" * 100_000}
    page.evaluate(
        "([id, draft]) => localStorage.setItem(`accord:hit:${id}:1`, JSON.stringify({ unsaved: { draft } }))",
        [assignment.public_id, draft],
    )
    page.reload()
    heading(page)
    until(page, lambda: answer_of(assignment, 1).draft == draft)
    do_rest(page, assignment)
    until(page, lambda: Assignment.objects.get(pk=assignment.pk).state == "done")


def test_offline_everything_is_kept_and_sent_when_back(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(OFFLINE)
    assignment = start(page, make_annotator(make_study()))
    page.context.set_offline(True)
    for number in (1, 2, 3):
        question(page, number)
        choose(page, number, 4)
        page.keyboard.press("Enter")
    question(page, 4)
    expect(page.get_by_role("status").filter(has_text="Saved on this device. Resending…")).to_be_visible()
    assert not assignment.answers.filter(value__isnull=False).exists()
    page.context.set_offline(False)
    expect(page.locator("#stored").filter(has_text="Saved")).to_be_visible()
    until(page, lambda: assignment.answers.filter(value__isnull=False).count() == 3)
    assert all(answer.trace == [] for answer in assignment.answers.all())


@pytest.mark.nightly
def test_gold_missed_while_offline_is_explained_when_back(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(OFFLINE)
    assignment = start(page, make_annotator(gold_study()))
    place = gold_position(assignment)
    page.context.set_offline(True)
    for number in range(1, place):
        question(page, number)
        choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, place)
    choose_on_gold(page, assignment, right=False)
    page.keyboard.press("Enter")
    if place < assignment.answers.count():
        question(page, place + 1)
    page.context.set_offline(False)
    look_at_feedback(page)
    until(page, lambda: answer_of(assignment, place).acknowledged_at)
    heading(page)


@pytest.mark.nightly
def test_handing_in_offline_goes_through_when_back(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(OFFLINE)
    assignment = start(page, make_annotator(make_study()))
    total = assignment.answers.count()
    for number in range(1, total):
        question(page, number)
        choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, total)
    page.context.set_offline(True)
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="will be submitted when you are back online")).to_be_visible()
    page.context.set_offline(False)
    until(page, lambda: Assignment.objects.get(pk=assignment.pk).state == "done")
    next_set(page)
    question(page, 1)
    assert on_page(page) != assignment


@pytest.mark.nightly
def test_a_reply_that_got_lost_changes_nothing_twice(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(OFFLINE)
    assignment = start(page, make_annotator(make_study()))
    lost = []

    def lose_the_reply(route: Route) -> None:
        route.fetch()
        lost.append(route.request.url)
        route.abort()

    page.route("**/answers/*/draft", lose_the_reply, times=1)
    page.keyboard.press("1")
    expect(page.locator("#stored").filter(has_text="Saved")).to_be_visible()
    page.route("**/answers/1", lose_the_reply, times=1)
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Enter")
    question(page, 2)
    page.keyboard.press("4")
    until(page, lambda: answer_of(assignment, 2).draft == {"best": 4, "worst": None})
    answer = answer_of(assignment, 1)
    assert len(lost) == 2
    assert answer.value is not None
    assert answer.trace == []


@pytest.mark.nightly
def test_saving_is_said_when_it_takes_long(page: Page) -> None:
    start(page, make_annotator(make_study()))
    held: list[Route] = []
    page.route("**/draft", lambda route: held.append(route))
    page.keyboard.press("1")
    expect(page.locator("#stored").filter(has_text="Saving…")).to_be_visible()
    until(page, lambda: held)
    held[0].continue_()
    expect(page.locator("#stored").filter(has_text="Saved")).to_be_visible()


@pytest.mark.nightly
def test_double_presses_and_double_clicks_are_harmless(page: Page) -> None:
    assignment = start(page, make_annotator(make_study()))
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    question(page, 2)
    choose(page, 1, 2)
    page.get_by_role("button", name="Next").dblclick()
    question(page, 3)
    page.wait_for_timeout(300)
    question(page, 3)
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    question(page, 4)
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    question(page, 5)
    choose(page, 1, 2)
    page.get_by_role("button", name="Submit").dblclick()
    expect(page.get_by_text("Your set was submitted")).to_be_visible()
    assert Assignment.objects.get(pk=assignment.pk).state == "done"
    assert Assignment.objects.filter(participation=assignment.participation).count() == 2


@pytest.mark.nightly
def test_two_windows_on_one_set(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append("status of 409")
    assignment = start(page, make_annotator(make_study()))
    other = page.context.new_page()
    other.goto(page.url)
    heading(other)
    choose(page, 1, 2)
    until(page, lambda: answer_of(assignment, 1).draft == {"best": 1, "worst": 2})
    other.keyboard.press("4")
    expect(other.get_by_role("heading", name="was changed in another window")).to_be_visible()
    other.get_by_role("button", name="Reload the page").click()
    heading(other)
    assert chosen(other) == ("1", "2")
    do_rest(page, assignment)
    next_set(page)
    question(page, 1)
    choose(other, 3, 4)
    other.keyboard.press("Enter")
    expect(other.get_by_role("heading", name="This set has already been submitted")).to_be_visible()
    other.get_by_role("button", name="Continue").click()
    question(other, 1)
    assert other.url == page.url


@pytest.mark.nightly
def test_going_on_with_another_device(page: Page, open_page: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    assignment = start(page, make_annotator(make_study()))
    page.keyboard.press("2")
    expect(page.locator("#stored").filter(has_text="Saved")).to_be_visible()
    page.keyboard.press("p")
    page.get_by_role("button", name="Create a resume code").click()
    code = page.locator("[data-code-text]")
    expect(code).to_be_focused()
    expect(page.get_by_role("button", name="Create a resume code")).to_be_hidden()  # it would replace the code
    axe(page)
    phone = open_page(390, has_touch=True, is_mobile=True)
    phone.goto("/resume")
    phone.get_by_label("Your resume code").fill(code.inner_text().lower().replace("-", " "))
    phone.get_by_role("button", name="Continue").tap()
    phone.get_by_role("button", name="Continue").tap()
    heading(phone)
    assert on_page(phone) == assignment
    assert chosen(phone) == ("2", "")


def test_a_pause_shows_the_longer_reservation_after_the_first_answer(page: Page, settings: Any) -> None:
    settings.UNSTARTED_MINUTES = 15
    assignment = start(page, make_annotator(make_study(lease_minutes=60)))
    dialog = page.get_by_role("dialog", name="Paused")

    def check_end() -> None:
        assignment.refresh_from_db()
        time_format = "{weekday: 'long', hour: 'numeric', minute: '2-digit'}"
        end = page.evaluate(f"new Date('{assignment.lease_until.isoformat()}').toLocaleString('en', {time_format})")
        page.keyboard.press("p")
        expect(dialog).to_contain_text(f"reserved for you until {end}")
        page.keyboard.press("Escape")

    check_end()
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    question(page, 2)
    until(page, lambda: answer_of(assignment, 1).given_at)
    expect(page.locator("#stored")).to_have_text("Saved")
    check_end()


@pytest.mark.nightly
def test_the_clock_stands_still_in_a_pause(page: Page) -> None:
    assignment = start(page, make_annotator(make_study()))
    choose(page, 1, 2)
    began = time.monotonic()
    page.keyboard.press("Enter")
    question(page, 2)
    choose(page, 1, 2)
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="Paused")).to_be_visible()
    page.wait_for_timeout(1500)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    question(page, 3)
    in_all = time.monotonic() - began
    until(page, lambda: answer_of(assignment, 2).seconds)
    assert answer_of(assignment, 2).seconds < in_all - 1.5
