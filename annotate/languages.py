"""Functions that choose the interface language for a request.

Annotators' pages are shown in the study's language if Accord is translated into it, and otherwise in a language that
the browser prefers. All other pages are in English. The pages send their own language with each API request, so the API
needs no query to find it.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

ANNOTATOR_PAGES = ("/a/", "/join/", "/resume", "/s/")
FALLBACK = "en"


def available(language: str) -> str | None:
    """Return the translation for a BCP 47 language tag, such as `de` for `de-AT`, or None."""
    try:
        return translation.get_supported_language_variant(language)
    except LookupError:
        return None


def show_in(language: str) -> None:
    """Use the study's language for the rest of this request if Accord is translated into that language."""
    if variant := available(language):
        translation.activate(variant)


class InterfaceLanguage(LocaleMiddleware):
    """Choose the browser's preferred language for annotators' requests, and English for all other requests."""

    def process_request(self, request: HttpRequest) -> None:
        if _for_annotators(request):
            super().process_request(request)
        else:
            translation.activate(FALLBACK)
            request.LANGUAGE_CODE = FALLBACK


def _for_annotators(request: HttpRequest) -> bool:
    if request.path.startswith("/api/"):
        return request.headers.get("Authorization", "").lower().startswith("participation ")
    return request.path == "/" or request.path.startswith(ANNOTATOR_PAGES)
