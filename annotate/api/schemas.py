"""The JSON Schemas of downloaded files, which everyone can read."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotate.results.selectors.schemas import schema_names, schema_of


@require_safe
def index(request: HttpRequest) -> JsonResponse:
    """Return the path of each schema by its name, such as `bws/scores.csv`."""
    return JsonResponse({name: reverse("file-schema", args=[name]) for name in schema_names()})


@require_safe
def schema(request: HttpRequest, schema_name: str) -> JsonResponse:
    """Return the schema with this name."""
    found = schema_of(schema_name)
    if found is None:
        raise Http404
    return JsonResponse(found, content_type="application/schema+json", json_dumps_params={"ensure_ascii": False})
