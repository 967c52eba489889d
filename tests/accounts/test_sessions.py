"""Tests that researchers' sessions end after inactivity and after a maximum duration."""

from __future__ import annotations

import pytest
from django.test import Client

from annotate.accounts import sessions
from annotate.models import Study
from tests.factories import UserFactory, make_study
from tests.signing_in import is_signed_in, sign_in

pytestmark = pytest.mark.django_db

MINUTE = 60


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000_000.0]
    monkeypatch.setattr(sessions.clock, "seconds", lambda: now[0])
    return now


@pytest.fixture
def study() -> Study:
    return make_study()


@pytest.fixture
def owner(client: Client, study: Study, clock: list[float]) -> Client:
    sign_in(client, study.memberships.get().user)
    return client


def test_an_idle_session_ends(owner: Client, clock: list[float]) -> None:
    clock[0] += 29 * MINUTE
    assert is_signed_in(owner)
    clock[0] += 31 * MINUTE
    response = owner.get("/console/tokens/")
    assert response["Location"] == "/accounts/login/?next=/console/tokens/"
    assert not is_signed_in(owner)


def test_an_active_session_ends_after_twelve_hours(owner: Client, clock: list[float]) -> None:
    for _ in range(36):
        assert is_signed_in(owner)
        clock[0] += 20 * MINUTE
    clock[0] += MINUTE
    assert not is_signed_in(owner)


@pytest.mark.nightly
def test_a_page_that_updates_itself_is_not_activity(owner: Client, study: Study, clock: list[float]) -> None:
    page = owner.get(f"/console/{study.public_id}/").content.decode()
    assert """hx-headers='{"X-Background": "1"}'""" in page
    for _ in range(4):
        clock[0] += 10 * MINUTE
        response = owner.get(f"/console/{study.public_id}/", headers={"X-Background": "1", "HX-Request": "true"})
    assert response.headers["HX-Refresh"] == "true", "the page is loaded again and asks to sign in"
    assert not is_signed_in(owner)


def test_the_api_refuses_a_session_that_has_ended(owner: Client, clock: list[float]) -> None:
    assert owner.get("/api/v1/studies").status_code == 200
    clock[0] += 31 * MINUTE
    assert owner.get("/api/v1/studies").status_code == 401


def test_limits_are_settings(client: Client, clock: list[float], settings) -> None:
    settings.SESSION_IDLE, settings.SESSION_LONGEST = 5 * MINUTE, 8 * MINUTE
    sign_in(client, UserFactory())
    clock[0] += 4 * MINUTE
    assert is_signed_in(client)
    clock[0] += 5 * MINUTE
    assert not is_signed_in(client)


def test_the_cookie_ends_with_the_browser_and_stays_from_scripts(owner: Client) -> None:
    cookie = owner.cookies["sessionid"]
    assert cookie["max-age"] == ""
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_activity_is_not_written_with_every_request(owner: Client, clock: list[float]) -> None:
    clock[0] += 30
    before = owner.session[sessions.ACTIVE_AT]
    is_signed_in(owner)
    assert owner.session[sessions.ACTIVE_AT] == before
