"""Services that create and revoke API tokens for researchers' scripts."""

from __future__ import annotations

from annotate.core.services.credentials import TOKEN_DAYS, new_api_token
from annotate.core.services.writing import write
from annotate.models import ApiToken, SignInEvent, Study, User
from annotate.server.refusals import Refused

from .sign_in_log import note

MOST = 50


def make_token(
    user: User, name: str, *, scope: str = ApiToken.Scope.READ, study: Study | None = None, days: int = TOKEN_DAYS
) -> tuple[ApiToken, str]:
    """Create a token and its key, which is shown only once. Raises `Refused` for an invalid name or duration."""
    name = name.strip()
    if not name:
        raise Refused(
            "invalid", "Enter a name for the token.", status=400, fields={"name": ["Enter a name for the token."]}
        )
    if not 1 <= days <= TOKEN_DAYS:
        text = f"A token can be valid for 1 to {TOKEN_DAYS} days."
        raise Refused("invalid", text, status=400, fields={"days": [text]})
    with write():
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


def revoke_all_tokens(user: User) -> int:
    """Revoke all tokens of the user. Returns their number."""
    with write():
        deleted, _ = ApiToken.objects.filter(user=user).delete()
        if deleted:
            note(SignInEvent.Kind.TOKEN_REVOKED, user, f"{deleted} revoked by a new password")
        return deleted
