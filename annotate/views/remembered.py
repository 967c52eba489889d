"""Who an annotator is, without an account: a signed cookie for each study holds their participation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from annotate.models import Assignment, Participation, Study

YEAR = 365 * 24 * 3600
MINUTE = 60


def remember(response: HttpResponse, participation: Participation) -> HttpResponse:
    """Let this browser go on as `participation` in its study."""
    response.set_signed_cookie(
        _cookie(participation.study),
        str(participation.pk),
        salt="participation",
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SECURE,
    )
    return response


def remembered(request: HttpRequest, study: Study) -> Participation | None:
    """The participation that this browser has in the study; None for a stranger or a cookie that is not ours."""
    kept = request.get_signed_cookie(_cookie(study), default="", salt="participation", max_age=YEAR)
    if not kept:
        return None
    return Participation.objects.select_related("study", "annotator").filter(pk=int(kept), study=study).first()


def hand_over_code(response: HttpResponse, study: Study, code: str) -> HttpResponse:
    """Give a resume code to the next page in a cookie: the server itself keeps no code that could be read."""
    response.set_signed_cookie(
        _code_cookie(study), code, salt="code", max_age=MINUTE, httponly=True, samesite="Lax", secure=settings.SECURE
    )
    return response


def handed_over_code(request: HttpRequest, study: Study) -> str:
    """The resume code that was made a moment ago and is not yet shown; empty where there is none."""
    return request.get_signed_cookie(_code_cookie(study), default="", salt="code", max_age=MINUTE) or ""


def forget_code(response: HttpResponse, study: Study) -> HttpResponse:
    """Show no resume code twice."""
    response.delete_cookie(_code_cookie(study), samesite="Lax")
    return response


def participation_or_404(request: HttpRequest, public_id: str) -> Participation:
    """The browser's participation in the study; a stranger is told the same as of a study that does not exist."""
    participation = remembered(request, get_object_or_404(Study, public_id=public_id))
    if participation is None:
        raise Http404("no such study")
    return participation


def assignment_or_404(request: HttpRequest, public_id: str) -> Assignment:
    """The assignment, if it is this browser's own; another's is as unknown as one that never was."""
    assignment = get_object_or_404(Assignment.objects.select_related("study"), public_id=public_id)
    participation = remembered(request, assignment.study)
    if participation is None or participation.pk != assignment.participation_id:
        raise Http404("no such assignment")
    assignment.participation = participation
    return assignment


def for_annotators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """What is not there, or not theirs, is answered with a page that leads annotators back to their work."""

    @wraps(view)
    def explained(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return render(request, "404.html", status=404)

    return explained


def _cookie(study: Study) -> str:
    return f"accord-{study.public_id}"


def _code_cookie(study: Study) -> str:
    return f"{_cookie(study)}-code"
