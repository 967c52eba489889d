"""Tests that sample pairs from sentences in a real browser: the chart updates without a page load, and settings can be
changed and tried again.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from tests.browser.test_console_results import sign_in
from tests.bws.test_sampling_console import SENTENCES
from tests.chromium import check_width
from tests.console_study import page_of
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
@pytest.mark.parametrize("width", [390])
def test_numbers_are_tried_again_without_choosing_the_file_again(
    open_page: Callable[..., Page], axe: Callable[[Page], None], width: int
) -> None:
    study = make_study(items=0, state=Study.State.DRAFT, design=False)
    page = open_page(width=width)
    sign_in(page, study)
    page.goto(page_of(study, "x/pairs/"))
    file = {"name": "town.txt", "mimeType": "text/plain", "buffer": SENTENCES.encode()}
    page.get_by_label("Sentences", exact=True).set_input_files(file)  # type: ignore[arg-type]
    page.get_by_label("Pairs (optional)").fill("20")
    page.get_by_text("Advanced settings").click()
    page.get_by_label("Buckets or bins").fill("4")
    page.get_by_label("Method", exact=True).select_option("bins")
    page.get_by_role("button", name="Make pairs").click()
    expect(page.get_by_role("alert")).to_contain_text("The strategy bins needs pairs")
    page.get_by_label("Method", exact=True).select_option("buckets")
    page.get_by_role("button", name="Make pairs").click()
    expect(page.get_by_role("img", name="histogram of 20 pairs")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    axe(page)
    check_width(page)
    page.get_by_role("link", name="Preview the items").click()
    expect(page.get_by_text("town-buckets-1.csv").first).to_be_visible()
