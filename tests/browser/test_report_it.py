"""Tests of the pages that report, repeat and compare a study in a browser: both widths, both themes, by keyboard."""

from __future__ import annotations

import io
from datetime import date

import pytest
from playwright.sync_api import Dialog, Page, expect

from annotate.core.services.jobs import run
from annotate.studies.services.settings import change_settings
from releases.contents.folder import About
from releases.services.compare import Uploaded, request_comparison
from releases.services.releases import as_zip, make_release
from releases.services.repeat import read_upload, repeat_study
from reporting.preregistration.registrations import freeze
from reporting.selectors.answers import author_answers
from tests.annotating import until
from tests.chromium import add_session, check_in_both_themes, check_width
from tests.console_study import collected, page_of, report_on
from tests.factories import make_study, member_of

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


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_a_repeat_with_its_differences_plan_and_comparison_on_both_widths(page: Page, phone_page: Page) -> None:
    study = collected()
    report_on(study)
    owner = study.memberships.get(role="owner").user
    release = make_release(study.pk, About("1.0", "CC-BY-4.0", date(2026, 11, 30), gold="sealed"), user=owner)
    content = as_zip(release)
    repeated = repeat_study(read_upload(io.BytesIO(content), "original.zip", release.key), user=owner).study
    freeze(repeated.pk, {"description": "Why?", "hypotheses": "None."}, user=owner)
    change_settings(repeated.pk, rule_threshold="0.55", user=owner)
    run(request_comparison(study, Uploaded("original.zip", content), is_original=True, user=owner).pk)
    pages = {
        "/console/repeat/": "Repeat a study",
        page_of(repeated, "repeat/"): "Differences",
        page_of(repeated, "preregistration/"): "Departures from the plan",
        page_of(study, "x/compare/"): "Final results",
    }
    for each in (page, phone_page):
        add_session(each, owner)
        for path, heading in pages.items():
            each.goto(path)
            expect(each.get_by_role("heading", name=heading, exact=True)).to_be_visible()
            each.evaluate("document.querySelectorAll('main details.behind').forEach(each => each.open = true)")
            check_width(each)
            check_in_both_themes(each)


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_a_refused_plan_is_not_left_without_a_warning(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append("422")
    study = make_study()
    add_session(page, member_of(study))
    page.goto(page_of(study, "preregistration/"))
    page.get_by_label("Research question").fill("Is the order stable?")
    page.get_by_label("Hypotheses").fill(" ")
    page.get_by_role("button", name="Freeze the plan").click()
    expect(page.get_by_text("Correct 1 field below")).to_be_visible()
    page.wait_for_load_state()
    page.get_by_label("Research question").click()  # browsers warn only after a press on the page
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.get_by_role("link", name="Settings").click(no_wait_after=True)
    until(page, lambda: asked == ["beforeunload"])
    expect(page.get_by_label("Research question")).to_have_value("Is the order stable?")
