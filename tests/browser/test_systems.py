"""Tests of the systems pages in a real browser: accessibility, a phone, and the steps from a file to its score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.models import Study
from evaluation.models import Submission
from evaluation.services.systems import publish_table, submit_system
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import page_of
from tests.scored_systems import do_jobs, predictions, relatedness_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study() -> Study:
    """Return a study with two scored systems, one of which has a long name, in a public table."""
    study = relatedness_study()
    for name in ("Sum of word vectors", "A cross-encoder, fine-tuned on paraphrases and entailment"):
        submit_system(study, system=name, filename="s.csv", data=predictions(study), user=SYSTEM)
        do_jobs(study)
    Submission.objects.update(public=True)
    publish_table(study.pk, heading="Relatedness of sentences", user=study.memberships.get().user)
    return study


@pytest.mark.nightly
def test_every_page_is_accessible_and_no_wider_than_a_phone(
    open_page: Callable[..., Page], axe: Callable[[Page], None], study: Study
) -> None:
    page = open_page(width=390)
    sign_in(page, study)
    places = ["x/systems/", "x/systems/1/", "x/systems/compare/?one=1&other=2"]
    for path in [*(page_of(study, place) for place in places), f"/systems/{study.public_id}/"]:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        axe(page)
        check_width(page)


@pytest.mark.nightly
def test_a_file_is_refused_mended_and_scored(
    page: Page, study: Study, tmp_path: Path, expected_errors: list[str]
) -> None:
    expected_errors.append("status of 422")
    sign_in(page, study)
    page.goto(page_of(study, "x/systems/"))
    file = tmp_path / "mine.csv"
    file.write_bytes(predictions(study).replace(b"p3,3\n", b"p3,high\n"))
    page.get_by_role("textbox", name="System").fill("Mine")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Score the system").click()
    expect(page.get_by_text("“high” is not a finite number")).to_be_visible()
    file.write_bytes(predictions(study))
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Score the system").click()
    expect(page.get_by_text("Scoring in progress")).to_be_visible()
    do_jobs(study)
    # The page asks after the job and shows the figures by itself when it is done.
    row = page.get_by_role("row", name="Mine number 3")
    expect(row).to_contain_text(" to ")
    row.get_by_role("button", name="Hidden").click()
    expect(page.get_by_role("row", name="Mine number 3").get_by_role("button", name="Shown")).to_be_visible()
