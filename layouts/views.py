"""The empty page that runs a study's layout. It receives its HTML from the page around it."""

from __future__ import annotations

from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from layouts.policy import SCRIPT, policy, read_token


@require_safe
@xframe_options_sameorigin
def frame(request: HttpRequest, token: str) -> HttpResponse:
    """Return the page for a frame. The page contains no study data, so it can be opened without signing in."""
    try:
        options = read_token(token)
    except BadSignature as error:
        raise Http404("The URL of the frame is not valid.") from error
    response = render(request, "layouts/frame.html", {"script": SCRIPT})
    response["Content-Security-Policy"] = policy(options["hosts"], scripts=options["scripts"])
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "private, max-age=86400"
    return response
