"""The pages at /help/: the list of guides, the guides themselves, the search and the pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from annotate.server.refusals import or_404

from .guides import FIRST_STEPS, PICTURES, all_guides, for_researchers, guide
from .search import search

LONGEST_QUERY = 200
PICTURE_TYPES = {".png": "image/png", ".webp": "image/webp"}


def in_english(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a page so that it is always in English, like the guides."""

    @wraps(view)
    def page(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        with translation.override("en"):
            request.LANGUAGE_CODE = "en"
            return view(request, **kwargs)

    return require_safe(page)


@in_english
def guides(request: HttpRequest) -> HttpResponse:
    """Show the list of guides or, with the parameter `q`, the sections that contain the words in `q`."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    listed, researchers = all_guides(), for_researchers()
    context = {
        "query": query,
        "hits": search(query),
        "first_steps": [each for each in listed if each.slug in FIRST_STEPS],
        "for_researchers": [each for each in listed if each.slug in researchers],
        "for_developers": [each for each in listed if each.slug not in FIRST_STEPS + researchers],
    }
    return render(request, "help/guides.html", context)


@in_english
def show_guide(request: HttpRequest, slug: str) -> HttpResponse:
    shown = or_404(guide(slug), "no such guide")
    return render(request, "help/guide.html", {"guide": shown})


@in_english
def privacy_notice(request: HttpRequest) -> HttpResponse:
    """Show the privacy notice template, which the guides refer to."""
    text = Path(settings.SHARED_DIR, "examples", "privacy.md").read_text(encoding="utf-8")
    return render(request, "help/privacy_notice.html", {"text": text})


@require_safe
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """Return a picture from a guide."""
    kind = PICTURE_TYPES.get(Path(name).suffix)
    if kind is None or name not in {file.name for file in PICTURES.iterdir()}:
        raise Http404("no such picture")
    return HttpResponse((PICTURES / name).read_bytes(), content_type=kind)
