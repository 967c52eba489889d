"""Tests of the console's results pages in a real browser: charts, automatic updates, dialogs by keyboard,
and a phone.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs, standing
from annotate.models import Job, Participation, Study
from tests.chromium import add_session, check_in_both_themes, on_each_screen
from tests.console_study import collected, page_of, report_on, somebody

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = [
    "",
    "design/",
    "annotators/",
    "questions/",
    "jobs/",
    "results/all/",
    "results/1/",
    "results/1/items/",
    "downloads/",
]


@pytest.fixture
def study() -> Study:
    study = collected(items=16, annotators=4)
    report_on(study)
    report_on(study, "progress")
    return study


def sign_in(page: Page, study: Study) -> None:
    """Sign in as the owner of the study."""
    add_session(page, study.memberships.get(role="owner").user)


def every_page(study: Study) -> list[str]:
    who, question = somebody(study), study.questions.filter(kind="gold").first()
    assert question is not None
    return [*PAGES, f"annotators/{who.pseudonym}/", f"questions/{question.public_id}/"]


def charts_drawn(page: Page) -> None:
    for details in page.locator("details:is(.behind, .fold):has([data-drawing])").all():
        details.evaluate("details => { details.open = true; }")
    for drawing in page.locator("[data-drawing]").all():
        expect(drawing.locator("svg[role=img]")).to_be_visible()
    for spark in page.locator("[data-spark]").all():
        spark.scroll_into_view_if_needed()
        expect(spark.locator("svg")).to_be_visible()


@pytest.mark.nightly
def test_every_page_is_accessible_and_fits(phone_page: Page, study: Study) -> None:
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    sign_in(phone_page, study)
    for place in every_page(study):
        phone_page.goto(page_of(study, place))
        charts_drawn(phone_page)
        for width in on_each_screen(phone_page, (1280, 390)):
            if width == 390:  # has the smaller targets and the same colours
                check_in_both_themes(phone_page)


@pytest.mark.nightly
def test_a_chart_has_its_table_and_is_drawn_anew_for_another_width(page: Page, study: Study) -> None:
    sign_in(page, study)
    page.goto(page_of(study, "results/1/"))
    scores = page.locator("#scores")
    expect(scores.locator("svg[role=img]")).to_have_attribute("aria-label", re.compile("Histogram of 16 scores"))
    expect(scores.get_by_role("table")).to_be_hidden()
    scores.locator(".chart-menu > summary").focus()
    page.keyboard.press("Enter")
    scores.get_by_role("button", name="Show table").focus()
    page.keyboard.press("Enter")
    expect(scores.get_by_role("table")).to_be_visible()
    expect(scores.locator("[data-table]")).to_have_attribute("aria-expanded", "true")
    wide = scores.locator("[data-drawing] svg").get_attribute("width")
    page.set_viewport_size({"width": 900, "height": 900})
    expect(scores.locator("[data-drawing] svg")).not_to_have_attribute("width", wide or "")


@pytest.mark.nightly
def test_nothing_jumps_while_a_table_with_small_charts_loads(page: Page, study: Study) -> None:
    page.add_init_script(
        """new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries())
                (window.shifted ??= []).push([value, ...sources.map(({ node }) => node?.outerHTML)]);
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    sign_in(page, study)
    page.goto(page_of(study, "annotators/"))
    charts_drawn(page)
    assert page.locator("[data-spark] svg").count() == study.participations.count()
    assert page.evaluate("window.shifted ?? []") == []
    # Style sheets are in the cache now, and half of the rows arrive before the others.
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 0, "uploadThroughput": -1, "downloadThroughput": 10_000}
    network.send("Network.emulateNetworkConditions", slow)
    page.reload()
    charts_drawn(page)
    assert page.evaluate("window.shifted ?? []") == []


