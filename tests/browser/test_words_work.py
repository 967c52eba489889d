"""Tests of word alignment on the annotators' pages: a complete HIT, a missed gold question, and custom keys."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Assignment
from tests.aligning import NEXT_FRAME, ROOT, centre, drag, editor_strings, word
from tests.annotating import SETTLED, answer_of, enter, gold_position, on_page, question, until
from tests.factories import make_annotator
from tests.word_study import word_study

pytestmark = pytest.mark.django_db(transaction=True)


def begin(page: Page) -> Assignment:
    annotator = make_annotator(word_study())
    enter(page, annotator)
    page.goto(f"/s/{annotator.study.public_id}")
    page.locator("form[action$='/start'] button").click()
    expect(page.get_by_role("heading", level=1, name="Link the words")).to_be_visible()
    return on_page(page)


def test_a_hit_with_gold_missed(page: Page, axe: Callable[[Page], None]) -> None:
    assignment = begin(page)
    gold = gold_position(assignment)
    for number in range(1, assignment.answers.count() + 1):
        question(page, number)
        page.set_viewport_size({"width": 390, "height": 844})  # a phone has room for the explanation only once per set
        expect(page.locator(".how")).to_be_visible(visible=number == 1)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate(NEXT_FRAME)  # the editor places its words again in the next frame
        page.keyboard.press("Enter")
        expect(page.locator("#saved")).to_contain_text("or confirm that")
        if number == gold:
            empty(page)
        else:
            drag(page, centre(page, 0, 0), centre(page, 1, 0))
        axe(page)
        page.keyboard.press("Enter")
        if number == gold:
            expect(page.get_by_role("heading", name="Our answer is different")).to_be_visible()
            expect(page.get_by_role("heading", name="Your links")).to_be_visible()
            expect(page.locator(".compare .tie.missed .sign").first).to_be_visible()
            axe(page)
            page.wait_for_timeout(SETTLED)
            page.keyboard.press("Enter")
    until(page, lambda: Assignment.objects.filter(pk=assignment.pk, state="done").exists())
    for number in range(1, assignment.answers.count() + 1):
        [*_, (_, *last)] = answer_of(assignment, number).value["log"]
        assert last[1:] == (["button", []] if number == gold else ["drag", [[0, 0]]])


def empty(page: Page) -> None:
    """Remove every link, and confirm that no words match."""
    for _ in range(100):
        linked = page.locator(".board .tok:not(.loose)")
        if not linked.count():
            break
        linked.first.focus()
        page.keyboard.press("Backspace")
    page.get_by_role("button", name="No words match").click()


@pytest.mark.nightly
def test_a_draft_waits(page: Page) -> None:
    assignment = begin(page)
    before = page.locator(".says").text_content()
    drag(page, centre(page, 0, 1), centre(page, 1, 1))
    until(page, lambda: answer_of(assignment, 1).draft)
    page.mouse.move(5, 5)
    shown = page.locator(".says").text_content()
    assert shown != before
    page.reload()
    expect(page.locator(".says")).to_have_text(shown or "?")
    page.keyboard.press("Control+z")  # the history survives the reload
    expect(page.locator(".says")).to_have_text(before or "?")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".says")).to_have_text(shown or "?")


@pytest.mark.nightly
def test_keys_of_ones_own(page: Page, axe: Callable[[Page], None]) -> None:
    begin(page)
    possible = page.get_by_role("radio", name="Possible")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys, mouse and touch")
    axe(page)
    mine = keys.locator("[data-action=possible]")
    mine.click()
    page.keyboard.press("i")
    expect(keys.get_by_text("The page already uses the key I.")).to_be_visible()
    mine.click()
    page.keyboard.press("Escape")
    expect(keys).to_be_visible()  # it left the key, not the list
    mine.click()
    page.keyboard.press("m")
    expect(mine).to_have_text("M")
    expect(keys.locator("[data-action=matrix]")).to_have_text("D")  # they changed places
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(possible).to_be_checked()
    expect(possible).to_have_attribute("aria-keyshortcuts", "M")
    page.reload()
    expect(possible).to_be_visible()
    page.keyboard.press("m")
    expect(possible).to_be_checked()
    page.keyboard.press("?")
    keys.get_by_role("button", name="Reset the keyboard shortcuts").click()
    expect(mine).to_have_text("D")
    keys.locator("[data-single-keys]").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(possible).to_be_checked()  # single keys are off; words by Space go on working
    word(page, 0, 0).focus()
    page.keyboard.press("Space")
    expect(word(page, 0, 0)).to_have_attribute("aria-selected", "true")


def test_the_list_of_keys_is_the_modules() -> None:
    listed = (ROOT / "alignment_ui/words/templates/words/keys.html").read_text(encoding="utf-8")
    module = (ROOT / "alignment_ui/words/static/words/keys.js").read_text(encoding="utf-8")
    keys = re.search(r"const KEYS = \{(.*?)\};", module, re.DOTALL)
    assert keys
    assert dict(re.findall(r'action="(\w+)" usual="([\w+]+)"', listed)) == dict(
        re.findall(r'(\w+): "([\w+]+)"', keys[1])
    )


def test_the_module_names_all_its_texts() -> None:
    scripts = (ROOT / "alignment_ui/words/static/words/dist/words.js").read_text(encoding="utf-8")
    assert [name for name in editor_strings() if not re.search(rf"\b{name}\b", scripts)] == []
