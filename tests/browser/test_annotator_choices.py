"""What annotators can do on the work page other than answer: skip, write, return a set, read changed instructions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.core.services.returns import return_hit
from annotate.models import Assignment, Remark, Study
from annotate.studies.services.settings import change_settings
from tests.annotating import choose, do_rest, next_set, question, start, until
from tests.chromium import check_width
from tests.factories import UserFactory, make_annotator, make_study, take

pytestmark = pytest.mark.django_db(transaction=True)


def more(page: Page) -> None:
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("dialog", name="More options")).to_be_visible()


def unfold(page: Page, name: str) -> None:
    page.get_by_role("group").get_by_text(name, exact=True).first.click()


def skip(page: Page, reason: str) -> None:
    more(page)
    unfold(page, "Skip this question")
    page.get_by_label(reason).check()
    page.get_by_role("button", name="Skip this question").click()


@pytest.mark.nightly
@pytest.mark.parametrize("width", [320])
def test_a_question_is_skipped_with_a_reason_and_can_still_be_answered(
    open_page: Callable[..., Page], axe: Callable[[Page], None], width: int
) -> None:
    page = open_page(width)
    assignment = start(page, make_annotator(make_study(items=8, skips_allowed=True, reward="0.50")))
    more(page)
    unfold(page, "Skip this question")
    check_width(page)
    axe(page)
    page.keyboard.press("Escape")
    skip(page, "No answer fits.")
    question(page, 2)
    until(page, lambda: assignment.answers.get(position=1).skipped == "No answer fits.")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text("You have skipped this question.")).to_be_visible()
    page.reload()
    question(page, 1)
    page.keyboard.press("Enter")
    question(page, 2)
    do_rest(page, assignment, first=2)
    until(page, lambda: Assignment.objects.get(pk=assignment.pk).state == "done")
    assert assignment.answers.filter(value__isnull=True).count() == 1
    next_set(page)
    expect(page.get_by_text("$0.50 earned")).to_be_visible()


@pytest.mark.nightly
def test_a_skip_that_was_made_offline_is_sent_later(open_page: Callable[..., Page], expected_errors: list[str]) -> None:
    expected_errors.append(r"ERR_INTERNET_DISCONNECTED|fetching the script")
    page = open_page()
    assignment = start(page, make_annotator(make_study(items=8, skips_allowed=True)))
    page.context.set_offline(True)
    skip(page, "No answer fits.")
    question(page, 2)
    page.context.set_offline(False)
    until(page, lambda: assignment.answers.get(position=1).skipped == "No answer fits.")


@pytest.mark.nightly
def test_a_message_about_a_question_is_sent(open_page: Callable[..., Page], expected_errors: list[str]) -> None:
    page = open_page()
    start(page, make_annotator(make_study(items=8)))
    more(page)
    for hidden in page.get_by_text("Skip this question").all():
        expect(hidden).to_be_hidden()
    unfold(page, "Write to the research team about this question")
    page.get_by_label("There is a problem").check()
    page.get_by_label("Your message").fill("The sentence is cut off.")
    page.get_by_role("button", name="Send the message").click()
    expect(page.get_by_text("Your message was sent")).to_be_visible()
    remark = Remark.objects.get()
    assert (remark.kind, remark.text, remark.answer.position) == ("problem", "The sentence is cut off.", 1)
    expected_errors.append(r"ERR_INTERNET_DISCONNECTED|fetching the script")
    page.context.set_offline(True)
    page.get_by_label("Your message").fill("Another one.")
    page.get_by_role("button", name="Send the message").click()
    expect(page.get_by_text("You need an internet connection")).to_be_visible()
    expect(page.get_by_label("Your message")).to_have_value("Another one.")


@pytest.mark.nightly
def test_a_returned_set_comes_back_with_its_answers(open_page: Callable[..., Page]) -> None:
    page = open_page()
    assignment = start(page, make_annotator(make_study(items=8)))
    choose(page, 1, 2)
    more(page)
    unfold(page, "Return this set")
    page.get_by_role("button", name="Return this set").click()
    page.wait_for_url("**/s/**")
    assert Assignment.objects.get(pk=assignment.pk).reason == "returned"
    expect(page.get_by_text("Your set was returned.")).to_be_visible()
    page.goto(f"/s/{assignment.study.public_id}")
    expect(page.get_by_text("Your set was returned.")).to_be_hidden()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(f"**/a/{assignment.public_id}*")


@pytest.mark.nightly
def test_a_set_that_was_put_aside_does_not_come_back(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = open_page()
    annotator = make_annotator(make_study(items=12, put_aside_allowed=2))
    return_hit(annotator.pk, take(annotator).public_id, put_aside=True)
    assignment = start(page, annotator)
    more(page)
    unfold(page, "Return this set")
    page.get_by_label("I can put aside 1 more set in this study").check()
    axe(page)
    page.get_by_role("button", name="Return this set").click()
    page.wait_for_url("**/s/**")
    assert Assignment.objects.get(pk=assignment.pk).reason == "put aside"
    expect(page.get_by_text("The set was put aside.")).to_be_visible()


@pytest.mark.nightly
def test_no_draft_is_sent_after_its_set_was_returned(open_page: Callable[..., Page]) -> None:
    page = open_page()
    assignment = start(page, make_annotator(make_study(items=8)))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    page.route("**/return", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    more(page)
    unfold(page, "Return this set")
    page.keyboard.press("Escape")
    choose(page, 1, 2)
    more(page)
    unfold(page, "Return this set")
    page.get_by_role("button", name="Return this set").click()
    page.wait_for_url("**/s/**")
    assert Assignment.objects.get(pk=assignment.pk).reason == "returned"
    assert "return" in sent
    assert "draft" not in sent[sent.index("return") :]


@pytest.mark.nightly
def test_changed_instructions_are_announced_with_the_next_set(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    owner = UserFactory()
    study = make_study(items=8, user=owner)
    page = open_page()
    start(page, make_annotator(study))
    change_settings(study.pk, user=owner, instructions="Choose the closest pair.")
    page.reload()
    dialog = page.get_by_role("dialog", name="The instructions have changed")
    expect(dialog).to_be_visible()
    axe(page)
    dialog.get_by_role("button", name="Later").click()
    expect(dialog).to_be_hidden()


def test_a_break_is_suggested_after_the_minutes_of_the_study(open_page: Callable[..., Page]) -> None:
    study = make_study(items=8)
    Study.objects.filter(pk=study.pk).update(break_minutes=30)
    page = open_page()
    start(page, make_annotator(study))
    page.evaluate("""() => localStorage.setItem("accord:working",
        JSON.stringify({ since: Date.now() - 31 * 60000, last: Date.now() - 1000 }))""")
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    question(page, 2)
    expect(page.get_by_text("You have been working for 30 minutes.")).to_be_visible()
