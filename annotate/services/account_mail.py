"""Mail to researchers about changes to their accounts, so that they notice changes that are not theirs.

It is sent with the line of the sign-in log, so it comes whatever way the change was made: on the account's pages, in
the records or by an operator's command. Without a mail server nothing is sent.
"""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string

from annotate.models import SignInEvent

Kind = SignInEvent.Kind
CHANGES = {
    Kind.PASSWORD_CHANGED: "The password of your account was changed.",
    Kind.FACTOR_ADDED: "A second factor was added to your account.",
    Kind.FACTOR_REMOVED: "A second factor of your account was removed.",
    Kind.CODES_RENEWED: "New recovery codes were created for your account.",
    Kind.TOKEN_CREATED: "An API token was created for your account.",
}
NEW_NETWORK = "Someone signed in to your account from a network that was not used for it before."


def mail_about(event: SignInEvent) -> None:
    """Mail the holder of the account if the event changes their credentials or is a sign-in from a new network.

    The mail leaves after the transaction. A mail server that cannot be reached is logged and stops nothing.
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
    """Whether the log has sign-ins of this account, and none of them from this network."""
    if event.kind != Kind.SIGNED_IN or not event.user or not event.address:
        return False
    earlier = SignInEvent.objects.filter(user=event.user, kind=Kind.SIGNED_IN).exclude(pk=event.pk)
    networks = set(earlier.exclude(address="").values_list("address", flat=True).distinct())
    return bool(networks) and event.address not in networks
