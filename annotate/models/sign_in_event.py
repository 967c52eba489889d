"""The sign-in log, which records sign-ins and other account events without secrets and with shortened network
addresses.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .times import DatabaseTimeField


class SignInEvent(models.Model):
    """One entry in the sign-in log, which is deleted after `ACCORD_SIGN_IN_LOG_DAYS` days.

    `user` is empty for attempts without an account. The entered address is not stored, because people may enter their
    password in the wrong field.
    """

    class Kind(models.TextChoices):
        SIGNED_IN = "signed in"
        FAILED = "failed"
        REFUSED = "refused by a limit"
        SIGNED_OUT = "signed out"
        PASSWORD_CHANGED = "password changed"  # noqa: S105 - the name of an event
        FACTOR_ADDED = "second factor added"
        FACTOR_REMOVED = "second factor removed"
        CODES_RENEWED = "recovery codes renewed"
        TOKEN_CREATED = "token created"  # noqa: S105
        TOKEN_REVOKED = "token revoked"  # noqa: S105
        ADDRESS_CONFIRMED = "address confirmed"
        SSO_CONNECTED = "single sign-on connected"
        ROLE_CHANGED = "role changed"

    at = DatabaseTimeField(auto_now_add=True, db_index=True)
    kind = models.CharField(max_length=24, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    # The first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address. Empty for commands.
    address = models.CharField(max_length=45, blank=True)
    detail = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.kind
