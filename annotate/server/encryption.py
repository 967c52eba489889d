"""Encryption of stored secrets, such as second-factor secrets, with keys that can be rotated."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def encrypt(text: str) -> str:
    """Encrypt and authenticate the text with the first key (Fernet: AES-128-CBC with HMAC-SHA256)."""
    return _keys().encrypt(text.encode()).decode("ascii")


def decrypt(encrypted: str) -> str:
    """Decrypt the text with any of the keys. Raise `ImproperlyConfigured` if no key can decrypt the text."""
    with _fitting():
        return _keys().decrypt(encrypted).decode()


def encrypt_anew(encrypted: str) -> str:
    """Re-encrypt the text with the first key. Raise `ImproperlyConfigured` if none of the keys can decrypt the text."""
    with _fitting():
        return _keys().rotate(encrypted).decode("ascii")


@contextmanager
def _fitting() -> Iterator[None]:
    try:
        yield
    except InvalidToken as error:
        raise ImproperlyConfigured(
            "Accord cannot decrypt a stored secret. Add the key that was used to encrypt the secret to "
            "ACCORD_ENCRYPTION_KEYS. If the secret was encrypted without this setting, add the SECRET_KEY that was "
            "used at that time."
        ) from error


def _keys() -> MultiFernet:
    """Return the keys in ACCORD_ENCRYPTION_KEYS, newest first, followed by the key derived from SECRET_KEY."""
    return MultiFernet([_fernet(key) for key in (*settings.ENCRYPTION_KEYS, settings.SECRET_KEY)])


def _fernet(key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"accord secrets").derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
