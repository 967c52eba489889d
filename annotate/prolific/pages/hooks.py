"""The endpoint to which Prolific sends events (/hooks/prolific/). Each event is signed with the workspace's secret."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accord_core.exchange.prolific import read_status
from annotate.prolific.remote_api import is_signed
from annotate.prolific.services.submissions import ID, store_status
from annotate.server import clock
from annotate.web.body_limits import body_limit

EVENT = "submission.status.change"


@csrf_exempt
@require_POST
@body_limit("form")
def prolific_hook(request: HttpRequest) -> HttpResponse:
    """Store the status in an event. Other events are ignored. Return status 404 if this server has no secret."""
    secret = settings.PROLIFIC_HOOK_SECRET
    if not secret:
        raise Http404("no secret")
    timestamp = request.headers.get("X-Prolific-Request-Timestamp", "")
    signature = request.headers.get("X-Prolific-Request-Signature", "")
    if not is_signed(request.body, timestamp, signature, secret=secret, now=clock.now().timestamp()):
        return _error(401, "signature", "The signature is wrong, or the event is more than five minutes old.")
    try:
        event = json.loads(request.body)
    except (ValueError, RecursionError):
        return _error(400, "invalid", "The event is not valid JSON.")
    if isinstance(event, dict) and event.get("event_type") == EVENT:
        return _store(event, _time_of(request.headers.get("X-Timestamp", ""), timestamp))
    return HttpResponse(status=204)


def _store(event: dict[str, Any], at: datetime) -> HttpResponse:
    submission, participant = (str(event.get(name) or "") for name in ("resource_id", "participant_id"))
    try:
        status = read_status(str(event.get("status") or ""))
    except ValueError as error:
        return _error(400, "invalid", str(error))
    if ID.fullmatch(submission) and ID.fullmatch(participant):
        store_status(submission, participant, status, at=at)
    return HttpResponse(status=204)


def _time_of(stated: str, signed: str) -> datetime:
    """Return the time of the event, but no later than that of Prolific's request.

    Prolific repeats events that could not be delivered, so an event can be older than its request.
    """
    sent = datetime.fromtimestamp(int(signed), UTC)
    if stated.isascii() and stated.isdigit() and len(stated) < 12:
        return min(sent, datetime.fromtimestamp(int(stated), UTC))
    return sent


def _error(status: int, code: str, message: str) -> JsonResponse:
    return JsonResponse({"code": code, "message": message, "fields": {}}, status=status)
