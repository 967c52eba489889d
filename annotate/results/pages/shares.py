"""The page with a report's links (/console/<study>/results/<number>/share/)."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotate.core.permissions import Action
from annotate.exchange.numbers import is_whole_number
from annotate.models import Report, ReportShare, Study
from annotate.results.selectors.report_shares import shares_of
from annotate.results.services.report_shares import revoke_share, share_report
from annotate.server.refusals import Refused
from annotate.tasktypes import RESULTS
from annotate.web.pages.access import ConsoleRequest, study_page

DAYS = (7, 30, 90, 365)


@study_page(Action.SHARE_REPORTS)
@require_http_methods(["GET", "HEAD", "POST"])
def shares(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show the links to a report. A POST request creates a link and shows its URL, which is not stored."""
    report = _report(study, number)
    context = {"study": study, "report": report, "days": DAYS}
    status = 200
    if request.method == "POST":
        try:
            days = int(request.POST["days"]) if is_whole_number(request.POST.get("days", "")) else 0
            share, token = share_report(report.pk, days=days, user=request.user)
        except Refused as refusal:
            context["refusal"], status = refusal.message, 422
        else:
            address = request.build_absolute_uri(reverse("shared-report", args=[token]))
            context |= {"created": share, "address": address}
            status = 201
    return render(request, "console/shares.html", {**context, "shares": shares_of(report)}, status=status)


@study_page(Action.REVOKE_REPORT_LINKS)
@require_POST
def revoke(request: ConsoleRequest, study: Study, number: int, share: str) -> HttpResponse:
    """Revoke a link, so that nobody can open it any more."""
    stored = get_object_or_404(ReportShare, report=_report(study, number), public_id=share)
    revoke_share(stored.pk, user=request.user)
    messages.success(request, "The link was revoked and no longer shows the report.")
    return redirect("console:report-shares", study.public_id, number)


def _report(study: Study, number: int) -> Report:
    report = study.reports.filter(kind=RESULTS, number=number).defer("input", "result", "people").first()
    if report is None or not report.judgements:
        raise Http404("no such report")
    return report
