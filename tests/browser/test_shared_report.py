"""Tests of the page of a shared report in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.results.services import share_report
from tests.chromium import check_in_both_themes, check_width
from tests.console_study import collected, report_on

pytestmark = pytest.mark.django_db(transaction=True)
ITEMS = 32


@pytest.fixture
def address() -> str:
    study = collected(items=ITEMS)
    _, token = share_report(report_on(study).pk, days=1, with_items=True, user=SYSTEM)
    return f"/shared/{token}/"


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_readers_filter_and_order_the_items(open_page: Callable[..., Page], address: str, width: int) -> None:
    page = open_page(width)
    page.goto(address)
    rows, values = page.locator("#ranking tbody tr"), page.locator("#ranking tbody td:last-child b")
    expect(rows).to_have_count(20)
    expect(page.get_by_role("status")).to_have_text(f"{ITEMS} items")
    best = values.first.inner_text()
    page.get_by_role("button", name=f"Show all {ITEMS}").press("Enter")
    expect(rows).to_have_count(ITEMS)
    page.get_by_label("Order").select_option("Lowest first")
    expect(values.last).to_have_text(best)
    page.get_by_label("Order").select_option("Most uncertain first")
    widths = [float(row.get_attribute("data-width") or 0) for row in rows.all()]
    assert widths == sorted(widths, reverse=True)
    text = rows.first.locator("p").first.inner_text()
    page.get_by_role("searchbox").fill(text.upper())
    expect(rows.first).to_contain_text(text)
    expect(page.get_by_role("status")).to_contain_text(f"of {ITEMS} items")
    page.get_by_role("searchbox").fill("no such text")
    expect(rows).to_have_count(0)
    page.get_by_role("searchbox").fill("")
    check_width(page)
    check_in_both_themes(page)


@pytest.mark.nightly
def test_without_scripts_all_items_are_in_a_plain_table(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(390, java_script_enabled=False)
    page.goto(address)
    expect(page.locator("#ranking tbody tr")).to_have_count(ITEMS)
    expect(page.get_by_role("searchbox")).to_be_hidden()
