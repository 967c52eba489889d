"""Requests to Prolific's API. Each request goes to a public address, has a time limit and follows no
redirects.

The API is documented at https://docs.prolific.com/api-reference. The token comes from the environment, and never
appears in logs, error messages or tables.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings

from accord_core.exchange.prolific import SubmissionReport, read_status, read_time
from annotate.server.outgoing import connection_to
from annotate.server.public_addresses import NotPublic

SECONDS = 30.0
LARGEST = 8_000_000  # bytes of a response
PAGE = 100
MOST_PAGES = 200
APPROVED_AT_ONCE = 500
LONGEST_ERROR = 400
# With these statuses, Prolific has definitely not carried out the request.
REFUSED = frozenset([400, 401, 402, 403, 404, 405, 422, 429])
REPLAY_SECONDS = 300


class ProlificError(Exception):
    """Error raised if Prolific does not carry out a request. `certain` is whether the request had no effect: without a
    response or after an internal error, Prolific may have carried out the request.
    """

    def __init__(self, message: str, *, certain: bool) -> None:
        super().__init__(message)
        self.message = message
        self.certain = certain


def create_draft(study: Mapping[str, Any]) -> str:
    """Create a draft of a study, and return Prolific's ID for the study. A draft is not visible to participants.

    A draft with the same internal name, which an interrupted request created, is returned instead of a second draft.
    """
    for draft in _pages("/studies/", {"state": "UNPUBLISHED"}):
        if draft.get("internal_name") == study["internal_name"]:
            return _id_in(draft)
    return _id_in(_call("POST", "/studies/", study))


def pause(prolific_study: str) -> bool:
    """Pause a study on Prolific, so that it offers no more places. Return False if the study is not active there."""
    path = f"/studies/{quote(prolific_study, safe='')}/"
    study = _call("GET", path)
    if not isinstance(study, dict) or study.get("status") != "ACTIVE":
        return False
    _call("POST", f"{path}transition/", {"action": "PAUSE"})
    return True


def submissions(prolific_study: str) -> list[SubmissionReport]:
    """Return all submissions of a study on Prolific."""
    return [_report(each) for each in _pages("/submissions/", {"study": prolific_study})]


def approve(submission_ids: Sequence[str]) -> None:
    """Approve submissions. Approving the same submission again has no effect."""
    for start in range(0, len(submission_ids), APPROVED_AT_ONCE):
        body = {"submission_ids": list(submission_ids[start : start + APPROVED_AT_ONCE])}
        _call("POST", "/submissions/bulk-approve/", body)


def set_up_bonuses(prolific_study: str, csv_bonuses: str) -> str:
    """Set up bonus payments without paying them, and return Prolific's ID for the payments."""
    return _id_in(
        _call("POST", "/submissions/bonus-payments/", {"study_id": prolific_study, "csv_bonuses": csv_bonuses})
    )


def pay_bonuses(payments: str) -> None:
    """Pay bonuses that have been set up. Prolific pays again if this request is repeated, so the caller must never send
    the request twice.
    """
    _call("POST", f"/bulk-bonus-payments/{quote(payments, safe='')}/pay/", {})


def is_signed(body: bytes, timestamp: str, signature: str, *, secret: str, now: float) -> bool:
    """Return whether Prolific has sent this event: whether the signature is the HMAC-SHA256 of the time and the body,
    and the time is at most five minutes from `now`.
    """
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 12):
        return False
    if abs(now - int(timestamp)) > REPLAY_SECONDS:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), signature.encode())


def _pages(path: str, query: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield a list's entries, page by page."""
    for page in range(1, MOST_PAGES + 1):
        answer = _call("GET", f"{path}?{urlencode({**query, 'page': page, 'page_size': PAGE})}")
        entries = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ProlificError("Prolific's response contains no list of results.", certain=True)
        yield from entries
        if len(entries) < PAGE:
            return
    raise ProlificError(f"The list on Prolific has more than {MOST_PAGES * PAGE:,} entries.", certain=True)


def _report(entry: Mapping[str, Any]) -> SubmissionReport:
    """Return a submission from the JSON that Prolific sends. The keys for the participant and the code differ between
    lists and single submissions.
    """
    try:
        code = str(entry.get("study_code") or entry.get("entered_code") or "")[:128]
        taken = entry.get("time_taken")
        return SubmissionReport(
            submission_id=str(entry["id"])[:64],
            participant_id=str(entry.get("participant_id") or entry["participant"])[:64],
            status=read_status(str(entry["status"])),
            code=code,
            started_at=read_time(str(entry.get("started_at") or "")),
            completed_at=read_time(str(entry.get("completed_at") or "")),
            reviewed_at=read_time(str(entry.get("reviewed_at") or "")),
            seconds=round(float(taken)) if taken is not None else None,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ProlificError(f"Prolific returned a submission that Accord cannot read: {error}", certain=True) from error


def _id_in(answer: Any) -> str:
    found = answer.get("id") if isinstance(answer, dict) else None
    if not isinstance(found, str) or not 0 < len(found) <= 64:
        raise ProlificError("Prolific's response contains no ID.", certain=False)
    return found


def _call(method: str, path: str, body: Any = None) -> Any:
    """Send a request, and return the JSON in the response (None for an empty response). Raise `ProlificError`."""
    headers = {
        "Authorization": f"Token {settings.PROLIFIC_TOKEN}",
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "Accord/1",
        "Connection": "close",
    }
    content = None if body is None else json.dumps(body).encode()
    try:
        connection, target = connection_to(f"{settings.PROLIFIC_API}{path}", SECONDS)
    except NotPublic as error:
        raise ProlificError(str(error), certain=True) from error
    try:
        with connection.deadline():
            connection.request(method, target, content, headers)
            with connection.getresponse() as response:
                answer = response.read(LARGEST + 1)
    except TimeoutError as error:
        raise ProlificError(f"Prolific did not respond within {SECONDS:g} seconds.", certain=False) from error
    except (OSError, http.client.HTTPException) as error:
        raise ProlificError(f"The request to Prolific failed: {type(error).__name__}.", certain=False) from error
    finally:
        connection.close()
    return _result(response.status, answer)


def _result(status: int, answer: bytes) -> Any:
    if not 200 <= status < 300:
        text = answer[:LONGEST_ERROR].decode("utf-8", "replace").replace("\x00", "").strip()
        raise ProlificError(f"Prolific responded with status {status}. {text}".strip(), certain=status in REFUSED)
    if len(answer) > LARGEST:
        raise ProlificError(f"Prolific's response is larger than {LARGEST:,} bytes.", certain=False)
    try:
        return json.loads(answer) if answer.strip() else None
    except (ValueError, RecursionError) as error:
        raise ProlificError("Prolific's response is not valid JSON.", certain=False) from error
