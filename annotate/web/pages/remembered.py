"""Cookies for annotators without accounts. For each study, a signed cookie stores this browser's participations."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from annotate.models import Assignment, Participation, Study
from annotate.server.languages import show_in
from annotate.server.refusals import or_404

YEAR = 365 * 24 * 3600
MINUTE = 60
MOST_HELD = 10  # people who share a browser; further people need their resume codes


def remember(request: HttpRequest, response: HttpResponse, participation: Participation) -> HttpResponse:
    """Let this browser continue `participation`. The cookie keeps all other participations."""
    others = [public_id for public_id in _held(request, participation.study) if public_id != participation.public_id]
    return _hold(response, participation.study, [participation.public_id, *others][:MOST_HELD])


def forget(request: HttpRequest, response: HttpResponse, participation: Participation) -> HttpResponse:
    """Remove a participation from this browser. The annotator then needs a resume code to continue in this browser."""
    study = participation.study
    others = [public_id for public_id in _held(request, study) if public_id != participation.public_id]
    if others:
        return _hold(response, study, others)
    response.delete_cookie(_cookie(study), samesite="Lax")
    return response


def remembered(request: HttpRequest, study: Study) -> Participation | None:
    """Return this browser's last participation in the study, or None if the browser has no valid cookie."""
    held = _held(request, study)
    return _participations(study, held[:1]).first() if held else None


def remembered_as(request: HttpRequest, study: Study, *, platform: str, external_id: str) -> Participation | None:
    """Return the person's participation, or None if this browser's cookie does not contain it."""
    held = _participations(study, _held(request, study))
    return held.filter(annotator__platform=platform, annotator__external_id=external_id).first()


def hand_over_code(response: HttpResponse, study: Study, code: str) -> HttpResponse:
    """Pass a resume code to the next page in a cookie, because the server stores only a hash of it."""
    response.set_signed_cookie(
        _code_cookie(study), code, salt="code", max_age=MINUTE, httponly=True, samesite="Lax", secure=settings.SECURE
    )
    return response


def handed_over_code(request: HttpRequest, study: Study) -> str:
    """Return the new resume code from the cookie, or an empty string if the cookie is missing."""
    return request.get_signed_cookie(_code_cookie(study), default="", salt="code", max_age=MINUTE) or ""


def forget_code(response: HttpResponse, study: Study) -> HttpResponse:
    """Delete the cookie that contains the resume code, so that the code is shown only once."""
    response.delete_cookie(_code_cookie(study), samesite="Lax")
    return response


def participation_or_404(request: HttpRequest, public_id: str) -> Participation:
    """Return the browser's participation in the study, or raise the same error as for an unknown study."""
    study = get_object_or_404(Study, public_id=public_id)
    show_in(study.language)
    return or_404(remembered(request, study), "no such study")


def assignment_or_404(request: HttpRequest, public_id: str) -> Assignment:
    """Return the assignment if this browser's cookie contains its participation. Otherwise raise `Http404`."""
    assignments = Assignment.objects.select_related("participation__study", "participation__annotator")
    assignment = get_object_or_404(assignments, public_id=public_id)
    assignment.study = assignment.participation.study
    show_in(assignment.study.language)
    if assignment.participation.public_id not in _held(request, assignment.study):
        raise Http404("no such assignment")
    return assignment


def for_annotators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view so that errors with status 404 show a page from which annotators can return to their work."""

    @wraps(view)
    def explained(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return render(request, "404.html", status=404)

    return explained


def _held(request: HttpRequest, study: Study) -> list[str]:
    """Return the public IDs of the participations in the study's cookie, latest first. Return an empty list for a
    forged cookie.
    """
    value = request.get_signed_cookie(_cookie(study), default="", salt="participation", max_age=YEAR) or ""
    return value.split(".") if value else []


def _hold(response: HttpResponse, study: Study, public_ids: list[str]) -> HttpResponse:
    response.set_signed_cookie(
        _cookie(study),
        ".".join(public_ids),
        salt="participation",
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SECURE,
    )
    return response


def _participations(study: Study, public_ids: list[str]) -> QuerySet[Participation]:
    participations = Participation.objects.select_related("study", "annotator", "named")
    return participations.filter(public_id__in=public_ids, study=study)


def _cookie(study: Study) -> str:
    return f"{settings.COOKIE_PREFIX}accord-{study.public_id}"


def _code_cookie(study: Study) -> str:
    return f"{_cookie(study)}-code"
