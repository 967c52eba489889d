"""Tests of the search of the whole console and of the keys for lists, in a real browser and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.chromium import add_session, on_each_screen
from tests.console_study import page_of
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study() -> Study:
    study = make_study(gold=2)
    for pseudonym in ("amber-acorn", "brave-birch", "calm-crane"):
        make_annotator(study, pseudonym=pseudonym)
    return study


def open_as_owner(page: Page, study: Study, place: str = "") -> None:
    add_session(page, study.memberships.get(role="owner").user)
    page.goto(page_of(study, place))


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent.trim()"))


@pytest.mark.nightly
def test_a_page_and_an_annotator_are_opened_with_only_the_keyboard(
    page: Page, study: Study, axe: Callable[[Page], None]
) -> None:
    open_as_owner(page, study)
    page.get_by_role("link", name="Help").focus()
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Find anything")
    field = dialog.get_by_role("combobox")
    expect(field).to_be_focused()
    expect(dialog.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    axe(page)

    page.keyboard.type("crane")
    expect(dialog.get_by_role("group", name="Annotators").get_by_role("option")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert focused(page) == "Help"

    page.keyboard.press("Control+k")
    page.keyboard.type("messages")
    page.keyboard.press("Enter")  # also before the results have arrived
    page.wait_for_url("**/messages/")

    page.keyboard.press("Control+k")
    page.keyboard.type("birch")
    options = dialog.get_by_role("option")
    expect(options.first).to_contain_text("brave-birch")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/annotators/brave-birch/")


def test_the_search_fits_on_each_screen(page: Page, study: Study, axe: Callable[[Page], None]) -> None:
    open_as_owner(page, study)
    page.get_by_role("button", name="Find anything").click()
    page.keyboard.type("gold")
    expect(page.get_by_role("option", name="Gold questions").first).to_be_visible()
    for _ in on_each_screen(page):
        axe(page)


@pytest.mark.nightly
def test_keys_walk_a_list_and_open_a_row_and_go_back(page: Page, study: Study, axe: Callable[[Page], None]) -> None:
    open_as_owner(page, study, "annotators/?sort=name")
    rows = page.locator("tbody a.who")
    names = rows.all_inner_texts()
    assert len(names) == 3
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/annotators/{names[1]}/")
    page.keyboard.press("Escape")
    page.wait_for_url("**/annotators/?sort=name")
    expect(rows.nth(1)).to_be_focused()

    page.keyboard.press("/")
    search = page.get_by_role("searchbox")
    expect(search).to_be_focused()
    page.keyboard.type("jk?/")
    expect(search).to_have_value("jk?/")
    page.get_by_role("link", name="Help").focus()
    page.keyboard.press("Control+j")
    assert focused(page) == "Help", "keys with Ctrl belong to the browser"

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys in the console")
    expect(keys).to_be_visible()
    axe(page)
    keys.get_by_label("Use single keys").uncheck()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("j")
    assert focused(page) == "Help"


def test_a_guide_has_the_same_keys_although_it_has_a_section_about_keys(page: Page, study: Study) -> None:
    add_session(page, study.members.get())
    page.goto("/help/overview/")
    expect(page.locator("#keys")).to_have_text("Keys")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys in the console")).to_be_visible()


@pytest.mark.nightly
def test_a_link_back_leads_to_the_list_as_it_was_left(page: Page, study: Study) -> None:
    open_as_owner(page, study, "questions/?kind=regular&sort=")
    rows = page.locator("tbody tr")
    ref = rows.nth(1).get_by_role("link").first.inner_text()
    rows.nth(1).locator("summary").click()
    expect(rows.nth(1).locator(".q-items")).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(ref)
    page.get_by_role("link", name="All questions").click()
    page.wait_for_url("**/questions/?kind=regular&sort=")
    expect(rows.nth(1).get_by_role("link").first).to_be_focused()


def test_each_question_shows_its_text_on_a_phone(phone_page: Page, study: Study) -> None:
    open_as_owner(phone_page, study, "questions/")
    box = phone_page.locator("tbody summary").first.bounding_box()
    assert box is not None
    assert box["width"] > 200
