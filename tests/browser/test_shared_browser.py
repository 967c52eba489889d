"""Tests of several people in one browser: each Prolific link opens the work of its own person, and “This is not me”
starts a new participation.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.chromium import check_width
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], None]


def fits(page: Page) -> None:
    check_width(page)


def take_part(page: Page, study: Study, query: str = "") -> str:
    """Join through the study's link, and return the pseudonym on the overview."""
    page.goto(f"/join/{study.join_token}{query}")
    return join(page, study)


def join(page: Page, study: Study) -> str:
    page.get_by_role("button", name="Take part").click()
    expect(page.locator("#question")).to_be_visible()
    page.goto(f"/s/{study.public_id}")
    return pseudonym(page)


def pseudonym(page: Page) -> str:
    expect(page).to_have_url(re.compile(r"/s/[\w-]{22}$"))
    return page.locator("p", has_text="Your pseudonym").locator("b").inner_text()


@pytest.mark.nightly
def test_two_prolific_ids_in_one_browser(page: Page, open_page: Callable[..., Page], axe: Axe) -> None:
    study = make_study(recruitment="prolific")
    first, second = (take_part(page, study, f"?PROLIFIC_PID={pid}") for pid in ("aaa1", "bbb2"))
    assert first != second
    for pid, name in (("aaa1", first), ("bbb2", second), ("aaa1", first)):
        page.goto(f"/join/{study.join_token}?PROLIFIC_PID={pid}")
        assert pseudonym(page) == name
    stranger = open_page(390, color_scheme="dark")
    stranger.goto(f"/join/{study.join_token}?PROLIFIC_PID=aaa1")
    expect(stranger.get_by_role("alert")).to_contain_text("is already taking part")
    expect(stranger.get_by_role("button", name="Take part")).to_have_count(0)
    fits(stranger)
    axe(stranger)
    stranger.get_by_role("link", name="Continue with your code").click()
    expect(stranger).to_have_url(re.compile("/resume$"))


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_this_is_not_me(open_page: Callable[..., Page], axe: Axe, width: int, scheme: str) -> None:
    page, study = open_page(width, color_scheme=scheme), make_study()
    first = take_part(page, study)
    page.get_by_role("link", name="This is not me").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Not {first}?")
    fits(page)
    axe(page)
    page.get_by_role("button", name="Create a resume code").click()
    code = page.locator("output").inner_text()
    page.get_by_role("link", name="Back to the overview").click()
    page.get_by_role("link", name="This is not me").click()
    page.get_by_role("button", name="Start as a new annotator").focus()
    page.keyboard.press("Enter")
    second = join(page, study)
    assert second != first
    page.goto("/resume")
    page.get_by_label("Your resume code").fill(code)
    page.keyboard.press("Enter")
    assert pseudonym(page) == first
