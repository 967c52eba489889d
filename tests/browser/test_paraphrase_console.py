"""Tests of the console pages of paraphrase studies in a real browser: readable, accessible, and within the width of a
phone.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.browser.test_console_results import charts_drawn, sign_in
from tests.chromium import check_in_both_themes, on_each_screen
from tests.console_study import page_of
from tests.factories import make_annotator
from tests.paraphrasing import paraphrase_study, results_of, work_through

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["results/1/", "results/1/labels/", "results/1/domains/", "x/quality-control/", "x/phrases/"]


@pytest.fixture
def study() -> Study:
    study = paraphrase_study()
    everywhere = {f"shop-{phrase}": [f"{phrase} branch"] for phrase in ("bank", "post", "mill")}
    for yes in (everywhere, everywhere | {"farm-bank": ["bank slope"]}, {"farm-bank": ["bank slope"]}):
        work_through(make_annotator(study), yes)
    results_of(study)
    return study


@pytest.mark.nightly
def test_no_figure_of_the_results_is_out_of_sight(page: Page, phone_page: Page, study: Study) -> None:
    """Tables fit into their panels, which cut off wider content, and a phone shows rows as cards."""
    cut_off = """() => [...document.querySelectorAll('main .tab')]
        .map(table => [table.closest('.panel'), table])
        .filter(([panel, table]) => table.getBoundingClientRect().right > panel.getBoundingClientRect().right)
        .map(([panel, table]) => panel.getAttribute('aria-labelledby') ?? panel.getAttribute('aria-label'))"""
    for screen, widths in ((page, (1280, 1024)), (phone_page, (390,))):
        sign_in(screen, study)
        for width in widths:
            screen.set_viewport_size({"width": width, "height": 900})
            for place in ("results/1/", "results/1/labels/", "results/1/domains/"):
                screen.goto(page_of(study, place))
                assert screen.evaluate(cut_off) == [], (place, width)


@pytest.mark.nightly
def test_every_page_is_accessible_and_fits_and_a_pair_leads_to_its_sentences(
    page: Page, phone_page: Page, axe: Callable[[Page], None], study: Study
) -> None:
    sign_in(phone_page, study)
    for place in PAGES:
        phone_page.goto(page_of(study, place))
        charts_drawn(phone_page)
        for width in on_each_screen(phone_page, (1280, 390)):
            if width == 390:
                check_in_both_themes(phone_page)
    sign_in(page, study)
    page.goto(page_of(study, "results/1/"))
    page.locator("summary", has_text="Differences between domains").click()
    page.get_by_role("link", name="View all 4").click()
    page.get_by_label("Show").select_option("good in farm, bad in shop")
    page.get_by_role("button", name="Show").click()
    pair = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="bank / bank slope"))
    expect(pair).to_contain_text("Behind the barn a bank had fallen into the ditch. 2 of 3")
    expect(pair).to_contain_text("The bank on the corner was closed on Monday. 0 of 3")
