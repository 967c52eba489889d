"""Tests of a plan in a browser: estimates from the answers of the study, and the comparison on the overview."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.jobs import run
from annotate.models import Job
from annotate.planning.services.checks import check_plan
from tests.chromium import add_session, check_in_both_themes, on_each_screen
from tests.console_study import page_of
from tests.factories import UserFactory, make_study

pytestmark = pytest.mark.django_db(transaction=True)

SCREENSHOTS = os.environ.get("ACCORD_SCREENSHOTS", "")  # a folder, to look at the pages


def look(page: Page, name: str) -> None:
    for width in on_each_screen(page):
        check_in_both_themes(page)
        if SCREENSHOTS:
            page.screenshot(path=Path(SCREENSHOTS) / f"{name}-{width}.png", full_page=True)


@pytest.mark.nightly
def test_a_researcher_plans_from_the_answers_so_far_and_follows_the_plan(page: Page) -> None:
    owner = UserFactory()
    study = make_study(user=owner, items=40, judgements=3)
    simulate(study, user=SYSTEM, annotators=6, hits=12, seed=3)
    add_session(page, owner)

    page.goto(page_of(study, "plan/"))
    source = page.locator("#plan_pilot")
    expect(source.locator("option:checked")).to_contain_text("This study (60 judgements)")
    page.get_by_text("Payment, annotators and assumptions").click()
    page.locator("#plan_studies").fill("20")
    page.locator("#plan_target").fill("")
    page.get_by_role("button", name="Calculate").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    run(Job.objects.get(study=study, kind__startswith="plan-").pk)
    page.goto(page_of(study, "plan/"))
    estimates = page.locator("#estimates")
    expect(estimates).to_contain_text("Spread of the utilities")
    expect(estimates).to_contain_text("Estimated from 60 judgements of 6 simulated annotators in this study.")
    look(page, "plan-estimates")
    page.get_by_role("button", name="Use this plan").click()
    expect(page.get_by_text("The study uses plan 1.")).to_be_visible()

    for hits in (8, 12, 16):
        simulate(study, user=SYSTEM, annotators=6, hits=hits, seed=3)
        check_plan(study.pk, user=SYSTEM, progress=lambda share, step: None)
    page.goto(page_of(study))
    panel = page.get_by_role("region", name="Planned and actual").first
    expect(panel).to_contain_text("Reliability of the scores (splits within tuples): ")
    expect(panel.get_by_role("rowheader")).to_have_count(4)  # a complete study has no forecast of its end
    page.get_by_text("Planned and actual by number of judgements", exact=True).click()
    chart = page.locator("#plan-reality")
    expect(chart.locator("svg .dot circle")).to_have_count(4)  # three points, and the mark of the last point
    chart.locator(".chart-menu > summary").press("Enter")
    chart.get_by_role("button", name="Show table").press("Enter")
    expect(chart.get_by_role("row")).to_have_count(4)
    look(page, "plan-reality")
    panel.get_by_role("link", name="Details of the plan").click()
    expect(page.get_by_text("The study uses")).to_be_visible()
