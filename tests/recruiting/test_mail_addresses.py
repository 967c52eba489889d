"""Tests that links in e-mail messages begin with the address of the site, whatever address a request names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client

from annotate.models import User
from annotate.recruiting.services.join import issue_resume_code
from tests.factories import PASSWORD, UserFactory, make_study
from tests.signing_in import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
SITE = "https://annotate.example.org"


@pytest.fixture
def client(settings: Any) -> Client:
    """Return a client that names another host, another port and another protocol in every request."""
    cache.clear()
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.org", SITE
    settings.ACCOUNT_EMAIL_VERIFICATION, settings.SIGNUP_OPEN = "mandatory", True
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    return Client(
        headers={
            "Host": "localhost:6666",
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-Port": "6666",
            "X-Forwarded-Proto": "http",
            "Forwarded": "host=evil.example;proto=http",
        }
    )


@pytest.fixture
def user() -> User:
    user = UserFactory()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def check_mail(*, links: int) -> None:
    """Check that the last e-mail message has this number of links, and that its links all belong to the site."""
    message = mail.outbox[-1]
    text = f"{message.subject}\n{message.body}"
    assert "6666" not in text
    assert "evil.example" not in text
    assert "localhost" not in text
    assert len(re.findall(r"https?://", text)) == len(re.findall(re.escape(SITE) + r"(?=/|\s)", text)) == links, text


@pytest.mark.parametrize("known", [True, False])
def test_a_password_reset(client: Client, user: User, known: bool) -> None:
    client.post("/accounts/password/reset/", {"email": user.email if known else "nobody@example.org"})
    check_mail(links=1)


@pytest.mark.parametrize("known", [True, False])
def test_a_sign_up(client: Client, user: User, known: bool) -> None:
    email = user.email if known else "ada@example.org"
    client.post("/accounts/signup/", {"email": email, "password1": PASSWORD, "password2": PASSWORD})
    check_mail(links=1)


def test_changes_of_an_address(client: Client, user: User) -> None:
    sign_in(client, user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    mail.outbox.clear()
    client.post("/accounts/email/", {"email": "ada@example.org", "action_add": ""})
    for number in range(len(mail.outbox)):
        mail.outbox.append(mail.outbox[number])
        check_mail(links=len(re.findall("https?://", str(mail.outbox[-1].body))))
    assert any("/accounts/confirm-email/" in str(message.body) for message in mail.outbox)


def test_a_new_password(client: Client, user: User) -> None:
    sign_in(client, user)
    new = "seven lakes of tin"
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    check_mail(links=1)


def test_an_invitation(client: Client) -> None:
    study = make_study()
    client.force_login(study.memberships.get().user)
    client.post(f"/console/{study.public_id}/members/invite/", {"email": "ada@example.org", "role": "viewer"})
    check_mail(links=1)


def test_the_link_with_a_resume_code(client: Client) -> None:
    study = make_study()
    client.post(f"/join/{study.join_token}", {})
    code = issue_resume_code(study.participations.get().pk).code
    client.post(f"/s/{study.public_id}/code/mail", {"code": code, "email": "ada@example.org"})
    check_mail(links=1)
