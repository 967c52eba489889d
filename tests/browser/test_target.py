"""Tests of targets in a browser: the settings, and the panel on the overview before and after the pause."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.jobs import request_job, run
from annotate.models import Study
from tests.chromium import add_session, check_in_both_themes, on_each_screen
from tests.console_study import page_of, report_on
from tests.factories import UserFactory, make_study

pytestmark = pytest.mark.django_db(transaction=True)

SCREENSHOTS = os.environ.get("ACCORD_SCREENSHOTS", "")  # a folder, to look at the pages


def look(page: Page, name: str) -> None:
    for width in on_each_screen(page):
        check_in_both_themes(page)
        if SCREENSHOTS:
            page.screenshot(path=Path(SCREENSHOTS) / f"{name}-{width}.png", full_page=True)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()


@pytest.mark.nightly
def test_a_researcher_sets_a_target_and_sees_what_the_pause_saves(page: Page) -> None:
    owner = UserFactory()
    study = make_study(user=owner, items=20, judgements=6)
    simulate(study, user=SYSTEM, annotators=6, hits=24, seed=3, as_people=True)
    report_on(study, "progress")
    add_session(page, owner)

    page.goto(page_of(study, "settings/quality/"))
    page.get_by_role("button", name="Edit Target").click()
    page.get_by_label("Figure with a target").select_option(index=1)
    page.get_by_label("Target value").fill("0.97")
    look(page, "target-settings")
    save(page)

    page.goto(page_of(study))
    target = page.get_by_role("region", name="Target")
    expect(target).to_contain_text("more judgements are needed")
    expect(target).to_contain_text("Accord does not pause the study at the target.")
    look(page, "target-needed")

    target.get_by_role("link", name="Change the target").click()
    expect(page.get_by_label("Figure with a target")).to_be_focused()
    page.get_by_label("Target value").fill("0.3")
    page.get_by_label("Pause the study when it reaches the target").check()
    save(page)
    run(request_job(study, "report:progress", user=SYSTEM).pk)

    page.goto(page_of(study))
    expect(target).to_contain_text("The study needs 120 fewer judgements than planned, and saves $12.00 in rewards.")
    study.refresh_from_db()
    assert study.state == Study.State.PAUSED
    look(page, "target-paused")
