"""Tests of the word-alignment report in a real browser: accessibility, a phone, and navigation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width, on_each_screen
from tests.console_study import page_of, report_on
from tests.word_study import collected

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["results/1/", "results/1/disagreements/", "results/1/phrases/", "design/"]


@pytest.fixture
def study() -> Study:
    study = collected(annotators=3, options={"sample": 5, "double": 4, "blank": 0.25})
    report_on(study, resamples=20, samples=2)
    return study


@pytest.mark.nightly
def test_the_report_of_word_alignment(phone_page: Page, axe: Callable[[Page], None], study: Study) -> None:
    sign_in(phone_page, study)
    every_page_is_accessible_and_no_wider_than_the_screen(phone_page, axe, study)
    for _ in on_each_screen(phone_page):
        the_table_of_annotators_shows_every_column_without_scrolling(phone_page, study)
    from_the_worst_disagreement_to_its_phrase_pairs_and_to_its_question(phone_page, study)


def every_page_is_accessible_and_no_wider_than_the_screen(
    page: Page, axe: Callable[[Page], None], study: Study
) -> None:
    worst = study.questions.get(ref=study.reports.get(kind="results").result["disagreements"][0]["ref"], kind="regular")
    for place in [*PAGES, f"adjudicate/{worst.public_id}/"]:
        page.goto(page_of(study, place))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if "adjudicate" in place:
            expect(page.locator(".board .tok").first).to_be_visible()
        axe(page)
        check_width(page)


def the_table_of_annotators_shows_every_column_without_scrolling(page: Page, study: Study) -> None:
    page.goto(page_of(study, "annotators/"))
    table = page.get_by_role("region", name="Table of annotators")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    for name in ("HITs", "Gold, 0–100%", "Agreement with others", "Time"):
        expect(table.get_by_role("link", name=name, exact=True)).to_be_in_viewport()


def from_the_worst_disagreement_to_its_phrase_pairs_and_to_its_question(page: Page, study: Study) -> None:
    worst = study.reports.get(kind="results").result["disagreements"][0]
    page.goto(page_of(study, "results/1/"))
    page.get_by_role("link", name=f"Phrase pairs of {worst['ref']}").click()
    expect(page.get_by_role("heading", name=worst["ref"])).to_be_visible()
    table = page.get_by_role("table")
    for name in (*worst["annotators"], "in common"):
        expect(table.get_by_role("columnheader", name=name)).to_be_visible()
    expect(table.get_by_text("composite").first).to_be_visible()
    page.get_by_role("link", name="Sure links").click()
    expect(page.get_by_role("link", name="Sure links")).to_have_attribute("aria-current", "page")
    page.get_by_role("combobox", name="Pair").fill("nowhere")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Pair not found")).to_be_visible()
    page.goto(page_of(study, "results/1/"))
    page.get_by_role("link", name=worst["ref"], exact=True).click()
    expect(page.get_by_role("heading", level=1, name=worst["ref"])).to_be_visible()
