"""Annotators change the keys of best–worst scaling and of paraphrases, as they do in the alignment editors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.annotating import chosen, enter, heading, question, start
from tests.factories import make_annotator, make_study
from tests.paraphrasing import paraphrase_study

pytestmark = pytest.mark.django_db(transaction=True)


def change(page: Page, action: str, key: str) -> None:
    """Give the action another key, in the open list of keys."""
    page.locator(f"#keys [data-action={action}]").click()
    page.keyboard.press(key)


@pytest.mark.nightly
def test_best_worst_scaling_with_keys_of_ones_own(page: Page, axe: Callable[[Page], None]) -> None:
    start(page, make_annotator(make_study(items=8)))
    caps = page.locator(".pick kbd")
    expect(caps).to_have_text(["1", "⇧ 1", "2", "⇧ 2", "3", "⇧ 3", "4", "⇧ 4"])
    page.keyboard.press("?")
    expect(page.locator("#keys").get_by_role("button", name="Most related 1: 1", exact=True)).to_be_visible()
    expect(page.locator("#keys [data-action]")).to_have_count(8)
    axe(page)
    change(page, "most1", "j")
    change(page, "least2", "k")
    change(page, "least3", "Shift+Digit4")  # the usual key of another action: both change places
    change(page, "most4", "Shift+I")
    expect(page.get_by_text("The page already uses the key ⇧ I.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(caps).to_have_text(["J", "⇧ 1", "2", "K", "3", "⇧ 4", "4", "⇧ 3"])
    page.keyboard.press("1")
    assert chosen(page) == ("", ""), "the usual key no longer chooses"
    page.get_by_role("button", name="Help").click()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert chosen(page) == ("1", "2")
    page.keyboard.press("Enter")
    question(page, 2)  # the key does not press the last tool again
    page.keyboard.press("b")
    question(page, 1)
    page.keyboard.press("Shift+Digit4")
    assert chosen(page) == ("1", "3")
    page.reload()
    heading(page)
    expect(caps.first).to_have_text("J")
    page.keyboard.press("Shift+Digit3")
    assert chosen(page) == ("1", "4")
    page.keyboard.press("?")
    page.get_by_role("button", name="Reset the keyboard shortcuts").click()
    expect(page.locator("#keys [data-action=least2]")).to_have_text("Least related 2: ⇧ 2", use_inner_text=True)
    page.keyboard.press("Escape")
    expect(caps.first).to_have_text("1")


@pytest.mark.nightly
def test_paraphrases_with_keys_of_ones_own(page: Page) -> None:
    study = paraphrase_study()
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}")
    page.locator(f"form[action$='{study.public_id}/start'] button").click()
    first = page.locator(".cand").first
    expect(first).to_be_visible()
    page.keyboard.press("?")
    for action, key in (("yes", "j"), ("no", "f"), ("none", "x")):
        change(page, action, key)
    page.keyboard.press("Escape")
    expect(page.locator(".none kbd")).to_have_text("X")
    expect(page.locator(".hints kbd")).to_have_text(["↑", "↓", "J", "F"])
    page.keyboard.press("y")
    page.keyboard.press("0")
    expect(page.locator(".cand :checked")).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("f")
    expect(first.locator(".yes")).to_be_checked()
    expect(page.locator(".cand").nth(1).locator(".no")).to_be_checked()
    page.keyboard.press("1")  # numbers still go to a candidate
    page.keyboard.press("f")
    expect(first.locator(".no")).to_be_checked()
    page.keyboard.press("x")
    expect(page.locator(".none")).to_have_attribute("aria-pressed", "true")
