"""The pages about a running study in a real browser: studies, overview, open HITs and additional judgements."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import page_of
from tests.factories import do_hit, make_annotator, make_study, take

pytestmark = pytest.mark.django_db(transaction=True)


def running_study() -> Study:
    study = make_study(judgements=2)
    first, second = make_annotator(study), make_annotator(study)
    do_hit(first)
    do_hit(second)
    take(first)
    return study


@pytest.mark.nightly
def test_a_running_study_is_steered(page: Page, axe: Callable[[Page], None]) -> None:
    study = running_study()
    sign_in(page, study)
    page.goto("/console/")
    axe(page)
    page.set_viewport_size({"width": 390, "height": 800})
    check_width(page)
    page.get_by_role("link", name=study.title).click()
    page.locator(".fig", has_text="Counted judgements").get_by_role("button", name="more about").click()
    page.get_by_role("link", name="1 open HIT").click()
    expect(page.get_by_role("heading", name="Open HITs", exact=True)).to_be_visible()
    axe(page)
    check_width(page)
    page.get_by_role("button", name="End the reservation on HIT").press("Enter")
    expect(page.get_by_text("The reservation has ended. Another annotator can now get the HIT.")).to_be_visible()

    page.goto(page_of(study, "questions/"))
    page.get_by_label("Choose tuple-01").press("Space")
    page.get_by_label("Choose tuple-02").press("Space")
    page.get_by_role("button", name="Add judgements to the chosen questions…").press("Enter")
    button = page.get_by_role("button", name="Add judgements for $0.50")
    expect(button).to_be_visible()
    axe(page)
    check_width(page)
    button.press("Enter")
    expect(page.get_by_text("1 assignment was added.")).to_be_visible()
