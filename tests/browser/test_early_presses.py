"""Tests of presses before the scripts of a page have run: each press has its effect as soon as they have run."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Dialog, Download, Page, Route, expect

from annotate.models import Decision, Study
from annotate.questions.selectors.adjudication import Queue
from annotate.questions.services.refresh import current_figures
from tests.annotating import enter, until
from tests.browser.test_console_results import sign_in
from tests.console_study import collected, page_of, report_on, somebody
from tests.factories import make_annotator, make_study, take

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def early(page: Page, address: str) -> Iterator[None]:
    """Open the page without its scripts, apart from the script of the head, and let the scripts run at the end."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        is_early = route.request.resource_type != "script" or route.request.url.endswith("/head.js")
        route.continue_() if is_early else waiting.append(route)

    page.route("**/static/**", hold)
    page.goto(address, wait_until="commit")
    yield
    assert waiting, "the page has no modules"
    page.route("**/static/**", lambda route: route.continue_())
    for route in waiting:
        route.continue_()


@pytest.mark.nightly
def test_on_annotators_pages(page: Page) -> None:
    study = make_study()
    participation = make_annotator(study)
    enter(page, participation)
    page.goto(f"/s/{study.public_id}")
    page.evaluate("caches.open('accord-page:' + location.pathname.split('/').pop() + ':another')")

    with early(page, f"/a/{take(participation).public_id}"):
        page.get_by_role("button", name="Instructions").click()
    expect(page.get_by_role("dialog", name="Instructions")).to_be_visible()

    with early(page, f"/s/{study.public_id}/not-me"):
        page.get_by_role("button", name="Start as a new annotator").press("Enter")
    expect(page.get_by_role("button", name="Take part")).to_be_visible()
    assert page.evaluate("caches.keys()") == []

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    full = make_study(annotator_limit=1, waiting_list=True)
    make_annotator(full)
    page.goto(f"/join/{full.join_token}")
    page.get_by_role("button", name="Join the waiting list").click()
    page.wait_for_url("**/waiting/**")
    with early(page, page.url):
        page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.nightly
def test_in_the_console(page: Page) -> None:
    study = collected(careless=0.5)
    sign_in(page, study)

    who = somebody(study)
    with early(page, page_of(study, f"annotators/{who.pseudonym}/")):
        page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("dialog")).to_be_visible()

    with early(page, page_of(study, "pay/")):
        page.get_by_label("Select all annotators").check()
        page.get_by_role("button", name="Give a bonus").first.click()
    expect(page.get_by_role("dialog", name="Give a bonus")).to_be_visible()
    expect(page.get_by_label("Select all annotators")).to_be_checked()
    expect(page.get_by_text("3 annotators selected")).to_be_visible()

    current_figures(study)
    question = study.questions.get(pk=Queue(study).first() or 0)
    with early(page, page_of(study, f"adjudicate/{question.public_id}/")):
        page.get_by_role("button", name="Use B").click()
        page.get_by_role("button", name="Save").click()
    until(page, lambda: Decision.objects.filter(question=question).exists())


@pytest.mark.nightly
def test_on_charts(page: Page) -> None:
    study = collected()
    report_on(study)
    sign_in(page, study)
    downloads: list[Download] = []
    page.on("download", lambda download: downloads.append(download))
    with early(page, page_of(study, "results/1/")):
        page.locator("#scores .chart-menu > summary").click()
        page.get_by_role("button", name="Show table of Scores").click()
        page.get_by_role("button", name="Download SVG of Scores").click()
    expect(page.locator("#scores").get_by_role("table")).to_be_visible()
    until(page, lambda: len(downloads) == 1)
    with early(page, page_of(study, "results/1/")):
        page.locator("#files > summary").click()
        page.get_by_role("button", name="Download all files and figures").click()
    until(page, lambda: len(downloads) == 2)
    assert downloads[0].suggested_filename == "scores.svg"
    assert "figures/scores.svg" in zipfile.ZipFile(downloads[1].path()).namelist()
    page.get_by_role("button", name="Download all files and figures").click()  # the page is still there
    until(page, lambda: len(downloads) == 3)


@pytest.mark.nightly
def test_on_forms(page: Page) -> None:
    study = make_study(state="draft")
    sign_in(page, study)
    with early(page, page_of(study, "settings/")):
        page.get_by_label("Title", exact=True).fill("Another title")
    asked: list[str] = []

    def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    page.wait_for_load_state()
    page.evaluate("import(document.querySelector('script[src$=\"/shell.js\"]').src)")
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))")  # the changes are repeated after the modules
    page.get_by_role("link", name="Studies").first.click()
    page.wait_for_url("**/console/")
    assert asked == ["beforeunload"]

    page.goto("/console/new/")
    with early(page, page.url):
        page.get_by_label("Title", exact=True).fill("Twice")
        page.get_by_label("Word alignment").check()
        page.get_by_role("button", name="Create the study").dblclick()
    page.wait_for_url(re.compile(r"/console/[^/]{22}/$"))
    assert Study.objects.filter(title="Twice").count() == 1


@pytest.mark.nightly
def test_a_form_that_downloads_a_file_can_be_sent_again(page: Page) -> None:
    study = make_study()
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}/study")
    names = []
    for _ in range(2):
        with page.expect_download(timeout=5_000) as download:
            page.get_by_role("button", name="Download my data").click()
        names.append(download.value.suggested_filename)
    assert names[0] == names[1]
