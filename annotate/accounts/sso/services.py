"""The rules of single sign-on: who may sign in, as which account, with which role, and who can sign in only there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from annotate.accounts.services import account_of, create_account, note, revoke_all_tokens
from annotate.accounts.sessions import end_sessions
from annotate.core.services.writing import write
from annotate.models import SignInEvent, User
from annotate.server.refusals import Refused

LONGEST_NAME = 120  # characters


def require_access(claims: Mapping[str, Any], account: User | None) -> None:
    """Raise `Refused` (`group`) if the person's groups give no access. The person's sessions, API tokens and role then
    end as well.

    `account` is the account that is already connected to the person's identity.
    """
    if not settings.SSO_GROUPS or groups_in(claims) & {*settings.SSO_GROUPS, *settings.SSO_STAFF_GROUPS}:
        return
    if account:
        _end_access(account)
    name = settings.SSO_NAME
    raise Refused(
        "group",
        f"Your groups at {name} do not give you access to Accord. Ask the administrator of this server.",
        status=403,
    )


def admit(claims: Mapping[str, Any], account: User | None) -> User:
    """Return the account with which the person may sign in, with the role that the person's groups determine.

    Without a connected account, one is created. If `ACCORD_SSO_CONNECT` is on, an existing account with the same
    confirmed address is returned instead. Raises `Refused` with the code `address`, `unconfirmed` or `taken`.
    """
    with write():
        account = account or _account_for(claims)
        if settings.SSO_STAFF_GROUPS:
            _set_role(account, is_administrator=bool(groups_in(claims) & set(settings.SSO_STAFF_GROUPS)))
        return account


def signs_in_at_issuer(account: User) -> bool:
    """Return whether the person can sign in only at the issuer, because there are no local accounts, the account has no
    password, or groups at the issuer determine access.
    """
    if not settings.SSO_ISSUER or settings.SSO_ONLY:
        return bool(settings.SSO_ONLY)
    if account.has_usable_password() and not settings.SSO_GROUPS:
        return False
    return bool(SocialAccount.objects.filter(user=account, provider=settings.SSO_ISSUER).exists())


def groups_in(claims: Mapping[str, Any]) -> set[str]:
    """Return the groups in the claim `ACCORD_SSO_GROUPS_CLAIM`: a list or one text. If no claim has this name, the
    parts between full stops are names of nested claims, such as `realm_access.roles`.
    """
    value: Any = claims.get(settings.SSO_GROUPS_CLAIM)
    if value is None:
        value = claims
        for part in settings.SSO_GROUPS_CLAIM.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    entries = value if isinstance(value, list) else [value]
    return {entry for entry in entries if isinstance(entry, str)}


def _account_for(claims: Mapping[str, Any]) -> User:
    """Return the account for a new identity."""
    email = str(claims.get("email") or "").strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise Refused(
            "address",
            f"{settings.SSO_NAME} sent no e-mail address. Add an address to your account there, then sign in again.",
        ) from None
    confirmed = claims.get("email_verified")
    if not (confirmed is True or confirmed == "true" or settings.SSO_TRUST_EMAIL):
        raise Refused(
            "unconfirmed",
            f"{settings.SSO_NAME} has not confirmed your address {email}. Confirm it there, then sign in again.",
        )
    if not User.objects.filter(email=email).exists() and not account_of(email):
        return create_account(email, name=str(claims.get("name") or "")[:LONGEST_NAME])
    account = account_of(email) if settings.SSO_CONNECT else None
    # If another person has received an address that was in use before, the old account does not become theirs.
    if account is None or SocialAccount.objects.filter(user=account, provider=settings.SSO_ISSUER).exists():
        raise _taken(email)
    note(SignInEvent.Kind.SSO_CONNECTED, account)
    return account


def _end_access(account: User) -> None:
    with write():
        revoke_all_tokens(account, "a change of groups")
        end_sessions(account)
        if settings.SSO_STAFF_GROUPS:
            _set_role(account, is_administrator=False)


def _taken(email: str) -> Refused:
    way = "Ask the administrator of this server" if settings.SSO_ONLY else "Sign in with its password"
    return Refused(
        "taken", f"An account with the address {email} already exists, but single sign-on cannot open it. {way}."
    )


def _set_role(account: User, *, is_administrator: bool) -> None:
    if (account.is_staff, account.is_superuser) == (is_administrator, is_administrator):
        return
    account.is_staff = account.is_superuser = is_administrator
    account.save(update_fields=["is_staff", "is_superuser"])
    note(SignInEvent.Kind.ROLE_CHANGED, account, "administrator" if is_administrator else "no longer administrator")
