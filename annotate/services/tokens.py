"""Keys for a researcher's scripts: made, and taken back."""

from __future__ import annotations

from annotate.models import ApiToken, User
from annotate.refusals import Refused

from .credentials import new_api_token
from .writing import write

MOST = 50


def make_token(user: User, name: str) -> tuple[ApiToken, str]:
    """A new key under a name that says what it is for; the second value is shown once and never again."""
    name = name.strip()
    if not name:
        raise Refused(
            "invalid", "Say what the token is for.", status=400, fields={"name": ["Say what the token is for."]}
        )
    with write():
        if user.api_tokens.count() >= MOST:
            raise Refused("too-many", f"You have {MOST} tokens; take one back that is not used any more.")
        return new_api_token(user, name)


def revoke_token(user: User, token_id: int) -> None:
    """Take a key back: programs that use it are turned away from now on. Somebody else's is not there."""
    with write():
        ApiToken.objects.filter(user=user, pk=token_id).delete()
