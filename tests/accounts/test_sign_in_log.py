"""Tests of the sign-in log, which stores the events of an account for 90 days, without secrets and with shortened
addresses.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from click.testing import CliRunner
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from annotate import tasks
from annotate.accounts import sessions, sign_in_limits
from annotate.commands.account import group
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import login_path
from annotate.models import SignInEvent, User
from annotate.studies.services.members import invitation_link, invite
from tests.factories import PASSWORD, UserFactory
from tests.signing_in import CODE, add_second_factor, code_of, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget_failures() -> None:
    cache.clear()


@pytest.fixture
def user() -> User:
    return UserFactory()


def lines(user: User | None = None) -> list[tuple[str, str]]:
    events = SignInEvent.objects.order_by("pk").filter(**({"user": user} if user else {}))
    return list(events.values_list("kind", "detail"))


def test_signing_in_and_out_with_a_second_factor(client: Client, user: User) -> None:
    secret = add_second_factor(user)
    sign_in(client, user)
    client.post(CODE, {"code": "000000"})
    client.post(CODE, {"code": code_of(secret)})
    client.post("/accounts/logout/")
    assert lines(user) == [("failed", "totp"), ("signed in", "password, totp"), ("signed out", "")]


def test_links_and_invitations_are_named(client: Client, user: User) -> None:
    client.post(login_path(user))
    path = (
        "/invitation/"
        + invitation_link(invite(None, email="ada@example.org", role="", user=SYSTEM)).partition("/invitation/")[2]
    )
    Client().post(path, {"name": "Ada", "password": PASSWORD, "repeated": PASSWORD})
    assert lines() == [("signed in", "link"), ("address confirmed", ""), ("signed in", "invitation")]


def test_a_failure_names_the_account_and_never_what_was_typed(client: Client, user: User) -> None:
    sign_in(client, user, "a mistyped secret")
    client.post("/accounts/login/", {"login": "secret@example.org", "password": "another secret"})
    assert lines() == [("failed", "password")] * 2
    assert list(SignInEvent.objects.order_by("pk").values_list("user", flat=True)) == [user.pk, None]
    assert "secret" not in str(list(SignInEvent.objects.values()))


def test_refusals_by_a_limit_are_recorded_once_a_minute(client: Client, user: User) -> None:
    for _ in range(sign_in_limits.FAILURES_PER_ADDRESS + 4):
        sign_in(client, user, "wrong")
    assert lines(user).count(("refused by a limit", "password")) == 1


@pytest.mark.parametrize(
    ("address", "kept"), [("192.0.2.77", "192.0.2.0"), ("2001:db8:1:2:3::4", "2001:db8:1::"), ("", "")]
)
def test_addresses_are_shortened(client: Client, user: User, address: str, kept: str) -> None:
    sign_in(client, user, REMOTE_ADDR=address)
    assert SignInEvent.objects.get().address == kept


def test_changes_to_the_account_are_recorded(client: Client, user: User) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    sign_in(client, user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/console/tokens/", {"name": "x", "scope": "read", "days": "30"})
    token = user.api_tokens.get()
    client.post(f"/console/tokens/{token.public_id}/revoke/")
    client.post("/console/tokens/", {"name": "y", "scope": "write", "days": "7"})
    new = "seven lakes of tin"
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert lines(user)[1:] == [
        ("token created", "read, 30 days"),
        ("token revoked", ""),
        ("token created", "write, 7 days"),
        ("token revoked", "1 revoked by a new password"),
        ("password changed", ""),
    ]


def test_a_session_that_ends_by_its_time_limit_is_recorded(
    client: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(sessions.clock, "seconds", lambda: now[0])
    sign_in(client, user)
    now[0] += 24 * 3600
    client.get("/console/")
    assert lines(user)[-1] == ("signed out", "time limit")


def test_lines_and_sessions_are_deleted_when_they_are_old(client: Client, user: User) -> None:
    for days in (0, 89, 91):
        sign_in(Client(), user)
        SignInEvent.objects.filter(pk=SignInEvent.objects.latest("pk").pk).update(
            at=timezone.now() - timedelta(days=days)
        )
    assert tasks.delete_old_sign_ins() == 1
    assert SignInEvent.objects.count() == 2


def test_operators_print_the_log(client: Client, user: User) -> None:
    sign_in(client, user)
    sign_in(Client(), UserFactory())
    printed = CliRunner().invoke(group, ["sign-in-log", user.email]).output
    assert printed.count("\n") == 1
    assert f"signed in\t{user.email}\t127.0.0.0\tpassword" in printed
    assert CliRunner().invoke(group, ["sign-in-log"]).output.count("\n") == 2


def test_the_log_outlives_the_account(client: Client, user: User) -> None:
    sign_in(client, user)
    user.delete()
    assert SignInEvent.objects.get().user is None
