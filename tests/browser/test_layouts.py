"""Tests of layouts in a browser: a form in a sandboxed frame, by mouse and keys, and layouts that misbehave."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Decision, Study
from tests.annotating import enter, until
from tests.browser.test_console_results import sign_in
from tests.console_study import page_of
from tests.factories import make_annotator
from tests.layout_study import CROWD, GOLD, HOSTILE, PLAIN, layout_study

pytestmark = pytest.mark.django_db(transaction=True)


def begin(page: Page, study: Study) -> None:
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}")
    page.locator("form[action$='/start'] button").click()


def test_a_hit_by_mouse_and_keys(page: Page, axe: Callable[[Page], None]) -> None:
    study = layout_study(CROWD, questions_per_hit=2)
    begin(page, study)
    form = page.frame_locator("iframe")
    expect(page.get_by_role("heading", level=1, name="Complete this task")).to_be_visible()
    expect(form.get_by_text("Sentence <")).to_be_visible()
    axe(page)
    form.get_by_role("group", name="Where does it happen?").get_by_label("Town").check()
    form.get_by_label("Unclear").check()
    form.get_by_label("The sentence is funny").check()
    drafts = Answer.objects.filter(question__study=study, draft__fields__funny=True)
    until(page, drafts.exists)
    expect(page.locator("#next")).to_be_hidden()  # the form has a button of its own
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_label("Most important word")).to_be_focused()  # the required field is empty
    form.get_by_label("Most important word").press_sequentially("more")
    form.get_by_label("Most important word").press("Enter")
    expect(page.locator("#progress")).to_have_attribute("aria-valuenow", "2")
    expect(form.get_by_label("Most important word")).to_have_value("")
    # The second question by keys alone.
    form.get_by_label("elsewhere").focus()
    page.keyboard.press("Space")
    form.get_by_label("Score").press("ArrowRight")
    form.get_by_label("Most important word").press_sequentially("other")
    until(page, Answer.objects.filter(question__study=study, draft__fields__word="other").exists)
    page.reload()
    expect(form.get_by_label("Most important word")).to_have_value("other")
    expect(form.get_by_label("elsewhere")).to_be_checked()
    form.get_by_role("button", name="Send").click()
    given = Answer.objects.filter(question__study=study, given_at__isnull=False)
    until(page, lambda: given.count() == 2)
    first, second = [answer.value["fields"] for answer in given.order_by("position")]
    assert first["topic"].startswith("Town ")
    assert {**first, "topic": ""} == {
        "topic": "",
        "clear/unclear": "unclear",
        "funny": True,
        "score": 1,
        "word": "more",
        "comment": "",
    }
    assert (second["topic"], second["score"]) == ("elsewhere", 2)


def test_an_arabic_form_runs_from_right_to_left(page: Page) -> None:
    study = layout_study(PLAIN.replace("Read the sentence about", "اقرأ الجملة عن"))
    begin(page, study)
    expect(page.frame_locator("iframe").locator("fieldset")).to_have_css("direction", "rtl")


def test_enter_goes_on_from_a_form_without_a_button(page: Page) -> None:
    begin(page, layout_study(PLAIN.replace('<p><input type="submit" value="Submit"></p>', ""), questions_per_hit=2))
    form = page.frame_locator("iframe")
    form.get_by_label("I am certain").press("Enter")
    expect(form.get_by_label("Politics")).to_be_focused()  # the required field is empty
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#progress")).to_have_attribute("aria-valuenow", "2")


@pytest.mark.nightly
def test_feedback_shows_the_form_with_the_annotators_answer(page: Page) -> None:
    begin(page, layout_study(PLAIN, gold=GOLD, questions_per_hit=1, gold_block=1))
    form, feedback = page.frame_locator("iframe"), page.get_by_text("We expected “politics”")
    gold, progress = form.get_by_text("Vote today."), page.locator("#progress")
    expect(gold.or_(form.get_by_text("Sentence <"))).to_be_visible()
    if not gold.is_visible():  # the gold question comes second
        form.get_by_label("Politics").check()
        form.get_by_role("button", name="Submit").click()
        expect(progress).to_have_attribute("aria-valuenow", "2")
    expect(gold).to_be_visible()
    form.get_by_label("Sports").check()
    form.get_by_role("button", name="Submit").click()
    expect(feedback).to_be_visible()
    expect(form.get_by_text("Vote today.")).to_be_visible()
    expect(form.get_by_label("Sports")).to_be_checked()
    expect(form.get_by_label("Sports")).to_be_disabled()


@pytest.mark.nightly
def test_the_next_question_opens_without_a_connection(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append("ERR_INTERNET_DISCONNECTED")
    begin(page, layout_study(questions_per_hit=2))
    form = page.frame_locator("iframe")
    form.get_by_label("Politics").check()
    page.context.set_offline(True)
    form.get_by_role("button", name="Submit").click()
    expect(page.locator("#progress")).to_have_attribute("aria-valuenow", "2")
    expect(form.get_by_label("Politics")).not_to_be_checked()
    form.get_by_label("Sports").check()


SIZES = """elements => elements.map((element) => {
    const target = element.matches("[type=radio], [type=checkbox]") ? element.closest("label") : element;
    const { height } = target.getBoundingClientRect();
    return [element.name || element.value, height, parseFloat(getComputedStyle(element).fontSize)];
})"""


@pytest.mark.nightly
@pytest.mark.parametrize("layout", [PLAIN, CROWD])
def test_by_touch_the_controls_of_a_layout_are_large(open_page: Callable[..., Page], layout: str) -> None:
    page = open_page(390, has_touch=True, is_mobile=True)
    begin(page, layout_study(layout))
    controls = page.frame_locator("iframe").locator("button, textarea, select, input:not([type=hidden], [type=range])")
    expect(controls.first).to_be_visible()
    sizes = controls.evaluate_all(SIZES)
    assert len(sizes) >= 6
    assert [size for size in sizes if size[1] < 44 or size[2] < 16] == []


def test_a_layout_can_choose_its_own_sizes(open_page: Callable[..., Page]) -> None:
    page = open_page(390, has_touch=True, is_mobile=True)
    begin(page, layout_study(f"<style>label {{ padding: 0 }} textarea {{ font: 14px serif }}</style>{PLAIN}"))
    form = page.frame_locator("iframe")
    expect(form.get_by_label("Comment")).to_have_css("font-size", "14px")
    expect(form.locator("label").first).to_have_css("padding-top", "0px")


@pytest.mark.nightly
def test_reviewers_see_the_row_that_was_judged(page: Page, axe: Callable[[Page], None]) -> None:
    study = layout_study()
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    question = study.questions.earliest("pk")
    sign_in(page, study)
    page.goto(page_of(study, f"adjudicate/{question.public_id}/"))
    layout = page.frame_locator("[data-question] iframe")
    row = study.items.get(key=question.payload["item"]).content
    expect(layout.locator("#sentence")).to_have_text(row["text"])
    expect(layout.get_by_label("Politics")).to_be_disabled()
    axe(page)


@pytest.mark.nightly
@pytest.mark.parametrize("required", ["", " required"])
def test_a_text_that_the_reviewer_does_not_choose_stays_with_the_annotators(
    page: Page, monkeypatch: pytest.MonkeyPatch, required: str
) -> None:
    study = layout_study(PLAIN.replace('<textarea name="comment"', f'<textarea name="comment"{required}'))
    given = [("politics", "rare"), ("politics", "usual"), ("sports", "usual")]
    answers = iter(given * study.questions.count())

    def answer(*_: object) -> dict[str, object]:
        topic, comment = next(answers)
        return {"fields": {"topic": topic, "comment": comment}}

    monkeypatch.setattr("layouts.tasktype.simulate_answer", answer)
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    sign_in(page, study)
    page.goto(page_of(study, "adjudicate/"))
    page.get_by_role("link", name="Decide the first question").click()
    page.get_by_role("button", name="politics").first.click()
    page.keyboard.press("Enter")
    until(page, Decision.objects.exists)
    fields = Decision.objects.get().value["fields"]
    assert (fields["topic"], fields["comment"]) == ("politics", "usual" if required else "")


@pytest.mark.nightly
def test_a_hostile_layout_reaches_nothing_and_is_loaded_again(page: Page, expected_errors: list[str]) -> None:
    expected_errors += ["Content Security Policy", "sandboxed", "Unsafe attempt", "Failed to load resource"]
    study = layout_study(HOSTILE, questions_per_hit=1, options={"scripts": True})
    begin(page, study)
    form = page.frame_locator("iframe")
    form.get_by_role("button", name="Away").click()
    expect(page.get_by_text("The form stopped responding")).to_be_visible()
    form.locator("body").evaluate("(body) => { body.dataset.earlier = ''; location.reload(); }")
    expect(form.locator("body:not([data-earlier])").get_by_role("button", name="First")).to_be_visible()
    form.get_by_role("button", name="First").click()
    # The purpose of the layout's button is not known. A form with scripts is complete only after it was submitted.
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "false")
    page.locator("#next").click()
    given = Answer.objects.filter(question__study=study, given_at__isnull=False)
    until(page, given.exists)
    fields = given.get().value["fields"]
    assert fields["outcome"] == "page failed, cookie failed, storage failed, top failed, fetch failed"
    assert fields["choice"].startswith("Sentence <")
    assert fields["choice"].endswith('& "more"First')
