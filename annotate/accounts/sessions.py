"""Time limits on researchers' sessions, which apply to inactivity and to the total duration.

Annotators have no session. A signed cookie for each study identifies them (`annotate/web/pages/remembered.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from annotate.models import User
from annotate.server import clock

SIGNED_IN_AT, ACTIVE_AT = "signed_in_at", "active_at"  # seconds since 1970
NOTED_EVERY = 60  # seconds: activity is written to the session at most this often


def time_limited(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Sign researchers out if their session or their inactivity exceeds its time limit."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            now = clock.seconds()
            if _is_over(request, now):
                request.sign_out_reason = "time limit"  # type: ignore[attr-defined]
                logout(request)
                if request.headers.get("HX-Request"):  # reload the whole page, which asks the user to sign in
                    return HttpResponse(headers={"HX-Refresh": "true"})
            else:
                _note_activity(request, now)
        return get_response(request)

    return answer


def end_sessions(user: User) -> None:
    """Sign the user out in all browsers."""
    for session in Session.objects.filter(expire_date__gt=clock.now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


@receiver(user_logged_in)
def _begin(sender: Any, request: HttpRequest, **_: Any) -> None:
    request.session[SIGNED_IN_AT] = request.session[ACTIVE_AT] = clock.seconds()


def _is_over(request: HttpRequest, now: float) -> bool:
    signed_in_at = request.session.setdefault(SIGNED_IN_AT, now)
    active_at = request.session.setdefault(ACTIVE_AT, now)
    return now - signed_in_at > settings.SESSION_LONGEST or now - active_at > settings.SESSION_IDLE


def _note_activity(request: HttpRequest, now: float) -> None:
    """Record the researcher's activity, except for requests from pages that update themselves."""
    if "X-Background" not in request.headers and now - request.session[ACTIVE_AT] > NOTED_EVERY:
        request.session[ACTIVE_AT] = now
