"""Tests of answering in a real browser: keys, gold questions, going back, two consecutive HITs, and a stop."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from accord_core.numerics.printed import money
from annotate.core.permissions import SYSTEM
from annotate.core.services.open_hits import end_lease
from annotate.core.services.submit import submit
from annotate.models import Assignment, Participation
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
    look_at_feedback,
    next_set,
    on_page,
    question,
    start,
    until,
)
from tests.factories import answers_to, make_annotator, make_study, raw_answer, take

pytestmark = pytest.mark.django_db(transaction=True)


AMOUNTS = [
    (amount, currency, language)
    for amount in ("0", "0.5", "0.0125", "12", "1207.5", "1234567")
    for currency in ("USD", "EUR", "GBP", "JPY", "CHF", "KRW")
    for language in ("en", "de")
]


def assert_amounts_read_like_those_of_the_server(page: Page) -> None:
    shown = page.evaluate(
        """async (amounts) => {
            const { money } = await import("/static/js/annotate/dom.js");
            const shown = amounts.map(([amount, currency, language]) => {
                document.documentElement.lang = language;
                return money(amount, currency);
            });
            document.documentElement.lang = "en";
            return shown;
        }""",
        AMOUNTS,
    )
    assert shown == [money(Decimal(amount), currency, language) for amount, currency, language in AMOUNTS]


def test_two_hits_by_keyboard_only(page: Page, axe: Callable[[Page], None]) -> None:
    study = gold_study(consent="We keep your answers.", eligibility="I am 18 or older.")
    page.goto(f"/join/{study.join_token}")
    for name in ("I agree to the consent text", "I am 18"):
        while not page.get_by_label(name).evaluate("element => element === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    question(page, 1)
    first = on_page(page)
    expect(page.locator("#question")).to_be_focused()
    do_rest(page, first)
    expect(page.get_by_role("heading", name="Your set was submitted, and you earned $0.50.")).to_be_in_viewport()
    axe(page)
    next_set(page)
    question(page, 1)
    second = on_page(page)
    assert second != first
    axe(page)
    assert_amounts_read_like_those_of_the_server(page)
    do_rest(page, second)
    next_set(page)
    until(page, lambda: Assignment.objects.filter(state="done", credited=True).count() == 2)
    assert all(a.seconds > 0 for a in first.answers.all())
    axe(page)


@pytest.mark.nightly
def test_between_two_sets_an_annotator_can_stop(page: Page) -> None:
    annotator = make_annotator(gold_study(hits_per_annotator=4))
    do_rest(page, start(page, annotator))
    expect(page.get_by_text("You can complete 3 more sets.")).to_be_visible()
    page.get_by_role("button", name="Stop for now").click()
    expect(page.get_by_text("Your set was submitted.")).to_be_visible()
    expect(page.get_by_text("You can complete 3 more sets.")).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).click()
    question(page, 1)


@pytest.mark.nightly
def test_a_reload_between_two_sets_opens_the_next_set(page: Page) -> None:
    first = start(page, make_annotator(gold_study()))
    do_rest(page, first)
    expect(page.get_by_role("button", name="Next set")).to_be_focused()
    expect(page.get_by_role("progressbar")).to_be_hidden()
    page.reload()
    question(page, 1)
    assert on_page(page) != first


def test_the_same_pair_is_never_both(page: Page) -> None:
    start(page, make_annotator(make_study()))
    choose(page, 2, 3)
    page.keyboard.press("3")
    assert chosen(page) == ("3", "")
    page.get_by_label("Least pair 3").check(force=True)
    assert chosen(page) == ("", "3")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_text("Choose the pair that is most related.")
    question(page, 1)


@pytest.mark.parametrize(("key", "code"), [("&", "Digit1"), ("١", "Digit1"), ("1", "")])
def test_digits_of_other_layouts(page: Page, key: str, code: str) -> None:
    start(page, make_annotator(make_study()))
    page.evaluate(
        "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code, bubbles: true}))",
        [key, code],
    )
    assert chosen(page) == ("1", "")


def test_radios_by_tab_and_arrows(page: Page) -> None:
    start(page, make_annotator(make_study()))
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    assert chosen(page) == ("2", "")


@pytest.mark.nightly
def test_touch(phone_page: Page) -> None:
    assignment = start(phone_page, make_annotator(make_study()))
    phone_page.locator("label[for=best-1]").tap()
    phone_page.locator("label[for=worst-4]").tap()
    phone_page.get_by_role("button", name="Next").tap()
    question(phone_page, 2)
    until(phone_page, lambda: answer_of(assignment, 1).value)


@pytest.mark.nightly
def test_gold_missed_is_explained_and_acknowledged(page: Page, axe: Callable[[Page], None]) -> None:
    assignment = start(page, make_annotator(gold_study()))
    place = gold_position(assignment)
    for number in range(1, place):
        question(page, number)
        choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, place)
    choose_on_gold(page, assignment, right=False)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Our answer is different")).to_be_visible()
    expect(page.get_by_text("Because of")).to_be_visible()
    expect(page.get_by_text("Most: expected answer")).to_be_visible()
    expect(page.get_by_text("Most: your answer")).to_be_visible()
    axe(page)
    look_at_feedback(page)
    until(page, lambda: answer_of(assignment, place).acknowledged_at)
    answer = answer_of(assignment, place)
    assert (answer.passed, answer.disputed) == (False, False)


@pytest.mark.nightly
@pytest.mark.parametrize("height", [500])
def test_on_a_phone_the_headers_edge_hides_nothing_of_the_feedback(open_page: Callable[..., Page], height: int) -> None:
    page = open_page(390, viewport={"width": 390, "height": height}, has_touch=True, is_mobile=True)
    study = gold_study(practice=1)
    study.questions.filter(kind="practice").update(explanation="Both are about the very same thing. " * 12)
    practice = start(page, make_annotator(study))
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    choose(page, **raw_answer(answer_of(practice, 1), right=False))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="I understand. Continue")).to_be_focused()
    header = page.locator(".an-top").bounding_box()
    below = header["y"] + header["height"]
    until(page, lambda: page.locator(".note").bounding_box()["y"] >= below)
    page.get_by_role("button", name="I disagree").click()
    # At once, because the end of a smooth movement could come after the movement to the focused field.
    page.get_by_label("Why do you disagree?").evaluate(
        "element => { element.blur(); window.scrollTo({ top: 9999, behavior: 'instant' }); }"
    )
    page.get_by_label("Why do you disagree?").focus()
    until(page, lambda: page.get_by_label("Why do you disagree?").bounding_box()["y"] >= below)


@pytest.mark.nightly
def test_the_second_half_of_a_double_press_acknowledges_nothing(page: Page) -> None:
    practice = start(page, make_annotator(make_study(practice=1)))
    page.evaluate(
        """() => new MutationObserver((_, observer) => {
            const button = document.querySelector(".note .b-main");
            if (!button) return;
            observer.disconnect();
            button.click();
        }).observe(document.body, { childList: true, subtree: true })"""
    )
    choose(page, **_expected(practice, 1))
    page.keyboard.press("Enter")
    page.wait_for_timeout(SETTLED)
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    assert answer_of(practice, 1).acknowledged_at is None


@pytest.mark.nightly
def test_gold_can_be_seen_differently(page: Page, axe: Callable[[Page], None]) -> None:
    assignment = start(page, make_annotator(gold_study(rule_minimum=9)))
    place = gold_position(assignment)
    for number in range(1, place):
        question(page, number)
        choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, place)
    choose_on_gold(page, assignment, right=False)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I disagree").click()
    page.get_by_label("Why do you disagree?").fill("Both are about a dog; i p ? 1 are words here.")
    axe(page)
    page.wait_for_timeout(SETTLED)
    page.get_by_role("button", name="Send and continue").click()
    until(page, lambda: answer_of(assignment, place).disputed)
    assert answer_of(assignment, place).dispute_note.startswith("Both are about a dog")


@pytest.mark.nightly
def test_feedback_waits_through_a_reload(page: Page) -> None:
    assignment = start(page, make_annotator(gold_study()))
    place = gold_position(assignment)
    for number in range(1, place):
        question(page, number)
        choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, place)
    choose_on_gold(page, assignment, right=False)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Our answer is different")).to_be_visible()
    page.reload()
    look_at_feedback(page)
    until(page, lambda: answer_of(assignment, place).acknowledged_at)


@pytest.mark.nightly
def test_going_back_changes_every_answer_alike_and_gold_keeps_its_first(page: Page) -> None:
    assignment = start(page, make_annotator(gold_study()))
    place = gold_position(assignment)
    total = assignment.answers.count()
    for number in range(1, total):
        question(page, number)
        if number == place:
            choose_on_gold(page, assignment, right=True)
        else:
            choose(page, 1, 2)
        page.keyboard.press("Enter")
    question(page, total)
    until(page, lambda: assignment.answers.filter(value__isnull=False).count() == total - 1)
    page.wait_for_load_state("networkidle")
    for number in range(total - 1, 0, -1):
        page.get_by_role("button", name="Back").click()
        question(page, number)
        # The items of a gold question are in random order, so its expected answer can be the third and the fourth item.
        is_expected = raw_answer(answer_of(assignment, number), right=True) == {"best": 3, "worst": 4}
        best, worst = (4, 3) if is_expected else (3, 4)
        choose(page, best, worst)
        assert chosen(page) == (str(best), str(worst))
    for number in range(1, total):
        question(page, number)
        page.get_by_role("button", name="Next").click()
    question(page, total)
    until(page, lambda: all(a.trace for a in assignment.answers.exclude(position__in=[place, total])))
    for answer in assignment.answers.exclude(position__in=[place, total]):
        assert len(answer.trace) == 1
    until(page, lambda: answer_of(assignment, place).later != [])
    gold = answer_of(assignment, place)
    assert (gold.passed, gold.value) == (True, gold.question.gold)


def test_practice_speaks_of_every_answer_and_then_work_begins(page: Page, axe: Callable[[Page], None]) -> None:
    study = gold_study(practice=2)
    participation = make_annotator(study)
    practice = start(page, participation)
    assert practice.kind == "practice"
    expect(page.get_by_text("Practice 1 of 2")).to_be_visible()
    choose(page, **_expected(practice, 1))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Our answer is the same")).to_be_visible()
    axe(page)
    page.wait_for_timeout(SETTLED)
    page.keyboard.press("Enter")
    question(page, 2)
    choose(page, **_expected(practice, 2))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Continue")).to_be_focused()
    page.wait_for_timeout(SETTLED)
    page.keyboard.press("Enter")
    news = page.get_by_role("status").filter(has_text="The practice is over. Your answers count from now on.")
    expect(news).to_be_in_viewport()
    assert news.bounding_box()["y"] < page.locator("#question").bounding_box()["y"]
    assert on_page(page).kind == "regular"


@pytest.mark.nightly
def test_stopped_kindly_and_told_what_is_paid(page: Page, axe: Callable[[Page], None]) -> None:
    participation = make_annotator(gold_study())
    first = start(page, participation)
    do_rest(page, first, right=False)
    next_set(page)
    question(page, 1)
    second = on_page(page)
    answers = second.answers.order_by("position")
    for answer in answers[: gold_position(second)]:
        question(page, answer.position)
        if answer.position == gold_position(second):
            choose_on_gold(page, second, right=False)
        else:
            choose(page, 1, 2)
        page.keyboard.press("Enter")
    look_at_feedback(page)
    expect(page.get_by_role("heading", name="Thank you. Your work in this study ends here")).to_be_visible()
    expect(page.get_by_text("You will be paid $1.00 for 2 sets.")).to_be_visible()
    axe(page)
    assert Participation.objects.get(pk=participation.pk).standing == "stopped"


@pytest.mark.nightly
def test_nothing_left_says_so(page: Page, axe: Callable[[Page], None]) -> None:
    study = make_study(questions_per_hit=16)
    assignment = start(page, make_annotator(study))
    do_rest(page, assignment)
    expect(page.get_by_text("You have answered every question that we have for you.")).to_be_visible()
    expect(page.get_by_text("Your set was submitted.")).to_be_visible()
    axe(page)


@pytest.mark.nightly
def test_an_annotator_waits_for_the_last_set_until_it_is_free(page: Page, axe: Callable[[Page], None]) -> None:
    study = make_study(questions_per_hit=16, judgements=1)
    holder = take(make_annotator(study))
    enter(page, make_annotator(study))
    page.clock.install()
    page.goto(f"/s/{study.public_id}")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Someone else is working on the last set.")).to_contain_text(
        re.compile("within 6[01] minutes")
    )
    axe(page)
    with page.expect_response("**/claims"):  # the next claim follows 15 seconds after the answer
        page.get_by_role("button", name="Wait here").click()
    expect(page.get_by_role("status").filter(has_text="every 15 seconds")).to_be_focused()
    axe(page)
    end_lease(study.pk, holder.public_id, user=SYSTEM)
    page.clock.fast_forward(15_000)
    expect(page.get_by_role("radio").first).to_be_visible()


@pytest.mark.nightly
def test_an_annotator_stops_waiting_when_the_last_set_is_submitted(page: Page) -> None:
    study = make_study(questions_per_hit=16, judgements=1)
    holder = make_annotator(study)
    assignment = take(holder)
    enter(page, make_annotator(study))
    page.clock.install()
    page.goto(f"/s/{study.public_id}")
    page.get_by_role("button", name="Start").click()
    with page.expect_response("**/claims"):  # the next claim follows 15 seconds after the answer
        page.get_by_role("button", name="Wait here").click()
    expect(page.get_by_role("status").filter(has_text="every 15 seconds")).to_be_visible()
    submit(holder.pk, assignment.public_id, answers_to(assignment))
    page.clock.fast_forward(15_000)
    expect(page.get_by_text("There are no questions for you at the moment.")).to_be_visible()
    expect(page.get_by_role("button", name="Wait here")).to_be_hidden()


def _expected(assignment: Assignment, position: int) -> dict[str, int]:
    return raw_answer(answer_of(assignment, position))


@pytest.mark.nightly
@pytest.mark.parametrize("questions", [5, 8, 12])
def test_the_progress_does_not_reach_the_tools(phone_page: Page, questions: int) -> None:
    start(phone_page, make_annotator(make_study(items=24, questions_per_hit=questions, reward="0.75")))
    tools = phone_page.locator(".an-tools").bounding_box()
    assert tools
    for shown in (phone_page.locator(".an-progress [data-words]"), phone_page.locator(".steps span").last):
        if box := shown.bounding_box():
            assert box["x"] + box["width"] <= tools["x"]


@pytest.mark.nightly
def test_help_is_in_sight_and_a_key_goes_back(phone_page: Page) -> None:
    page = phone_page
    start(page, make_annotator(make_study()))
    choose(page, 1, 2)
    page.keyboard.press("Enter")
    question(page, 2)
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_text(
        "Choose the pair that is most related and the pair that is least related."
    )
    page.get_by_role("button", name="Help").tap()
    expect(page.get_by_role("dialog").get_by_text("Click or tap an answer option")).to_be_visible()
    page.keyboard.press("b")  # the dialog has the keys
    page.keyboard.press("Escape")
    question(page, 2)
    page.keyboard.press("b")
    question(page, 1)
