"""Researchers' accounts and their confirmed e-mail addresses."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from annotate.core.services.writing import write
from annotate.models import SignInEvent, User
from annotate.server.refusals import Refused

from .sign_in_log import note


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
