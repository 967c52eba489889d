"""The view that lets annotators download their own data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.people.selectors.own_data import own_data
from annotate.web.pages.remembered import for_annotators, participation_or_404


@for_annotators
@never_cache
@require_safe
def download(request: HttpRequest, study_id: str) -> HttpResponse:
    """Return, as JSON, all data that the study stores about the annotator who uses this browser."""
    participation = participation_or_404(request, study_id)
    response = JsonResponse(own_data(participation), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{participation.pseudonym}.json"'
    return response
