"""Pages of accounts in a real browser: the invitation, members, tokens, the second factor, and too many attempts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache
from playwright.sync_api import Page, expect

from annotate.accounts import sign_in_limits
from annotate.studies.services.members import invitation_link
from tests.browser.test_console_setup import sign_in
from tests.factories import PASSWORD, UserFactory, make_study
from tests.signing_in import add_second_factor, code_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _forget_failures() -> None:
    cache.clear()


@pytest.mark.nightly
def test_an_invited_researcher_joins(phone_page: Page, page: Page, axe: Callable[[Page], None]) -> None:
    study = make_study()
    owner = study.memberships.get().user
    sign_in(page, owner, f"/console/{study.public_id}/members/")
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.locator("form", has=page.get_by_role("button", name="Invite", exact=True)).get_by_label("Role").select_option(
        "reviewer"
    )
    page.get_by_role("button", name="Invite", exact=True).click()
    link = page.locator("p.secret").inner_text()
    assert link == invitation_link(study.invitations.get())
    axe(page)
    phone_page.goto("/invitation/" + link.partition("/invitation/")[2])
    axe(phone_page)
    phone_page.get_by_label("Your name").fill("Ada")
    phone_page.get_by_label("Password", exact=True).fill(PASSWORD)
    phone_page.get_by_label("Repeat the password").fill(PASSWORD)
    phone_page.get_by_role("button", name="Create account and join").click()
    expect(phone_page.get_by_role("heading", name=study.title)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Role of Ada")).to_have_value("reviewer")
    page.get_by_label("Role of Ada").select_option("viewer")
    page.get_by_role("button", name="Change the role of Ada").click()
    expect(page.get_by_text("Ada now has the role viewer.")).to_be_visible()


def test_a_used_link_says_so(page: Page, axe: Callable[[Page], None], expected_errors: list[str]) -> None:
    expected_errors.append("404")
    page.goto("/invitation/forged/")
    expect(page.get_by_role("heading", name="This invitation link no longer works")).to_be_visible()
    axe(page)


@pytest.mark.nightly
def test_a_code_is_asked_for_and_the_token_page_opens(phone_page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    secret = add_second_factor(user)
    phone_page.goto("/accounts/login/?next=/console/tokens/")
    axe(phone_page)
    phone_page.get_by_label("Email").fill(user.email)
    phone_page.get_by_label("Password", exact=True).fill(PASSWORD)
    phone_page.get_by_role("button", name="Sign in").click()
    expect(phone_page.get_by_label("Code")).to_be_visible()
    axe(phone_page)
    phone_page.get_by_label("Code").fill(code_of(secret))
    phone_page.get_by_label("Code").press("Enter")
    phone_page.wait_for_url("**/console/tokens/")
    phone_page.get_by_label("Name").fill("nightly export")
    phone_page.get_by_role("button", name="Create the token").click()
    expect(phone_page.get_by_role("button", name="Confirm")).to_be_visible()
    axe(phone_page)
    phone_page.get_by_label("Password", exact=True).fill(PASSWORD)
    phone_page.get_by_role("button", name="Confirm").click()
    expect(phone_page.get_by_role("heading", name="New token")).to_be_visible()
    axe(phone_page)


@pytest.mark.nightly
def test_too_many_attempts_state_the_wait(page: Page, axe: Callable[[Page], None], expected_errors: list[str]) -> None:
    expected_errors.append("429")
    user = UserFactory()
    page.goto("/accounts/login/")
    for _ in range(sign_in_limits.FAILURES_PER_ADDRESS + 1):
        page.get_by_label("Email").fill(user.email)
        page.get_by_label("Password", exact=True).fill("not the password")
        with page.expect_navigation():
            page.get_by_label("Password", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Too many attempts")).to_be_visible()
    axe(page)
