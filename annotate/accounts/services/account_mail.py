"""E-mail messages that inform researchers of changes to their accounts, so that they notice changes made by someone
else.

The mail is sent when the entry in the sign-in log is written. This includes changes on the account's pages, in the
records and by an operator's command. Without a mail server, no mail is sent.
"""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string

from annotate.models import SignInEvent

Kind = SignInEvent.Kind
CHANGES = {
    Kind.PASSWORD_CHANGED: "The password for your account was changed.",
    Kind.FACTOR_ADDED: "A second factor was added to your account.",
    Kind.FACTOR_REMOVED: "A second factor was removed from your account.",
    Kind.CODES_RENEWED: "New recovery codes were created for your account.",
    Kind.TOKEN_CREATED: "An API token was created for your account.",
}
NEW_NETWORK = "Someone signed in to your account from a new network."


def mail_about(event: SignInEvent) -> None:
    """Send an e-mail message to the account's owner after a change of credentials or a sign-in from a new network.

    The mail is sent after the transaction. Errors from the mail server are logged and do not make the request fail.
    """
    change = NEW_NETWORK if _from_new_network(event) else CHANGES.get(Kind(event.kind))
    if not (change and event.user and settings.EMAIL_HOST):
        return
    context = {"event": event, "change": change, "site": settings.SITE_URL}
    text = render_to_string("console/mail/account_changed.txt", context)
    recipient = event.user.email

    def send() -> None:
        send_mail("Your Accord account", text, None, [recipient])

    transaction.on_commit(send, robust=True)


def _from_new_network(event: SignInEvent) -> bool:
    """Return whether the account has signed in before, but never from this network."""
    if event.kind != Kind.SIGNED_IN or not event.user or not event.address:
        return False
    earlier = SignInEvent.objects.filter(user=event.user, kind=Kind.SIGNED_IN).exclude(pk=event.pk)
    networks = set(earlier.exclude(address="").values_list("address", flat=True).distinct())
    return bool(networks) and event.address not in networks
