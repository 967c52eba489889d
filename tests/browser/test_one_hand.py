"""Whole HITs with the keys of one hand on a QWERTY keyboard, and with Tab and Enter only, as a switch sends them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from annotate.models import Answer
from tests.annotating import enter, question, until
from tests.browser.test_long_sitting import annotator_of, enter_work
from tests.factories import make_annotator
from tests.layout_study import PLAIN, layout_study
from tests.paraphrasing import paraphrase_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

EVERYWHERE = "if (window.origin !== 'null') localStorage.setItem('accord:tab-stops', 'true')"
QUESTIONS = 2
FARTHEST = 150  # presses from one control to another


class Hand:
    """A hand, or a switch, that moves from control to control with one key and presses with another."""

    def __init__(self, page: Page, forward: str, press: str) -> None:
        self.page, self.forward, self.pressing = page, forward, press

    def press(self, control: Locator) -> None:
        for _ in range(FARTHEST):
            if control.evaluate("element => element === document.activeElement && document.hasFocus()"):
                self.page.keyboard.press(self.pressing)
                return
            self.page.keyboard.press(self.forward)
        raise AssertionError(f"{control} cannot be reached")


HANDS = {"left": ("Tab", "Space"), "right": ("BracketRight", "Space"), "switch": ("Tab", "Enter")}


def words(page: Page, hand: Hand) -> None:
    for side in (0, 1):
        hand.press(page.locator(".toks").nth(side).get_by_role("option").first)


def chunks(page: Page, hand: Hand) -> None:
    hand.press(page.get_by_role("button", name="Single words"))
    hand.press(page.locator(".foot .b-main"))
    for side in (0, 1):
        hand.press(page.locator(".linker .toks").nth(side).get_by_role("option").first)
    hand.press(page.locator("#type-EQUI"))
    hand.press(page.locator(".foot .b:visible"))


def bws(page: Page, hand: Hand) -> None:
    hand.press(page.locator("input.most").first)
    hand.press(page.locator("input.least").nth(1))


def paraphrase(page: Page, hand: Hand) -> None:
    hand.press(page.locator(".none"))


def layout(page: Page, hand: Hand) -> None:
    form = page.frame_locator("iframe")
    hand.press(form.get_by_label("Sports"))  # the second choice, to which only arrow keys lead otherwise
    hand.press(form.get_by_label("I am certain"))
    expect(form.get_by_label("I am certain")).to_be_checked()
    hand.press(page.locator("[data-open=instructions]"))  # out of the form, and round
    hand.press(page.locator("#instructions [data-close]").first)


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("answer", [words, chunks, bws, paraphrase, layout])
def test_a_hit_with_few_keys(page: Page, answer: Callable[[Page, Hand], None], hand: str) -> None:
    page.add_init_script(EVERYWHERE)
    if answer is paraphrase:
        annotator = make_annotator(paraphrase_study(quality=0))
        enter(page, annotator)
    elif answer is layout:
        annotator = make_annotator(layout_study(PLAIN.replace('<p><input type="submit" value="Submit"></p>', "")))
        enter(page, annotator)
    else:
        enough = 24 if answer is bws else QUESTIONS  # for tuples of four items
        annotator = annotator_of(answer.__name__, questions=enough, per_set=QUESTIONS)
    enter_work(page, annotator)
    few = Hand(page, *HANDS[hand])
    for number in range(1, QUESTIONS + 1):
        question(page, number)
        answer(page, few)
        expect(page.locator("#next")).to_have_attribute("aria-disabled", "false")
        few.press(page.locator("#next"))
    until(page, lambda: Answer.objects.filter(value__isnull=False).count() == QUESTIONS)
