"""Tests of rare pages: requests that cannot be read or are too large, and a file that a job reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotate.core.services.jobs import run
from annotate.data.services.uploads import receive
from tests.browser.test_console_setup import sign_in
from tests.chromium import check_width
from tests.data.test_previews import ITEMS
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)
LOOKS = [(390, "dark"), (1280, "light")]


@pytest.fixture(params=LOOKS, ids=[f"{width}-{colours}" for width, colours in LOOKS])
def view(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Page:
    """Return a page for each width and colour scheme."""
    width, colours = request.param
    return open_page(width=width, color_scheme=colours)


def fits(page: Page, axe: Callable[[Page], None]) -> None:
    axe(page)
    check_width(page)


def test_a_request_that_cannot_be_read(view: Page, axe: Callable[[Page], None], expected_errors: list[str]) -> None:
    expected_errors.append("400")
    view.goto("/accounts/login/")
    view.get_by_label("Email").evaluate("field => { field.type = 'text'; field.value = 'a\\0b' }")
    view.get_by_label("Password", exact=True).fill("x")
    view.get_by_label("Password", exact=True).press("Enter")
    expect(view.get_by_role("heading", name="The server cannot read this request")).to_be_visible()
    fits(view, axe)


def test_a_request_that_is_too_large(
    view: Page, axe: Callable[[Page], None], expected_errors: list[str], settings: Any
) -> None:
    expected_errors.append("413")
    settings.BODY_LIMITS = {**settings.BODY_LIMITS, "form": 10}
    view.goto("/accounts/login/")
    view.get_by_label("Email").fill("ada@example.org")
    view.get_by_label("Password", exact=True).fill("x")
    view.get_by_label("Password", exact=True).press("Enter")
    expect(view.get_by_role("heading", name="This request is too large")).to_be_visible()
    fits(view, axe)


@pytest.mark.nightly
def test_a_file_that_is_read_by_a_job(
    view: Page, axe: Callable[[Page], None], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.core.services.jobs.notify_worker", lambda job_id, kind: None)
    settings.ROWS_AT_ONCE = 0
    study = make_study(items=0, state="draft")
    owner = study.memberships.get().user
    upload = receive(study, purpose="items", filename="items.csv", data=ITEMS.encode(), user=owner)
    sign_in(view, owner, f"/console/{study.public_id}/uploads/{upload.public_id}/")
    expect(view.get_by_text("reads files of this size in the background")).to_be_visible()
    fits(view, axe)
    run(study.jobs.get().pk)
    expect(view.get_by_role("heading", name="ready to import")).to_be_visible()
    fits(view, axe)
