"""The public leaderboard (/systems/<study>/), which lists the systems published by a manager. The page shows no other
data from the study.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.selectors.systems import public_table


@require_safe
@never_cache
def systems(request: HttpRequest, study: str) -> HttpResponse:
    """Show the public leaderboard. Caches must not store this page, because the leaderboard can become private."""
    public, table = public_table(study)
    return render(request, "evaluation/systems_public.html", {"public": public, "table": table})
