"""Annotators' messages and versions of guidelines in a real browser: two widths, both themes, a reply by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.studies.services.settings import change_settings
from tests.browser.test_console_results import sign_in
from tests.chromium import check_in_both_themes, check_width
from tests.console_study import page_of
from tests.messages.test_console_messages import busy_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_messages_are_read_and_answered(
    page: Page, phone_page: Page, axe: Callable[[Page], None], tmp_path: Path
) -> None:
    study = busy_study()
    owner = study.memberships.get(role="owner").user
    change_settings(study.pk, user=owner, instructions="Choose the closest pair.")
    who = study.participations.order_by("pk").first()
    assert who is not None
    places = ["messages/", f"annotators/{who.pseudonym}/", "history/", "history/guidelines/2/", "settings/"]
    for screen in (page, phone_page):
        sign_in(screen, study)
        for place in places:
            screen.goto(page_of(study, place))
            check_width(screen)
            if screen == phone_page:
                check_in_both_themes(screen)

    page.goto(page_of(study, "messages/?show=objection"))
    page.get_by_role("button", name=f"Restore {who.pseudonym}").press("Enter")
    expect(page.get_by_role("dialog", name=f"Restore annotator {who.pseudonym}?")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("summary", has_text="Reply").press("Enter")
    text = page.get_by_label(f"Reply to {who.pseudonym}")
    text.fill("We have looked at your answers again.")
    axe(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("sees your reply on the overview page")).to_be_visible()
    expect(page.get_by_role("table").get_by_text("Answered", exact=True)).to_be_visible()
    assert "show=objection" in page.url
