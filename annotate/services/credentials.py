"""Secrets that let somebody in, and how they are kept: signed where the holder carries them, hashed where we do."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.utils.crypto import salted_hmac

from annotate import clock
from annotate.models import ApiToken, Invitation, Participation, Study, User
from annotate.models.ids import public_id
from annotate.refusals import Refused

TOKEN_SECONDS = 12 * 3600
TOKEN_DAYS = 365  # the longest validity of an API token
RESERVATION_SECONDS = 3600
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: nothing that reads like something else


def participation_token(participation: Participation) -> str:
    """What an annotator's page hands to its modules; cookies are not there inside other sites' frames."""
    return clock.Signer(salt="participation").sign_object(participation.public_id)


def read_participation_token(token: str) -> str:
    """The participation's public ID. Raises `Refused` (401) if the token is forged, expired or from an old version."""
    try:
        public_id = clock.Signer(salt="participation").unsign_object(token, max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        public_id = None
    if not isinstance(public_id, str):
        raise Refused("token", "This page has been open for too long; reload it to go on.", status=401)
    return public_id


def reserve_participation(study: Study) -> str:
    """A signed public ID for the form of a join page, so that sending the form twice creates one participation."""
    return signing.dumps(public_id(), salt=f"reservation {study.public_id}")


def reserved_participation(study: Study, value: str) -> str | None:
    """The public ID that a join page of this study reserved, or None if it is missing, forged or expired."""
    try:
        return str(signing.loads(value, salt=f"reservation {study.public_id}", max_age=RESERVATION_SECONDS))
    except signing.BadSignature:
        return None


def new_resume_code() -> tuple[str, str]:
    """A code to continue on another device, as in `7KQ2-M9XC-4TRB`, and the hash that is kept of it."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(12))
    code = "-".join(letters[at : at + 4] for at in (0, 4, 8))
    return code, resume_hash(code)


def resume_hash(code: str) -> str:
    """Forgiving about case, spaces and look-alikes, since people type it."""
    letters = code.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    return salted_hmac("resume code", "".join(c for c in letters if c in _LETTERS), algorithm="sha256").hexdigest()


def new_api_token(
    user: User, name: str, *, scope: str = ApiToken.Scope.WRITE, study: Study | None = None, days: int = TOKEN_DAYS
) -> tuple[ApiToken, str]:
    """Create an API token that is valid for `days`. The second value is the key, which is only shown once."""
    key = secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user, name=name[:80], hash=api_token_hash(key), scope=scope, study=study,
        expires_at=clock.now() + timedelta(days=days),
    )  # fmt: skip
    return token, key


def api_token_hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class _LoginLinks(PasswordResetTokenGenerator):
    """Tied to the last login, so that a link works once."""

    key_salt = "annotate.login-link"


_links = _LoginLinks()


def login_path(user: User) -> str:
    """A path that signs this researcher in, once, within `PASSWORD_RESET_TIMEOUT`."""
    return f"/login/{user.public_id}/{_links.make_token(user)}/"


def user_for_login(public_id: str, token: str) -> User | None:
    """The researcher whom the link signs in, or None if the link was used, has expired or was forged."""
    user = User.objects.filter(public_id=public_id, is_active=True).first()
    return user if user and _links.check_token(user, token) else None


_invitations = signing.Signer(salt="annotate.invitation")


def invitation_path(invitation: Invitation) -> str:
    """The path of the personal link. The invitation's row determines whether the link still works."""
    return f"/invitation/{_invitations.sign(invitation.public_id)}/"


def read_invitation(token: str) -> str:
    """The public ID in the link. Empty if the signature is wrong."""
    try:
        return _invitations.unsign(token)
    except signing.BadSignature:
        return ""


def signup_is_open() -> bool:
    return bool(settings.SIGNUP_OPEN)
