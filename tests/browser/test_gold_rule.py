"""Tests of whom the quality rule stops in a real browser: other rules by keyboard, charts, tables, and phones."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.chromium import add_session, check_in_both_themes, check_width
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)


def opened(page: Page) -> Study:
    study = make_study(items=40, gold=20, gold_block=5, rule_minimum=5, state="draft")
    add_session(page, study.memberships.get().user)
    page.goto(f"/console/{study.public_id}/settings/quality/")
    page.get_by_text("Curves and other rules").click()
    return study


@pytest.mark.nightly
def test_another_rule_is_tried_by_keyboard(page: Page) -> None:
    opened(page)
    curve = page.locator("#operating-curve")
    expect(curve.get_by_role("img")).to_have_attribute("aria-label", re.compile("by share of careful answers"))
    minimum = page.locator("#rule").get_by_label("Minimum gold answers before the rule applies")
    expect(minimum).to_have_value("5")
    before = curve.get_by_role("img").get_attribute("aria-label")
    minimum.fill("12")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"minimum=12.*#rule$"))
    expect(curve.get_by_role("img")).not_to_have_attribute("aria-label", before or "")
    expect(page.get_by_role("link", name="Show the study’s rule")).to_be_visible()
    page.locator("#stops-by-gold-answers .chart-menu > summary").click()
    page.get_by_role("button", name="Show table of Stops by number").click()
    expect(page.get_by_role("region", name="Table of Stops by number").get_by_role("row")).to_have_count(17)
    check_in_both_themes(page)
    minimum.fill("90")
    page.get_by_role("button", name="Try this rule").click()
    expect(page.get_by_text("The quality rule never applies: it needs 90 gold answers")).to_be_visible()
    expect(curve).to_have_count(0)


@pytest.mark.nightly
def test_the_charts_fit_a_phone(phone_page: Page, axe: Callable[[Page], None]) -> None:
    opened(phone_page)
    for chart in ("operating-curve", "stops-by-gold-answers"):
        drawing = phone_page.locator(f"#{chart}").get_by_role("img")
        expect(drawing).to_be_visible()
        box = drawing.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    check_width(phone_page)
    axe(phone_page)
