"""Tests that the secrets of second factors are stored encrypted, with keys that can be rotated."""

from __future__ import annotations

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from annotate.accounts.services import encrypt_anew, remove_second_factors
from annotate.server import encryption
from tests.factories import UserFactory
from tests.signing_in import CODE, add_second_factor, code_of, is_signed_in, sign_in

pytestmark = pytest.mark.django_db


def stored() -> str:
    return json.dumps(list(Authenticator.objects.values_list("data", flat=True)))


def test_the_database_holds_no_secret_as_plain_text(client: Client) -> None:
    user = UserFactory()
    secret = add_second_factor(user)
    codes = RecoveryCodes.activate(user)
    assert secret not in stored()
    assert encryption.decrypt(codes.instance.data["seed"]) not in stored()
    sign_in(client, user)
    client.post(CODE, {"code": code_of(secret)})
    assert is_signed_in(client)


def test_keys_rotate_without_signing_anybody_out_for_good(client: Client, settings) -> None:
    settings.ENCRYPTION_KEYS = ["the old key"]
    user = UserFactory()
    secret = add_second_factor(user)
    RecoveryCodes.activate(user)
    settings.ENCRYPTION_KEYS = ["the new key", "the old key"]
    assert encrypt_anew() == 2
    settings.ENCRYPTION_KEYS = ["the new key"]
    sign_in(client, user)
    client.post(CODE, {"code": code_of(secret)})
    assert is_signed_in(client)


def test_the_first_key_takes_over_from_the_secret_key(settings) -> None:
    secret = encryption.encrypt("JBSWY3DP")
    settings.ENCRYPTION_KEYS = ["a key of its own"]
    assert encryption.decrypt(secret) == "JBSWY3DP"
    again = encryption.encrypt_anew(secret)
    settings.SECRET_KEY = "another secret key"
    assert encryption.decrypt(again) == "JBSWY3DP"


def test_a_missing_key_is_named(settings) -> None:
    settings.ENCRYPTION_KEYS = ["one"]
    secret = encryption.encrypt("JBSWY3DP")
    settings.ENCRYPTION_KEYS = ["two"]
    with pytest.raises(ImproperlyConfigured, match="ACCORD_ENCRYPTION_KEYS"):
        encryption.decrypt(secret)


def test_a_changed_secret_is_refused() -> None:
    secret = encryption.encrypt("JBSWY3DP")
    with pytest.raises(ImproperlyConfigured):
        encryption.decrypt(secret[:-4] + "AAA=")


def test_a_lost_second_factor_is_removed_by_the_operator(client: Client) -> None:
    user = UserFactory()
    add_second_factor(user)
    assert remove_second_factors(user) == 1
    sign_in(client, user)
    assert is_signed_in(client)
