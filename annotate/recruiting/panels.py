"""Panels other than Prolific: the participant's ID in the study's URL, its signature, and the return address.

A panel adds the participant's ID to the study's URL, and can sign it with a key that belongs to the study. Anyone can
invent an ID without a signature, so such an ID gives no access to an existing participation.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from annotate.models import Participation, Study
from annotate.server.refusals import Refused

ID = re.compile(r"[A-Za-z0-9._~@:=+-]{1,100}")
SIGNATURE = "signature"  # the parameter with the signature of the ID
GROUP = "GROUP"  # the parameter with the code of a group, also on Prolific
PLACES = ("{code}", "{pid}")  # in the return address
_is_https = URLValidator(schemes=["https"])
_has_no_braces = RegexValidator(r"[{}]", inverse_match=True)


@dataclass(frozen=True)
class Panel:
    """A panel whose parameter for the ID is known. `query` is the query that researchers add to the study's URL there,
    or an empty string if the panel adds the ID itself.
    """

    name: str
    query: str


PANELS = {
    "pid": Panel("Another panel", "pid=ID"),
    "participantId": Panel("CloudResearch Connect", ""),
    "survey_code": Panel("SONA", "survey_code=%SURVEY_CODE%"),
}


def panel_url(join_url: str, study: Study) -> str:
    """Return the URL that researchers enter on the panel."""
    query = PANELS[study.identity_parameter].query
    return f"{join_url}?{query}" if query else join_url


def group_parameter(study: Study, code: str) -> str:
    """Return the text with a group's code that researchers add to the end of the study's URL on the panel."""
    has_query = study.recruitment != Study.Recruitment.PANEL or PANELS[study.identity_parameter].query
    return f"{'&' if has_query else '?'}{GROUP}={code}"


def signing_key(study: Study) -> str:
    """Return the key with which the panel signs IDs: 64 hexadecimal digits, derived from the server's key."""
    return salted_hmac("annotate.panel-key", study.public_id, algorithm="sha256").hexdigest()


def signature(study: Study, participant: str) -> str:
    """Return the signature of an ID: the HMAC-SHA256 of the ID with the study's key, in hexadecimal digits."""
    return hmac.new(signing_key(study).encode(), participant.encode(), hashlib.sha256).hexdigest()


def is_signed(study: Study, participant: str, given: str) -> bool:
    """Return whether the signature confirms the ID. Raises `Refused` (`panel-id`) for an invalid ID, a wrong signature,
    or a missing signature if the study accepts only signed IDs.
    """
    verified = given != "" and constant_time_compare(signature(study, participant), given.lower())
    if not ID.fullmatch(participant) or (given and not verified) or (study.identity_signed and not verified):
        raise invalid_id()
    return verified


def invalid_id() -> Refused:
    """Return the refusal for a link without a valid ID."""
    message = _("This link does not contain a valid ID. Open the study again from the page that sent you here.")
    return Refused("panel-id", message, status=403)


def other_id() -> Refused:
    """Return the refusal for a second ID in the same browser."""
    message = _(
        "Someone has already taken part in this study in this browser with another ID. If it was not you, open the "
        "link in another browser."
    )
    return Refused("panel-other-id", message, status=403)


def return_address(participation: Participation) -> str:
    """Return the address at which the annotator returns to the panel, or an empty string if the study has none."""
    study = participation.study
    values = (study.completion_code, participation.annotator.external_id)
    address = study.return_url
    for place, value in zip(PLACES, values, strict=True):
        address = address.replace(place, quote(value, safe=""))
    return address


def panel_errors(study: Study) -> dict[str, list[str]]:
    """Return the errors in the study's settings for panels, by setting."""
    errors: dict[str, list[str]] = {}
    if study.recruitment == Study.Recruitment.PANEL and study.admission != Study.Admission.ANONYMOUS:
        errors["recruitment"] = ["can be another panel only if anyone with the link can join"]
    without_places = study.return_url.replace("{code}", "code").replace("{pid}", "id")
    try:
        if study.return_url:
            _is_https(without_places)
            _has_no_braces(without_places)
            # An annotator's link could otherwise contain an ID that changes the host.
            _has_no_braces(urlsplit(study.return_url).netloc)
    except ValidationError:
        errors["return_url"] = [
            "must be an https:// address. Its only placeholders are {code} and {pid}, which must follow the host"
        ]
    if "{code}" in study.return_url and not study.completion_code:
        errors["completion_code"] = ["is missing, but the return address contains {code}"]
    return errors
