"""Signal receivers that log sign-in events from Django, from allauth and from the sign-in limits."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.signals import email_confirmed
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed, authenticator_reset
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from annotate.accounts.services import note
from annotate.accounts.sign_in_limits import CODE, Secret, attempt_refused
from annotate.accounts.sso.adapter import METHOD
from annotate.models import SignInEvent, User
from annotate.models.user import password_changed

Kind = SignInEvent.Kind
NAMES = {METHOD: "single sign-on"}


@receiver(user_logged_in)
def _signed_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    steps = [record.get("type") or record["method"] for record in get_authentication_records(request, user)]
    note(Kind.SIGNED_IN, user, ", ".join(NAMES.get(step, step) for step in steps))


@receiver(user_login_failed)
def _password_failed(sender: Any, credentials: dict[str, Any], **_: Any) -> None:
    note(Kind.FAILED, _account(str(credentials.get("email") or credentials.get("username") or "")), "password")


@receiver(authentication_failed)
def _code_failed(sender: Any, user: User, authenticator: Authenticator, **_: Any) -> None:
    note(Kind.FAILED, user, authenticator.type)


@receiver(attempt_refused)
def _refused(sender: Any, secret: Secret, account: str, **_: Any) -> None:
    user = User.objects.filter(pk=int(account)).first() if secret == CODE else _account(account)
    note(Kind.REFUSED, user, secret.name)


@receiver(user_logged_out)
def _signed_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user:
        note(Kind.SIGNED_OUT, user, getattr(request, "sign_out_reason", ""))


@receiver(password_changed)
def _password_changed(sender: Any, user: User, **_: Any) -> None:
    note(Kind.PASSWORD_CHANGED, user)


@receiver(authenticator_added)
def _factor_added(sender: Any, user: User, authenticator: Authenticator, **_: Any) -> None:
    note(Kind.FACTOR_ADDED, user, authenticator.type)


@receiver(authenticator_removed)
def _factor_removed(sender: Any, user: User, authenticator: Authenticator, **_: Any) -> None:
    note(Kind.FACTOR_REMOVED, user, authenticator.type)


@receiver(authenticator_reset)
def _codes_renewed(sender: Any, user: User, **_: Any) -> None:
    note(Kind.CODES_RENEWED, user)


@receiver(email_confirmed)
def _address_confirmed(sender: Any, email_address: Any, **_: Any) -> None:
    note(Kind.ADDRESS_CONFIRMED, email_address.user)


def _account(email: str) -> User | None:
    return User.objects.filter(email=email.strip().lower()).first()
