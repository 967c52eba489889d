"""Error pages in the study's language, for requests that fail before a view runs."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve

from annotate.models import Study
from annotate.server.languages import for_annotators, show_in

# Functions that return the matching studies for the URL parameters of annotators' pages. Codes do not identify a study.
STUDIES: dict[str, Callable[[str], QuerySet[Study]]] = {
    "token": lambda token: Study.objects.filter(join_token=token),
    "study_id": lambda public_id: Study.objects.filter(public_id=public_id),
    "assignment_id": lambda public_id: Study.objects.filter(participations__assignments__public_id=public_id),
}


def show_in_study_language(request: HttpRequest) -> None:
    """If the URL is one of a study's annotator pages, use the study's language for the rest of the request."""
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return
    if match.app_name != "annotator":
        return
    for name, value in match.kwargs.items():
        if name in STUDIES and (language := STUDIES[name](value).values_list("language", flat=True).first()):
            show_in(language)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Reject a form without a valid CSRF token. Django calls this view."""
    return error_page(request, "403_csrf.html", HTTPStatus.FORBIDDEN)


def bad_request(request: HttpRequest, exception: Any) -> HttpResponse:
    """Reject a malformed request. Django calls this view."""
    return error_page(request, "400.html", HTTPStatus.BAD_REQUEST)


def error_page(request: HttpRequest, template: str, status: HTTPStatus, **context: str) -> HttpResponse:
    """Render an error page in the study's language, with a link to the annotator's or researcher's start page.

    The page is rendered without the request, because an invalid request can make context processors fail.
    """
    show_in_study_language(request)
    page = render_to_string(template, {"for_annotators": for_annotators(request), **context})
    return HttpResponse(page, status=status)
