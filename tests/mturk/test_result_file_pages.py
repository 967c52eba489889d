"""Test of the pages for results files in the browser: upload, preview with changed assignments, import and undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from accord_core.exchange.mturk_results import Result, write_results
from tests.chromium import add_session, check_width, on_each_screen
from tests.factories import make_study
from tests.mturk.turk import bring_in, result

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_a_results_file_is_previewed_imported_and_undone(page: Page, axe: Callable[[Page], None]) -> None:
    study = make_study(items=10, gold=4, judgements=2)
    first = result(study, 1, "W1")
    bring_in(study, first)
    add_session(page, study.memberships.get().user)

    def choose(*results: Result) -> None:
        text = "".join(write_results(results)).encode()
        page.get_by_label("Results file", exact=True).set_input_files(
            {"name": "Batch_7.csv", "mimeType": "text/csv", "buffer": text}
        )
        page.get_by_role("button", name="Preview the file").click()

    page.goto(f"/console/{study.public_id}/items/add/")
    page.get_by_role("link", name="Results of a Mechanical Turk or Turkle batch").click()
    axe(page)
    choose(replace(first, worker_id="W8"), result(study, 2, "W2"))
    expect(page.get_by_role("heading", name="Preview: 1 new assignment")).to_be_visible()
    expect(page.get_by_role("region", name="Changed assignments")).to_contain_text("W8")
    axe(page)
    for _ in on_each_screen(page, (1280, 390)):
        pass
    page.get_by_role("combobox", name="Changed assignments").select_option("keep")
    page.get_by_role("button", name="Import the results").click()
    expect(page.get_by_role("heading", name="1 imported assignment")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Undo the import").click()
    expect(page.get_by_text("The import was undone")).to_be_visible()
    page.get_by_role("link", name="All results files").click()
    expect(page.get_by_role("heading", name="Results from other hosts")).to_be_visible()
    check_width(page)
