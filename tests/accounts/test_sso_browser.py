"""Tests of single sign-on in Chromium: the pages between Accord and the provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.chromium import on_each_screen
from tests.issuer import Issuer, running_issuer

pytestmark = [pytest.mark.browser, pytest.mark.nightly, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def issuer(settings, live_server) -> Iterator[Issuer]:
    with running_issuer() as running:
        settings.SSO_ISSUER, settings.SSO_CLIENT_ID, settings.SSO_NAME = running.url, "accord", "the University"
        settings.SSO_CLIENT_SECRET, settings.SITE_URL = "secret", live_server.url
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_researcher_signs_in_and_out(
    issuer: Issuer, open_page: Callable[..., Page], axe: Callable[[Page], None], settings, scheme: str
) -> None:
    settings.SSO_GROUPS = ["lab"]
    issuer.add("zoe", groups=["lab"])
    page = open_page(color_scheme=scheme)
    page.goto("/console/new/")
    for _ in on_each_screen(page):
        axe(page)
    page.get_by_role("button", name="Sign in with the University").click()
    page.wait_for_url(f"{issuer.url}/**")
    page.locator("input[name=sub]").fill("zoe")
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/console/new/")
    page.locator("details.me summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()

    settings.SSO_ONLY = True
    issuer.add("zoe", groups=["kitchen"])
    page.goto("/accounts/login/")
    for _ in on_each_screen(page):
        axe(page)
    page.get_by_role("button", name="Sign in with the University").click()
    page.locator("input[name=sub]").fill("zoe")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_role("status")).to_contain_text("do not give you access to Accord")
    expect(page.get_by_label("Password")).to_have_count(0)
    axe(page)


def test_a_researcher_signs_in_again_and_creates_a_token(
    issuer: Issuer, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    issuer.add("ada")
    page = open_page()

    def enter() -> None:
        page.wait_for_url(f"{issuer.url}/**")
        page.locator("input[name=sub]").fill("ada")
        page.get_by_role("button", name="Authorize").click()

    page.goto("/accounts/login/?next=/console/tokens/")
    page.get_by_role("button", name="Sign in with the University").click()
    enter()
    for path in ("/console/tokens/", "/accounts/sso/again/?next=/console/tokens/"):
        page.goto(path)
        for _ in on_each_screen(page):
            axe(page)
    page.get_by_role("button", name="Sign in again with the University").click()
    enter()
    page.wait_for_url("**/console/tokens/")
    page.get_by_label("Name").fill("nightly export")
    page.get_by_role("button", name="Create the token").click()
    expect(page.get_by_role("heading", name="New token")).to_be_visible()
