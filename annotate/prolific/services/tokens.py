"""Functions that verify the signed tokens in Prolific's secured URLs.

Prolific signs each token with RS256, and publishes its keys as a JSON Web Key Set. A token confirms the IDs of the
participant, the study and the submission.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import jwt
from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.writing import write
from annotate.models import ProlificSubmission, Study
from annotate.prolific.selectors.settings import PLACEHOLDERS, linked_study
from annotate.prolific.services.submissions import ID, Arrival, borrowed, unconfirmed
from annotate.server import clock
from annotate.server.json_requests import NoResponse, get_json
from annotate.server.refusals import Refused

ALGORITHM = "RS256"
LONGEST_TOKEN = 8_000  # characters
KEYS = "prolific-keys"
KEYS_SECONDS = 24 * 3600
PAUSE_SECONDS = 60  # between two requests for the keys
LATEST = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
LEEWAY_SECONDS = 10  # by which the clocks of Prolific and Accord can differ
_log = logging.getLogger("annotate.prolific")


def verified_arrival(study: Study, token: str, *, url: str) -> Arrival:
    """Return the IDs confirmed by a signed token, and record its use.

    `url` is the URL of this study without its query, such as `https://accord.example.org/join/abc`. Raises `Refused`
    with the code `prolific-token` if the token is invalid, expired, for another server or another study, or already
    used, `prolific-id` if the submission belongs to another participant, `busy` if Prolific's keys are not available,
    or `archived`.
    """
    claims = _claims(token)
    expires = claims.get("exp")
    if isinstance(expires, bool) or not isinstance(expires, int | float):
        raise unconfirmed()
    if not clock.seconds() - LEEWAY_SECONDS < expires < LATEST:
        raise unconfirmed()
    if not _is_for(claims.get("aud"), url):
        raise unconfirmed()
    participant, prolific_study, submission = (_id(claims, name) for name in PLACEHOLDERS)
    if (linked := linked_study(study)) and linked != prolific_study:
        raise unconfirmed()  # other studies on Prolific can lead to this server, and researchers can create more
    arrival = Arrival(participant, prolific_study, submission, verified=True)
    _use(study, arrival, datetime.fromtimestamp(expires, UTC))
    return arrival


def _claims(token: str) -> dict[str, Any]:
    """Return a token's claims. Raise `Refused` unless one of Prolific's keys signed the token."""
    if len(token) > LONGEST_TOKEN:
        raise unconfirmed()
    try:
        header = jwt.get_unverified_header(token)
        if header.get("alg") != ALGORITHM or not isinstance(header.get("kid"), str):
            raise unconfirmed()
        # The expiry is compared with the database clock, and the audience is compared as an origin.
        options: Any = {"verify_exp": False, "verify_aud": False, "verify_iat": False, "verify_nbf": False}
        return jwt.decode(token, _key(header["kid"]).key, algorithms=[ALGORITHM], options=options)
    except (jwt.PyJWTError, ValueError) as error:
        raise unconfirmed() from error


def _key(kid: str) -> jwt.PyJWK:
    """Return Prolific's key with this ID. Raise `Refused` with the code `prolific-token` for an unknown key, or
    `busy`.
    """
    key = _with_id(cache.get(KEYS), kid)
    if key is None:
        key = _with_id(_new_keys(), kid)  # Prolific may have begun to use a new key
    if key is None:
        raise unconfirmed()
    return jwt.PyJWK(key, algorithm=ALGORITHM)


def _new_keys() -> Any:
    """Return Prolific's current keys, and cache them. Accord sends Prolific at most one request per `PAUSE_SECONDS`, so
    that forged tokens cannot cause many requests.
    """
    cached = cache.get(KEYS)
    if not cache.add(f"{KEYS}-requested", 1, PAUSE_SECONDS):
        if cached is None:
            raise _unavailable()
        return cached
    try:
        keys = get_json(settings.PROLIFIC_KEYS_URL)
    except NoResponse as error:
        _log.warning("The keys of Prolific are not available: %s", error)
        if cached is None:
            raise _unavailable() from error
        return cached
    cache.set(KEYS, keys, KEYS_SECONDS)
    return keys


def _with_id(keys: Any, kid: str) -> dict[str, Any] | None:
    """Return the RSA key with this ID from a key set, or None."""
    listed = keys.get("keys") if isinstance(keys, dict) else None
    candidates = [key for key in listed if isinstance(key, dict)] if isinstance(listed, list) else []
    return next((key for key in candidates if key.get("kid") == kid and key.get("kty") == "RSA"), None)


def _id(claims: dict[str, Any], name: str) -> str:
    ids = claims.get("prolific")
    value = ids.get(name) if isinstance(ids, dict) else None
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise unconfirmed()
    return value


def _is_for(audience: Any, url: str) -> bool:
    """Return whether a token's audience is this URL or its origin. Prolific sends one of the two, and a token for
    another study on this server must not open this study.
    """
    own = urlsplit(url)
    urls = audience if isinstance(audience, list) else [audience]
    try:
        parts = [urlsplit(each) for each in urls if isinstance(each, str)]
    except ValueError as error:
        raise unconfirmed() from error
    return any(
        (part.scheme, part.netloc) == (own.scheme, own.netloc) and part.path.rstrip("/") in ("", own.path.rstrip("/"))
        for part in parts
    )


def _use(study: Study, arrival: Arrival, expires_at: datetime) -> None:
    """Store the token's expiry with the submission. A token must expire later than the previous token. Otherwise it may
    have been used before, so it must not open the study in another browser.
    """
    with write():
        refuse_if_archived(study.pk)
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)  # two browsers cannot use a token at once
        submission = study.prolific_submissions.filter(submission_id=arrival.submission).first()
        if submission is None:
            submission = ProlificSubmission(
                study=study,
                participant_id=arrival.participant,
                prolific_study_id=arrival.prolific_study,
                submission_id=arrival.submission,
            )
        if submission.participant_id != arrival.participant:
            raise borrowed()
        if submission.token_expires_at and submission.token_expires_at >= expires_at:
            raise unconfirmed()
        submission.token_expires_at, submission.verified = expires_at, True
        submission.save()


def _unavailable() -> Refused:
    message = _("Your link could not be checked. Wait a minute, then open the study again from its Prolific page.")
    return Refused("busy", message, status=503)
