"""The page of a shared report (/shared/<token>/), for people outside the study."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.results.selectors.report_shares import shared_figures
from annotate.results.selectors.report_shares import shared_report as share_with
from annotate.results.services.report_shares import hash_of
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_shared_reports


@require_safe
@never_cache
def shared_report(request: HttpRequest, token: str) -> HttpResponse:
    """Show a report's main figures, but no item texts, IDs or pseudonyms.

    Unknown, expired and revoked links get the same status 404.
    """
    try:
        limit_shared_reports(request)
    except Refused as refusal:
        refused = {"title": "Too many links were opened", "why": refusal.message}
        return render(request, "console/invitation_over.html", refused, status=refusal.status)
    share = share_with(hash_of(token))
    if share is None:
        raise Http404("no such link")
    with translation.override("en"):
        request.LANGUAGE_CODE = "en"
        study = share.report.study
        context = {
            "title": study.title,
            "task": tasktypes.get(study.task_type).name,
            "number": share.report.number,
            "calculated_at": share.report.created_at,
            "expires_at": share.expires_at,
            "tables": shared_figures(share.report),
        }
        response = render(request, "console/shared_report.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
