"""Tests of the accessibility of all annotators' pages: axe, small and large screens, both themes, and both writing
directions.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Item, Study
from tests.annotating import choose, chosen, enter, heading, question, start
from tests.chromium import check_in_both_themes, on_each_screen
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], None]


def check_on_every_screen(page: Page) -> None:
    """Check the page's width on three screens, and the page with axe in both themes on the smallest."""
    for width in on_each_screen(page, (1920, 1280, 390)):
        if width == 390:
            check_in_both_themes(page)


@pytest.mark.nightly
def test_pages_around_the_work(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append("status of 404")
    study = make_study(consent="# Consent\n\nWe keep it.", eligibility="I am 18.", examples="## One\n\n1. a\n2. b")
    for path in ("/", "/resume", "/nowhere", f"/join/{study.join_token}"):
        page.goto(path)
        check_on_every_screen(page)
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}")
    check_on_every_screen(page)
    page.get_by_role("link", name="Continue on another device").click()
    check_on_every_screen(page)
    page.get_by_role("button", name="Create a resume code").click()
    expect(page.get_by_role("heading", name="Your resume code")).to_be_visible()
    check_on_every_screen(page)


@pytest.mark.nightly
def test_work_with_every_dialog_open(page: Page) -> None:
    start(page, make_annotator(make_study()))
    choose(page, 1, 2)
    check_on_every_screen(page)
    for key, name in (("i", "Instructions"), ("?", "Keys, mouse and touch"), ("p", "Paused")):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        check_on_every_screen(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name=name)).to_be_hidden()


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_who_comes_too_early_or_too_late_is_told(page: Page, axe: Axe, state: str) -> None:
    study = make_study(state=state)
    page.goto(f"/join/{study.join_token}")
    expect(
        page.get_by_text({"draft": "not opened", "paused": "is paused", "closed": "has ended"}[state])
    ).to_be_visible()
    axe(page)


def test_targets_are_large_enough_for_a_thumb(phone_page: Page) -> None:
    start(phone_page, make_annotator(make_study()))
    phone_page.locator("label[for=best-1]").tap()
    phone_page.locator("label[for=worst-2]").tap()
    for target in phone_page.locator("button:visible, a.brand:visible, label[for]:visible").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, target.inner_text()


def test_single_keys_can_be_switched_off(page: Page) -> None:
    start(page, make_annotator(make_study()))
    page.keyboard.press("?")
    page.get_by_label("Use single keys as shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("p")
    assert chosen(page) == ("", "")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    heading(page)
    page.keyboard.press("1")
    assert chosen(page) == ("", "")


def test_keys_stay_with_an_open_dialog(page: Page) -> None:
    start(page, make_annotator(make_study()))
    page.keyboard.press("i")
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    assert chosen(page) == ("", "")
    page.keyboard.press("2")
    assert chosen(page) == ("2", "")


def test_letters_of_a_layout_without_latin(page: Page) -> None:
    start(page, make_annotator(make_study()))
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ш', code: 'KeyI', bubbles: true}))")
    expect(page.get_by_role("dialog", name="Instructions")).to_be_visible()


@pytest.mark.nightly
def test_right_to_left_sentences_take_their_own_direction(page: Page, axe: Axe) -> None:
    study = make_study(language="fa")
    texts = ["وصلت الرسالة بعد أسبوع.", "The letter arrived after a week."]
    for item in Item.objects.filter(study=study):
        item.content = {"sentence1": texts[0], "sentence2": texts[1]}
        item.save()
    start(page, make_annotator(study))
    first = page.locator(".pair").first.locator(".sent")
    assert first.first.get_attribute("lang") == "fa"
    sides = first.evaluate_all(
        """sentences => sentences.map((sentence) => {
            const range = document.createRange();
            range.selectNodeContents(sentence);
            const [text, box] = [range.getBoundingClientRect(), sentence.getBoundingClientRect()];
            return Math.abs(text.right - box.right) < Math.abs(text.left - box.left) ? "right" : "left";
        })"""
    )
    assert sides == ["right", "left"]
    axe(page)


def test_the_theme_follows_the_choice_and_keeps_it(open_page: Callable[..., Page]) -> None:
    page = open_page(color_scheme="light")
    page.goto("/")
    page.get_by_role("button", name="Dark theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="System theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_nothing_moves_under_reduced_motion(open_page: Callable[..., Page]) -> None:
    page = open_page(reduced_motion="reduce")
    start(page, make_annotator(make_study()))
    page.keyboard.press("i")
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_is_chosen_is_said(page: Page) -> None:
    start(page, make_annotator(make_study()))
    page.keyboard.press("3")
    expect(page.locator("#spoken")).to_have_text("Pair 3: Most")
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Enter")
    question(page, 2)
    expect(page.locator("#question")).to_be_focused()
    expect(page.locator("#spoken")).to_have_text("")  # the change was to the previous question


@pytest.mark.nightly
def test_long_words_and_sentences_fit(page: Page) -> None:
    study: Study = make_study()
    Item.objects.filter(study=study).update(content={"sentence1": "Donaudampfschiff" * 12, "sentence2": "word " * 200})
    start(page, make_annotator(study))
    check_on_every_screen(page)
