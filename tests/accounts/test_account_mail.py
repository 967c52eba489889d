"""Tests that researchers get an e-mail after every kind of change to the credentials of their account."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from click.testing import CliRunner
from django.core import mail
from django.core.cache import cache
from django.test import Client

from annotate.commands.account import group
from annotate.models import User
from tests.factories import PASSWORD, UserFactory
from tests.signing_in import add_second_factor, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "seven lakes of tin"


@pytest.fixture(autouse=True)
def _mail_server(settings: Any) -> None:
    cache.clear()
    settings.EMAIL_HOST, settings.ACCOUNT_EMAIL_NOTIFICATIONS = "mail.example.org", True


@pytest.fixture
def user() -> User:
    user = UserFactory()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def signed_in(client: Client, user: User) -> Client:
    sign_in(client, user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def the_mail() -> str:
    """Return the text of the only e-mail."""
    (sent,) = mail.outbox
    return str(sent.body)


def test_a_new_password_of_ones_own(signed_in: Client, user: User) -> None:
    signed_in.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert "The password for your account was changed." in the_mail()
    assert mail.outbox[0].to == [user.email]
    assert NEW not in the_mail()


def test_a_new_password_by_an_administrator(client: Client, user: User) -> None:
    staff = UserFactory(is_staff=True, is_superuser=True)
    add_second_factor(staff)
    mail.outbox.clear()
    client.force_login(staff)
    client.post(f"/records/annotate/user/{user.pk}/password/", {"password1": NEW, "password2": NEW})
    assert "The password for your account was changed." in the_mail()


def test_a_second_factor_that_the_operator_removes(user: User) -> None:
    add_second_factor(user)
    mail.outbox.clear()
    CliRunner().invoke(group, ["remove-second-factor", user.email])
    assert not Authenticator.objects.filter(user=user).exists()
    assert "A second factor was removed from your account." in the_mail()
    assert "Changed by: the operator" in the_mail()


def test_a_new_api_token(signed_in: Client) -> None:
    signed_in.post("/console/tokens/", {"name": "x", "scope": "read", "days": "30"})
    assert "An API token was created" in the_mail()


def test_another_address(signed_in: Client, user: User) -> None:
    EmailAddress.objects.create(user=user, email="new@example.org", verified=True)
    signed_in.post("/accounts/email/", {"action_primary": "", "email": "new@example.org"})
    assert [sent.to for sent in mail.outbox] == [[user.email]]


def test_a_sign_in_from_a_new_network(user: User) -> None:
    for address in ("192.0.2.1", "192.0.2.77"):
        sign_in(Client(), user, REMOTE_ADDR=address)
    assert mail.outbox == []
    sign_in(Client(), user, REMOTE_ADDR="198.51.100.1")
    assert "from a new network" in the_mail()
    assert "198.51.100.0" in the_mail()


def test_a_mail_server_that_cannot_be_reached_stops_nothing(
    signed_in: Client, user: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError("the mail server is away")

    monkeypatch.setattr("annotate.accounts.services.send_mail", refuse)
    signed_in.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    user.refresh_from_db()
    assert user.check_password(NEW)
    assert "the mail server is away" in caplog.text


def test_without_a_mail_server_nothing_is_sent(signed_in: Client, settings: Any) -> None:
    settings.EMAIL_HOST, settings.ACCOUNT_EMAIL_NOTIFICATIONS = "", False
    signed_in.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert mail.outbox == []
