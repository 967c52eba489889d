"""Middleware that checks every request before a view runs."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_cache_control

COMPRESSED = ("text/", "application/json", "application/vnd.oai.openapi")
GetResponse = Callable[[HttpRequest], HttpResponseBase]
PAGES, OTHERS_OF_API = ("GET", "HEAD", "POST"), ("PUT", "PATCH", "DELETE", "OPTIONS")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class PlainText:
    """Middleware that rejects NUL characters in URLs (404) and form fields (400), because PostgreSQL cannot store them.

    The API makes these checks itself, because API errors have a different format.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        nul = "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", "")
        if nul and not _of_api(request):
            raise Http404("The URL contains a NUL character.")
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: object) -> None:
        if request.method == "POST" and request.content_type in FORMS and not _of_api(request):
            fields = ((name, *values) for name, values in request.POST.lists())
            if any("\x00" in text for field in fields for text in field):
                raise BadRequest("A form field contains a NUL character.")


class Compression(GZipMiddleware):
    """Middleware that compresses pages and the API's replies for clients that accept gzip.

    Attackers could guess secrets of a page from its compressed length (BREACH). Django therefore adds padding of random
    length, and masks CSRF tokens. Streamed downloads are left to the proxy, because an error in their first part must
    still change the status.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(COMPRESSED):
            return response
        return super().process_response(request, response)


def plain_cookies(get_response: GetResponse) -> GetResponse:
    """Ignore cookies that contain a NUL character, because PostgreSQL cannot search for a session key that contains
    NUL.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        for name in [name for name, value in request.COOKIES.items() if "\x00" in value]:
            del request.COOKIES[name]
        return get_response(request)

    return answer


def not_stored(get_response: GetResponse) -> GetResponse:
    """Prevent browsers and proxies from storing responses, unless the view says for how long.

    Browsers can store static files, because WhiteNoise returns static files before this middleware runs. A browser that
    opens an API response saves the response as a file instead of showing it.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, no_store=True, private=True)
        if _of_api(request) and response.get("Content-Type", "").startswith("application/json"):
            response.setdefault("Content-Disposition", 'attachment; filename="api.json"')
        return response

    return answer


def known_methods(get_response: GetResponse) -> GetResponse:
    """Return status 405 for request methods that no page accepts. API views check the request method themselves."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.method not in (*PAGES, *(OTHERS_OF_API if _of_api(request) else ())):
            return HttpResponseNotAllowed(PAGES)
        return get_response(request)

    return answer


def _of_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
