"""Links to reports for people outside the study: the pages of researchers, and the page that a link opens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accord_core.exchange.numbers import is_whole_number
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.models import Report, ReportShare, Study
from annotate.results.selectors.by_group import tables_by_group
from annotate.results.selectors.files import ReportFile, main_file
from annotate.results.selectors.reports import SIMULATED
from annotate.results.selectors.shares import ranking_of, shared_report, shares_of
from annotate.results.services import hash_of, restore_share, revoke_share, share_report
from annotate.server.refusals import Refused, or_404
from annotate.tasktypes import RESULTS
from annotate.web.attachments import attachment
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.flood import limit_shared_reports
from annotate.web.pages.undo import notify_with_undo

from .reports import contents_of

FIGURES = 3  # at the top of the page


@require_safe
@never_cache
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show a report's conclusion and main figures. If the link shows items, also show their ranking and offer the main
    file. The page contains no pseudonyms and no gold questions.

    Unknown, expired and revoked links get the same status 404.
    """
    try:
        limit_shared_reports(request)
    except Refused as refusal:
        refused = {"title": "Too many links were opened", "why": refusal.message}
        return render(request, "web/invitation_over.html", refused, status=refusal.status)
    share = or_404(shared_report(hash_of(token)), "no such link")
    report, study = share.report, share.report.study
    with _in_english(request):
        shown = contents_of(study, report).context
        file = main_file(study, report) if share.with_items else None
        context = {
            "study": study,
            "task": tasktypes.get(study.task_type).name,
            "report": report,
            "simulated": report.parameters.get(SIMULATED, 0),
            "expires_at": share.expires_at,
            "conclusion": shown.get("conclusion"),
            "figures": (shown.get("figures") or shown.get("first_figures") or [])[:FIGURES],
            "tables_by_group": tables_by_group(report),
            "ranking": ranking_of(study, report) if share.with_items else None,
            "file": file,
            "checksum": _checksum(file) if file else report.input_sha256,
            "token": token,
        }
        response = render(request, "results/shared_report.html", context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@require_safe
@never_cache
def shared_file(request: HttpRequest, token: str, filename: str) -> HttpResponseBase:
    """Return the main file of a report whose link shows items."""
    try:
        limit_shared_reports(request)
    except Refused as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain; charset=utf-8")
    share = or_404(shared_report(hash_of(token)), "no such link")
    file = main_file(share.report.study, share.report) if share.with_items else None
    if file is None or file.name != filename:
        raise Http404("no such file")
    response = attachment(file.write(), file.name, file.content_type)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@contextmanager
def _in_english(request: HttpRequest) -> Iterator[None]:
    with translation.override("en"):
        request.LANGUAGE_CODE = "en"
        yield


def _checksum(file: ReportFile) -> str:
    sha256 = hashlib.sha256()
    for chunk in file.write():
        sha256.update(chunk)
    return sha256.hexdigest()


DAYS = (7, 30, 90, 365)


@study_page(Action.SHARE_REPORTS)
@require_http_methods(["GET", "HEAD", "POST"])
def shares(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show the links to a report. A POST request creates a link and shows its URL, which is not stored."""
    report = _report_to_share(study, number)
    file = main_file(study, report)
    lists_items = bool(tasktypes.get(study.task_type).reports.ranking)
    context = {"study": study, "report": report, "days": DAYS, "file": file, "lists_items": lists_items}
    status = 200
    if request.method == "POST":
        try:
            days = int(request.POST["days"]) if is_whole_number(request.POST.get("days", "")) else 0
            with_items = "with_items" in request.POST
            share, token = share_report(report.pk, days=days, with_items=with_items, user=request.user)
        except Refused as refusal:
            context["refusal"], status = refusal.message, 422
        else:
            address = request.build_absolute_uri(reverse("shared-report", args=[token]))
            context |= {"created": share, "address": address}
            status = 201
    return render(request, "results/shares.html", {**context, "shares": shares_of(report)}, status=status)


@study_page(Action.REVOKE_REPORT_LINKS)
@require_POST
def revoke(request: ConsoleRequest, study: Study, number: int, share: str) -> HttpResponse:
    """Revoke a link, so that nobody can open it any more."""
    stored = get_object_or_404(ReportShare, report=_report_to_share(study, number), public_id=share)
    revoke_share(stored.pk, user=request.user)
    stored.refresh_from_db()
    notify_with_undo(
        request,
        "The link was revoked and no longer shows the report.",
        address=reverse("console:restore-report-share", args=[study.public_id, number, share]),
        seen=stored.revoked_at if request.console.may[Action.SHARE_REPORTS] else None,
    )
    return redirect("console:report-shares", study.public_id, number)


@study_page(Action.SHARE_REPORTS)
@require_POST
def restore(request: ConsoleRequest, study: Study, number: int, share: str) -> HttpResponse:
    """Undo the revocation of a link."""
    stored = get_object_or_404(ReportShare, report=_report_to_share(study, number), public_id=share)
    try:
        restore_share(stored.pk, seen=request.POST.get("seen", ""), user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, "The link shows the report again.")
    return redirect("console:report-shares", study.public_id, number)


def _report_to_share(study: Study, number: int) -> Report:
    report = study.reports.filter(kind=RESULTS, number=number).defer("input", "result", "people").first()
    if report is None or not report.judgements:
        raise Http404("no such report")
    return report
