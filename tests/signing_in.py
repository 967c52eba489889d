"""Functions that sign in through the real pages with a second factor, for tests of accounts."""

from __future__ import annotations

import time

from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.http import HttpResponse
from django.test import Client

from annotate.models import User
from tests.factories import PASSWORD

LOGIN, CODE = "/accounts/login/", "/accounts/2fa/authenticate/"
PERIOD = 30  # seconds for which an authenticator shows a code


def sign_in(client: Client, user: User, password: str = PASSWORD, **headers: str) -> HttpResponse:
    """Send the address and the password. An account with a second factor must then send a code."""
    return client.post(LOGIN, {"login": user.email, "password": password}, **headers)


def add_second_factor(user: User) -> str:
    """Add a TOTP authenticator to the user, and return its secret."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def code_of(secret: str) -> str:
    """Return the code that an authenticator currently shows, and that is valid for at least three more seconds."""
    remaining = PERIOD - time.time() % PERIOD
    if remaining < 3:
        time.sleep(remaining)
    return format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD))


def is_signed_in(client: Client) -> bool:
    return client.get("/console/tokens/").status_code == 200
