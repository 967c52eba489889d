"""Functions that choose the interface language for a request.

Annotators' pages are shown in the study's language if Accord is translated into it, and otherwise in a language that
the browser prefers. A cookie stores the language of the last study, so that the start page, the resume page and error
pages without a study are in the same language. All other pages are in English. The pages send their own language with
each API request, so the API needs no query to find it.
"""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

STUDY_PAGES = ("/a/", "/join/", "/s/")
OTHER_PAGES = ("/", "/resume")
FALLBACK = "en"
COOKIE_SECONDS = 90 * 86_400


def available(language: str) -> str | None:
    """Return the translation for a BCP 47 language tag, such as `de` for `de-AT`, or None if there is none."""
    try:
        return translation.get_supported_language_variant(language)
    except LookupError:
        return None


def show_in(language: str) -> None:
    """Use the study's language for the rest of this request if Accord is translated into that language."""
    if variant := available(language):
        translation.activate(variant)


def show_in_stored(request: HttpRequest) -> None:
    """For the rest of this request, use the language of the last study that this browser showed."""
    show_in(request.COOKIES.get(_cookie(), ""))


class InterfaceLanguage(LocaleMiddleware):
    """Choose the browser's preferred language for annotators' requests, and English for all other requests."""

    def process_request(self, request: HttpRequest) -> None:
        if for_annotators(request):
            super().process_request(request)
            if request.path in OTHER_PAGES or request.path.startswith("/resume/"):
                show_in_stored(request)
        else:
            translation.activate(FALLBACK)
            request.LANGUAGE_CODE = FALLBACK

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = translation.get_language()
        response = super().process_response(request, response)
        if language and request.path.startswith(STUDY_PAGES) and response.status_code < HTTPStatus.BAD_REQUEST:
            _store(language, request, response)
        return response


def _store(language: str, request: HttpRequest, response: HttpResponseBase) -> None:
    name = _cookie()
    if language != request.COOKIES.get(name):
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(name, language, COOKIE_SECONDS, secure=secure, httponly=True, samesite="Lax")


def _cookie() -> str:
    return f"{settings.COOKIE_PREFIX}study-language"


def for_annotators(request: HttpRequest) -> bool:
    """Return whether the request is for an annotator's page, or for the API with an annotator's token."""
    if request.path.startswith("/api/"):
        return request.headers.get("Authorization", "").lower().startswith("participation ")
    return request.path == "/" or request.path.startswith(("/resume", *STUDY_PAGES))
