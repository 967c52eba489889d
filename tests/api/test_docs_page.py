"""Tests of the API reference page: it loads files only from this server under the strict policy, and shows
the schema.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from tests.api import openapi
from tests.chromium import check_width


def operations() -> int:
    """Return the number of operations in the schema."""
    return len(openapi.operations())


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_schema_is_valid_and_says_nothing_to_worry_about(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))
    text = (tmp_path / "schema.yml").read_text(encoding="utf-8")
    assert text.startswith("openapi: 3.")
    assert "/api/v1/assignments/{assignment}/submission" in text


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_the_page_shows_operations_and_asks_no_other_host(open_page: Callable[..., Page]) -> None:
    """The fixture fails if the page violates the policy or sends requests to another host."""
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    response = page.goto("/api/v1/swagger/")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    # Swagger UI draws only the operations in or near the visible part of the page.
    expect(page.locator(".opblock").nth(4)).to_be_visible()
    assert any(url.endswith("/api/v1/schema/") for url in asked)


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_the_reference_can_be_read_by_everybody(open_page: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    page = open_page(390, color_scheme="dark")
    page.goto("/api/v1/")
    assert page.locator("details:not(#error-codes)").count() == operations()
    page.get_by_text("/assignments/{assignment}/submission").click()
    expect(page.get_by_role("cell", name="answers").first).to_be_visible()
    check_width(page)
    # All operations have the same form, so axe looks at the open one and at two others.
    page.evaluate("document.querySelectorAll('details:not([open]) ~ details:not([open])').forEach(it => it.remove())")
    axe(page)