@pytest.mark.nightly
def test_figures_can_be_read_without_javascript(open_page: Callable[..., Page], study: Study) -> None:
    page = open_page(java_script_enabled=False)
    sign_in(page, study)
    page.goto(page_of(study, "annotators/"))
    expect(page.get_by_text("95% interval 0% to").first).to_be_in_viewport()
    page.goto(page_of(study, "results/1/"))
    expect(page.get_by_role("region", name="Table of Scores")).to_be_visible()


@pytest.mark.nightly
def test_a_chart_can_be_kept_as_a_file_for_a_paper(page: Page, study: Study, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    sign_in(page, study)
    page.goto(page_of(study, "results/1/"))
    charts_drawn(page)
    menu, files = page.locator("#scores .chart-menu"), {}
    for name in ("PNG", "CSV", "LaTeX"):
        menu.locator("summary").click()
        with page.expect_download() as download:
            menu.get_by_role("button", name=f"Download {name}").click()
        files[name] = download.value.path().read_bytes()
    assert files["PNG"].startswith(b"\x89PNG")
    assert files["CSV"].startswith(b"From,To,Items\r\n")
    assert b"From & To & Items \\\\" in files["LaTeX"]
    menu.locator("summary").click()
    with page.expect_download() as download:
        menu.get_by_role("button", name="SVG").click()
    assert download.value.suggested_filename == "scores.svg"
    file = tmp_path / "scores.svg"
    download.value.save_as(file)
    text = file.read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)  # noqa: S314 (our own file)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    assert drawing[0].text is not None
    assert drawing[0].text.startswith("Histogram of 16 scores")
    assert "var(--" not in text
    assert "class=" not in text
    assert "rgb(34, 71, 143)" in text  # ink of the light theme, though the page is dark
    assert page.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.nightly
def test_the_overview_moves_by_itself_and_keeps_an_open_table(page: Page, study: Study) -> None:
    sign_in(page, study)
    page.goto(page_of(study))
    charts_drawn(page)
    page.locator("#judgements .chart-menu > summary").click()
    page.locator("#judgements").get_by_role("button", name="Show table").click()
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    expect(page.get_by_text("1 annotator stopped since yesterday")).to_be_visible()
    charts_drawn(page)
    expect(page.locator("#judgements").get_by_role("table")).to_be_visible()
    expect(page.get_by_role("button", name="Calculate now")).to_be_visible()


@pytest.mark.nightly
def test_stopping_and_restoring_by_keyboard(page: Page, axe: Callable[[Page], None], study: Study) -> None:
    who = somebody(study)
    sign_in(page, study)
    page.goto(page_of(study, f"annotators/{who.pseudonym}/"))
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Stop")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("four seconds a question")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("no longer count.").first).to_be_visible()
    who.refresh_from_db()
    assert (who.standing, who.standing_reason) == (Participation.Standing.STOPPED, "four seconds a question")

    page.goto(page_of(study, "annotators/?show=stopped"))
    page.locator(".why > summary").click()
    page.get_by_role("button", name=f"Restore annotator {who.pseudonym}").press("Enter")
    expect(page.get_by_role("dialog", name=f"Restore annotator {who.pseudonym}?")).to_be_visible()
    axe(page)
    page.get_by_role("dialog").get_by_label("Reason").fill("fast, and right")
    page.get_by_role("dialog").get_by_role("button", name="Restore").press("Enter")
    expect(page.get_by_text("is active again")).to_be_visible()
    who.refresh_from_db()
    assert who.standing == Participation.Standing.ACTIVE


@pytest.mark.nightly
def test_a_job_moves_until_its_report_opens_by_itself(page: Page, study: Study) -> None:
    job = jobs.request_job(study, "report:results", user=SYSTEM)
    Job.objects.filter(pk=job.pk).update(state="running", progress=0.4, message="scores")
    sign_in(page, study)
    page.goto(page_of(study, "results/"))
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "40")
    Job.objects.filter(pk=job.pk).update(state="waiting")
    jobs.run(job.pk)
    expect(page.get_by_role("heading", level=1)).to_have_text("Report 2")
