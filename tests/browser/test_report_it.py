"""Tests of the page *Report it* in a browser: both widths, both themes, and answers by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reporting.selectors.answers import author_answers
from tests.chromium import add_session, check_in_both_themes, check_width
from tests.console_study import collected, page_of, report_on

TALLEST = 1_700  # pixels of a page of the console at 1,280 px


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_authors_answer_questions_by_keyboard_on_both_widths(page: Page, phone_page: Page) -> None:
    study = collected()
    report_on(study)
    for each in (page, phone_page):
        add_session(each, study.memberships.get(role="owner").user)
        each.goto(page_of(study, "x/reporting/"))
        expect(each.get_by_role("heading", name="Documents")).to_be_visible()
        check_width(each)
        if each is page:
            assert each.evaluate("document.documentElement.scrollHeight") <= TALLEST
        for summary in each.locator("main summary").all():
            summary.press("Enter")
        check_width(each)
        check_in_both_themes(each)
    page.get_by_label("Limits and biases").focus()
    page.keyboard.type("No poems.")
    page.get_by_role("button", name="Save the answers").press("Enter")
    expect(page.get_by_text("The answers have been saved.")).to_be_visible()
    assert author_answers(study) == {"limits": "No poems."}
    page.get_by_role("link", name="Human Evaluation Datasheet").click()
    expect(page.get_by_role("heading", name="Open questions")).to_be_visible()
    check_width(page)
    check_in_both_themes(page)
