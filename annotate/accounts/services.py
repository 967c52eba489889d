"""Services for researchers' accounts: confirmed addresses, API tokens, second factors, the sign-in log, and e-mails
about changes to the account.

The e-mail is sent when the entry in the sign-in log is written. This includes changes on the account's pages, in the
records and by an operator's command. Without a mail server, none is sent.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import timezone

from annotate.core.services.credentials import TOKEN_DAYS, new_api_token
from annotate.core.services.writing import write
from annotate.models import ApiToken, SignInEvent, Study, User
from annotate.models.encrypted import EncryptedField
from annotate.server import encryption
from annotate.server.addresses import client_address
from annotate.server.refusals import Refused, invalid
from annotate.server.requests import shortened

Kind = SignInEvent.Kind
CHANGES = {
    Kind.PASSWORD_CHANGED: "The password for your account was changed.",
    Kind.FACTOR_ADDED: "A second factor was added to your account.",
    Kind.FACTOR_REMOVED: "A second factor was removed from your account.",
    Kind.CODES_RENEWED: "New recovery codes were created for your account.",
    Kind.TOKEN_CREATED: "An API token was created for your account.",
    Kind.SSO_CONNECTED: "Single sign-on was connected to your account.",
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
    text = render_to_string("accounts/mail/account_changed.txt", context)
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


def create_account(email: str, *, name: str = "", password: str | None = None) -> User:
    """Create an account with a confirmed address. The caller must have verified the address with a personal link, or
    received it from an operator.

    Raises `Refused` (`taken`) if an account with this address exists.
    """
    email = email.strip().lower()
    taken = Refused("taken", f"An account with the address {email} already exists. Sign in to that account.")
    with write():
        if User.objects.filter(email=email).exists() or account_of(email):
            raise taken
        try:
            with transaction.atomic():
                user = User.objects.create_user(email, password, name=name)
        except IntegrityError as error:  # another request has created the account in the meantime
            raise taken from error
        confirm_address(user)
        return user


def confirm_address(user: User) -> None:
    """Confirm the user's address. Raises `Refused` (`taken`) if the address is confirmed for another account."""
    with write():
        if EmailAddress.objects.filter(email=user.email, verified=True).exclude(user=user).exists():
            raise Refused("taken", f"The address {user.email} is already confirmed for another account.")
        address, _ = EmailAddress.objects.get_or_create(user=user, email=user.email)
        address.verified = True
        address.primary = not EmailAddress.objects.filter(user=user, primary=True).exclude(pk=address.pk).exists()
        address.save(update_fields=["verified", "primary"])
        note(SignInEvent.Kind.ADDRESS_CONFIRMED, user)


def account_of(email: str) -> User | None:
    """Return the active account with this confirmed address, or None if there is none."""
    address = EmailAddress.objects.filter(email=email.strip().lower(), verified=True, user__is_active=True).first()
    return address.user if address else None


SECRETS = ("secret", "seed")  # of a TOTP authenticator and of recovery codes


def encrypt_anew() -> int:
    """Re-encrypt the secrets of second factors and all encrypted fields with the first key. Returns how many rows were
    re-encrypted.
    """
    count = 0
    with write():
        for field in (field for model in apps.get_models() for field in model._meta.fields):
            if isinstance(field, EncryptedField):
                for row in field.model._base_manager.select_for_update().order_by("pk"):
                    setattr(row, field.name, encryption.encrypt_anew(getattr(row, field.name)))
                    row.save(update_fields=[field.name])
                    count += 1
        for authenticator in Authenticator.objects.select_for_update():
            data = authenticator.data
            for name in SECRETS:
                if name in data:
                    data[name] = encryption.encrypt_anew(data[name])
            authenticator.save(update_fields=["data"])
            count += 1
    return count


def remove_second_factors(user: User) -> int:
    """Remove all of the user's second factors and recovery codes. Returns their number."""
    with write():
        deleted, _ = Authenticator.objects.filter(user=user).delete()
        if deleted:
            note(SignInEvent.Kind.FACTOR_REMOVED, user, "by the operator")
        return int(deleted)


MOST = 50


def make_token(
    user: User, name: str, *, scope: str = ApiToken.Scope.READ, study: Study | None = None, days: int = TOKEN_DAYS
) -> tuple[ApiToken, str]:
    """Create a token and its key, which is shown only once. Raises `Refused` for an invalid name or duration."""
    name = name.strip()
    if not name:
        raise invalid("name", "Enter a name for the token.")
    if not 1 <= days <= TOKEN_DAYS:
        raise invalid("days", f"A token can be valid for 1 to {TOKEN_DAYS} days.")
    with write():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # requests at once would count the same tokens
        if user.api_tokens.count() >= MOST:
            raise Refused("too-many", f"You already have {MOST} tokens. Revoke tokens that you no longer use.")
        token = new_api_token(user, name, scope=scope, study=study, days=days)
        note(SignInEvent.Kind.TOKEN_CREATED, user, f"{scope}, {days} days")
        return token


def revoke_token(user: User, public_id: str) -> None:
    """Revoke the token if it belongs to the user."""
    with write():
        deleted, _ = ApiToken.objects.filter(user=user, public_id=public_id).delete()
        if deleted:
            note(SignInEvent.Kind.TOKEN_REVOKED, user)


def revoke_all_tokens(user: User, reason: str = "a new password") -> int:
    """Revoke all tokens of the user. The sign-in log names the reason. Returns the number of tokens."""
    with write():
        deleted, _ = ApiToken.objects.filter(user=user).delete()
        if deleted:
            note(SignInEvent.Kind.TOKEN_REVOKED, user, f"{deleted} revoked by {reason}")
        return deleted
