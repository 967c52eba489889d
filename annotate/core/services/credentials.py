"""Tokens, codes and links that grant access to Accord. Credentials issued to people are signed, and the database stores
only hashes of them.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from annotate.models import ApiToken, Participation, Study, User
from annotate.models.ids import public_id
from annotate.server import clock
from annotate.server.refusals import Refused

TOKEN_SECONDS = 12 * 3600
TOKEN_DAYS = 365  # the longest validity of an API token
RESERVATION_SECONDS = 3600
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's alphabet, without letters that look like digits


def participation_token(participation: Participation) -> str:
    """Return the token that annotators' pages send with their requests, because cookies do not work in frames."""
    return clock.Signer(salt="participation").sign_object(participation.public_id)


def read_participation_token(token: str) -> str:
    """Return the public ID in the signed token. Raises `Refused` (401) if the token is forged, expired or outdated."""
    try:
        public_id = clock.Signer(salt="participation").unsign_object(token, max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        public_id = None
    if not isinstance(public_id, str):
        raise Refused("token", _("This page has been open for too long. Reload the page to continue."), status=401)
    return public_id


def reserve_participation(study: Study) -> str:
    """Return a signed public ID for a join form, so that submitting the form twice creates only one participation."""
    return signing.dumps(public_id(), salt=f"reservation {study.public_id}")


def reserved_participation(study: Study, value: str) -> str | None:
    """Return the public ID that one of this study's join pages reserved, or None if the reservation is missing, forged
    or expired.
    """
    try:
        return str(signing.loads(value, salt=f"reservation {study.public_id}", max_age=RESERVATION_SECONDS))
    except signing.BadSignature:
        return None


def new_resume_code() -> tuple[str, str]:
    """Create a code for continuing on another device, such as `7KQ2-M9XC-4TRB`. Return the code and its hash."""
    code = _grouped("".join(secrets.choice(_LETTERS) for _ in range(12)))
    return code, resume_hash(code)


def resume_hash(code: str) -> str:
    """Return the hash of a resume code. Case and spaces in a code are ignored, and similar-looking characters are
    treated as equal, because people type codes by hand.
    """
    return salted_hmac("resume code", normalized_code(code), algorithm="sha256").hexdigest()


def group_code(public_id: str) -> str:
    """Return the code in the link for the group with this public ID, such as `7KQ2-M9XC-4TRB`."""
    return _derived("annotate.group-code", public_id)


def payment_code(public_id: str) -> str:
    """Return the code on the receipt of the participation with this public ID, such as `7KQ2-M9XC-4TRB`. Only the
    annotator sees the code, so annotators who send it can be paid although Accord does not store who they are.
    """
    return _derived("annotate.payment-code", public_id)


def same_code(code: str, entered: str) -> bool:
    """Return whether a person has entered this code. Case, spaces and similar-looking characters are ignored."""
    return constant_time_compare(normalized_code(code), normalized_code(entered))


def _derived(salt: str, public_id: str) -> str:
    digest = salted_hmac(salt, public_id, algorithm="sha256").digest()
    return _grouped("".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:12]))


def normalized_code(code: str) -> str:
    """Return the letters and digits of a code as a person may have typed it."""
    letters = code.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    return "".join(letter for letter in letters if letter in _LETTERS)


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + 4] for at in (0, 4, 8))


def new_api_token(
    user: User, name: str, *, scope: str = ApiToken.Scope.WRITE, study: Study | None = None, days: int = TOKEN_DAYS
) -> tuple[ApiToken, str]:
    """Create an API token that is valid for `days` days. Return the token and its key, which is shown only once."""
    key = secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name[:80],
        hash=api_token_hash(key),
        scope=scope,
        study=study,
        expires_at=clock.now() + timedelta(days=days),
    )
    return token, key


def api_token_hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class _LoginLinks(PasswordResetTokenGenerator):
    """Generator of sign-in links. A sign-in link works only once, because it depends on the time of
    the last sign-in.
    """

    key_salt = "annotate.login-link"


_links = _LoginLinks()


def login_path(user: User) -> str:
    """Return a single-use path that signs this researcher in and is valid for `PASSWORD_RESET_TIMEOUT` seconds."""
    return f"/login/{user.public_id}/{_links.make_token(user)}/"


def user_for_login(public_id: str, token: str, *, lock: bool = False) -> User | None:
    """Return the researcher that the link signs in, or None if the link was used, has expired or was forged.

    With `lock`, other requests wait for the end of the transaction, so that two requests cannot use one link.
    """
    users = User.objects.select_for_update(no_key=True) if lock else User.objects
    user = users.filter(public_id=public_id, is_active=True).first()
    return user if user and _links.check_token(user, token) else None


class SignedLinks:
    """Links that contain a public ID and its signature, so that a copy of the database contains no working links."""

    def __init__(self, folder: str, salt: str, end: str = "") -> None:
        self._folder, self._end, self._signer = folder, end, signing.Signer(salt=salt)

    def token(self, public_id: str) -> str:
        """Return the signed public ID."""
        return self._signer.sign(public_id)

    def path(self, public_id: str) -> str:
        """Return the path of the link."""
        return f"/{self._folder}/{self.token(public_id)}{self._end}"

    def read(self, token: str) -> str:
        """Return the public ID in the token, or an empty string if the signature is invalid."""
        try:
            return self._signer.unsign(token)
        except signing.BadSignature:
            return ""


INVITATION_LINKS = SignedLinks("invitation", "annotate.invitation", "/")  # for researchers
PERSONAL_LINKS = SignedLinks("personal", "annotate.personal-link")  # for named annotators
WAITING_LINKS = SignedLinks("waiting", "annotate.waiting-link")  # for people on a waiting list


def signup_is_open() -> bool:
    return bool(settings.SIGNUP_OPEN)
