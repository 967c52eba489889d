"""What no page has to think of again."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase


def plain_paths(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer 404 for an address with a NUL in its path or query: no id has one, and PostgreSQL refuses to look."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/api/"):  # answers in its own form
            return get_response(request)
        if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise Http404("no address has a NUL")
        return get_response(request)

    return answer
