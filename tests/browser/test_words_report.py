"""Tests of the word-alignment report in a real browser: accessibility, a phone, and navigation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import page_of, report_on
from tests.word_study import collected

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["results/1/", "results/1/disagreements/", "results/1/phrases/", "design/"]


@pytest.fixture
def study() -> Study:
    study = collected(annotators=3, options={"sample": 5, "double": 4, "blank": 0.25})
    report_on(study, resamples=20, samples=2)
    return study


@pytest.mark.parametrize("width", [390])
def test_every_page_is_accessible_and_no_wider_than_the_screen(
    open_page: Callable[..., Page], axe: Callable[[Page], None], study: Study, width: int
) -> None:
    page = open_page(width=width)
    sign_in(page, study)
    worst = study.questions.get(ref=study.reports.get(kind="results").result["disagreements"][0]["ref"], kind="regular")
    for place in [*PAGES, f"adjudicate/{worst.public_id}/"]:
        page.goto(page_of(study, place))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if "adjudicate" in place:
            expect(page.locator(".board .tok").first).to_be_visible()
        axe(page)
        check_width(page)


def test_the_table_of_annotators_shows_every_column_without_scrolling(
    page: Page, phone_page: Page, study: Study
) -> None:
    for screen in (page, phone_page):
        sign_in(screen, study)
        screen.goto(page_of(study, "annotators/"))
        table = screen.get_by_role("region", name="Table of annotators")
        assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
        for name in ("Done", "Gold, 0–100%", "Agreement with others", "Time"):
            expect(table.get_by_role("link", name=name, exact=True)).to_be_in_viewport()


def test_from_the_worst_disagreement_to_its_phrase_pairs_and_to_its_question(page: Page, study: Study) -> None:
    sign_in(page, study)
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
