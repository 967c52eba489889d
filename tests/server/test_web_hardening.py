"""Tests of the headers, methods and cookies of all responses, and of the confirmation that account pages require before
changes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from annotate.core.services.credentials import new_api_token
from annotate.models import User
from tests.factories import PASSWORD, UserFactory, make_study
from tests.signing_in import sign_in

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _forget_failures() -> None:
    cache.clear()


@pytest.fixture
def user() -> User:
    return UserFactory()


# ── headers ───────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/accounts/login/",
        "/accounts/email/",
        "/accounts/2fa/",
        "/console/",
        "/console/tokens/",
        "/join/none",
        "/nothing/here",
        "/records/",
    ],
)
def test_no_page_is_kept_by_browsers_or_proxies(client: Client, user: User, path: str) -> None:
    client.force_login(user)
    assert "no-store" in client.get(path)["Cache-Control"]


def test_no_download_is_kept_either(client: Client) -> None:
    study = make_study()
    client.force_login(study.memberships.get().user)
    reply = client.get(f"/console/{study.public_id}/downloads/answers.jsonl")
    assert reply.status_code == 200
    assert "no-store" in reply["Cache-Control"]


def test_a_reply_of_the_api_is_saved_and_not_shown(user: User) -> None:
    client = Client(headers={"Authorization": f"Token {new_api_token(user, 'script')[1]}"})
    for path in ("studies", "studies/none", "nothing/here"):
        assert client.get(f"/api/v1/{path}")["Content-Disposition"] == 'attachment; filename="api.json"', path


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/console/", "/nothing/here", "/api/v1/studies", "/healthz"])
def test_every_reply_has_the_headers_that_protect_it(client: Client, user: User, path: str) -> None:
    client.force_login(user)
    reply = client.get(path)
    policy = {name: sources for name, *sources in map(str.split, reply["Content-Security-Policy"].split(";"))}
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    assert policy["script-src"] == ["'self'"]
    assert (reply["X-Content-Type-Options"], reply["X-Frame-Options"]) == ("nosniff", "DENY")
    assert reply["Referrer-Policy"] == "same-origin"
    kind, _, charset = reply["Content-Type"].partition("; ")
    assert charset == "charset=utf-8" if kind.startswith("text/") else kind == "application/json"
    assert not {"Server", "X-Powered-By", "Access-Control-Allow-Origin"} & set(reply.headers)


def test_other_origins_are_offered_nothing(client: Client, user: User) -> None:
    client.force_login(user)
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    for reply in (client.get("/api/v1/studies", headers=headers), client.options("/api/v1/studies", headers=headers)):
        assert not [name for name in reply.headers if name.lower().startswith("access-control-")]


def test_the_api_refuses_other_content_types_and_methods(user: User) -> None:
    client = Client(headers={"Authorization": f"Token {new_api_token(user, 'script', scope='write')[1]}"})
    for kind in ("text/plain", "application/xml", "application/x-www-form-urlencoded"):
        assert client.generic("POST", "/api/v1/studies", "title=x", content_type=kind).status_code == 415, kind
    for method in ("PUT", "DELETE", "TRACE"):
        assert client.generic(method, "/api/v1/studies").status_code == 405, method


@pytest.mark.parametrize("path", ["/console/", "/accounts/login/", "/", "/healthz"])
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "INVENTED"])
def test_pages_have_no_other_methods(client: Client, user: User, path: str, method: str) -> None:
    client.force_login(user)
    reply = client.generic(method, path)
    assert (reply.status_code, reply["Allow"]) == (405, "GET, HEAD, POST")


# ── cookies ───────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_with_tls_cookies_belong_to_this_host_only(tmp_path: Path) -> None:
    names = ["SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "COOKIE_PREFIX", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"]
    code = f"import json; from annotate import settings as s; print(json.dumps([getattr(s, n) for n in {names}]))"

    def read(site: str) -> list[Any]:
        environment = {**os.environ, "ACCORD_SITE_URL": site, "ACCORD_DATA": str(tmp_path)}
        ran = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        values: list[Any] = json.loads(ran.stdout)
        return values

    assert read("https://annotate.example.org") == ["__Host-sessionid", "__Host-csrftoken", "__Host-", True, True]
    assert read("http://127.0.0.1:8000") == ["sessionid", "csrftoken", "", False, False]


def test_cookies_with_the_prefix_have_what_browsers_demand(client: Client, user: User, settings: Any) -> None:
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    settings.COOKIE_PREFIX, settings.SECURE = "__Host-", True
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    client = Client()
    client.get("/accounts/login/")
    sign_in(client, user)
    study = make_study()
    client.post(f"/join/{study.join_token}", {"person": "new"})
    assert {"__Host-sessionid", "__Host-csrftoken"} <= set(client.cookies)
    for name in set(client.cookies) - {"messages"}:  # signed, and no session
        cookie = client.cookies[name]
        assert name.startswith("__Host-"), name
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", ""), name


# ── accounts ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_token_needs_the_password_once_more(client: Client, user: User) -> None:
    sign_in(client, user)
    token = {"name": "x", "scope": "read", "days": "30"}
    asked = client.post("/console/tokens/", token)
    assert asked["Location"] == "/accounts/reauthenticate/?next=%2Fconsole%2Ftokens%2F"
    assert not user.api_tokens.exists()
    wrong = client.post(asked["Location"], {"password": "wrong", "next": "/console/tokens/"})
    assert (wrong.status_code, user.api_tokens.exists()) == (200, False)
    client.post(asked["Location"], {"password": PASSWORD, "next": "/console/tokens/"})
    assert user.api_tokens.get().name == "x"  # the form does not have to be filled in again


@pytest.mark.parametrize(
    ("password", "accepted"),
    [
        ("a" * 64 + "lakes of tin", True),
        ("lake " * 25 + "tin", True),
        ("lake " * 25 + "tint", False),
        ("🌊🏔️ seven lakes", True),
        ("湖は七つあり錫の湖である。", True),
    ],
)
def test_a_password_is_any_text_of_12_to_128_characters(
    client: Client, user: User, password: str, accepted: bool
) -> None:
    sign_in(client, user)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": password, "password2": password})
    user.refresh_from_db()
    assert user.check_password(password) is accepted


def test_a_new_password_needs_the_old_one(client: Client, user: User) -> None:
    sign_in(client, user)
    new = "seven lakes of tin"
    client.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": new, "password2": new})
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
