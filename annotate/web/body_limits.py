"""Endpoint-specific size limits for request bodies, checked before a body is read.

    @body_limit("upload")                  a view function
    class DraftView(AnnotatorView):        an API view
        body_limit = "answer"

The default limit is `form` for views and `json` for API views. The server reads at most `Content-Length` bytes, so a
client cannot send more than it states.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from annotate.templatetags.figures import size
from annotate.web.error_pages import error_page, show_in_study_language

View = TypeVar("View", bound=Callable[..., Any])
JSON = "application/json"


def body_limit(kind: str) -> Callable[[View], View]:
    """Return a decorator that limits a view's request bodies to `settings.BODY_LIMITS[kind]`. `body_limit` must be the
    innermost decorator.
    """

    def decorate(view: View) -> View:
        view.body_limit = kind  # type: ignore[attr-defined]
        return view

    return decorate


class BodyLimits:
    """Middleware that returns status 413 if a request body exceeds the endpoint's limit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *arguments: object) -> HttpResponse | None:
        limit = settings.BODY_LIMITS[_kind(request, view)]
        if _stated_size(request) <= limit:
            return None
        show_in_study_language(request)
        message = _("The request is larger than the limit of %(limit)s.") % {"limit": size(limit)}
        if _of_api(request):
            body = {"code": "too-large", "message": message, "fields": {}}
            return JsonResponse(body, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return error_page(request, "413.html", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message=message)


def _kind(request: HttpRequest, view: Any) -> str:
    kind: str = getattr(getattr(view, "cls", view), "body_limit", "form")
    if kind == "upload" and request.content_type == JSON:
        return "json_upload"  # JSON is parsed in memory; a file in a multipart form is not
    if kind == "upload" and not _of_api(request) and not request.user.is_authenticated:
        return "form"  # CSRF protection reads the form before the view checks the user
    return kind


def _of_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _stated_size(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0  # Django does not read the body of such a request
