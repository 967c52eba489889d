"""Tests of the page Plan in a real browser: a plan by keyboard with visible progress, charts, tables, and phones."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.planning.services.plans import make_plan
from tests.chromium import add_session, check_in_both_themes, check_width
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)

PRICED = {"items": 100, "answers": [2, 4], "studies": 20, "price": 0.5, "per_hit": 10, "budget": 50.0, "target": 0.8}


def opened(page: Page) -> Study:
    study = make_study(items=100, state="draft", design=False, reward="0.50")
    make_plan(study.pk, PRICED, user=SYSTEM, progress=lambda share, text: None)
    add_session(page, study.memberships.get().user)
    page.goto(f"/console/{study.public_id}/plan/")
    return study


@pytest.mark.nightly
def test_a_design_is_planned_and_used_by_keyboard(
    page: Page, celery_worker: Callable[[Callable[[], bool]], None]
) -> None:
    study = opened(page)
    expect(page.get_by_role("heading", name="Plan 1")).to_be_visible()
    page.get_by_role("link", name="Change the assumptions").click()  # also opens the form
    page.locator("#plan_target").fill("0.7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Plan 2")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("The cheapest design with a reliability of at least .70")).to_be_visible()
    chart = page.locator("#plan-reliability")
    expect(chart.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(r"Reliability of the scores \(splits within tuples\) by cost")
    )
    chart.locator(".chart-menu > summary").click()
    page.get_by_role("button", name="Show table of Reliability of the scores").click()
    expect(chart.get_by_role("row")).to_have_count(3)
    check_in_both_themes(page)
    page.get_by_role("button", name="Use this plan").press("Enter")
    expect(page.get_by_text("The study uses plan 2. The settings of the study have been changed.")).to_be_visible()
    study.refresh_from_db()
    assert study.plans.get(number=2).chosen["per_question"] == study.judgements


@pytest.mark.nightly
def test_the_page_fits_a_phone(phone_page: Page, axe: Callable[[Page], None]) -> None:
    opened(phone_page)
    for chart in ("plan-reliability", "plan-smallest-difference"):
        box = phone_page.locator(f"#{chart}").get_by_role("img").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    check_width(phone_page)
    axe(phone_page)
