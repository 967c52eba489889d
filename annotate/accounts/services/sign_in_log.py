"""Services that add entries to the sign-in log and delete old entries."""

from __future__ import annotations

import logging
from datetime import timedelta

from allauth.core import context
from django.conf import settings
from django.utils import timezone

from annotate.core.services.writing import write
from annotate.models import SignInEvent, User
from annotate.server.addresses import client_address
from annotate.server.requests import shortened

from .account_mail import mail_about

log = logging.getLogger("accord.signin")


def note(kind: str, user: User | None, detail: str = "") -> None:
    """Add an entry to the sign-in log, with the network of the current request. `detail` must not contain secrets.

    The account's owner gets an e-mail if the credentials change.
    """
    request = context.request
    address = shortened(client_address(request)) if request else ""
    with write():
        event = SignInEvent.objects.create(kind=kind, user=user, address=address, detail=detail[:100])
        mail_about(event)
    who = user.public_id if user else "unknown"
    log.info("%s", kind, extra={"account": who, "network": address, "detail": detail[:100]})


def delete_old_entries() -> int:
    """Delete sign-in log entries older than `ACCORD_SIGN_IN_LOG_DAYS`. Returns the number of deleted entries."""
    with write():
        oldest = timezone.now() - timedelta(days=settings.SIGN_IN_LOG_DAYS)
        deleted, _ = SignInEvent.objects.filter(at__lt=oldest).delete()
        return deleted
