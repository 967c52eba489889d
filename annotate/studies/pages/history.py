"""The history page, which shows a study's audit log and the versions of its guidelines."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotate.models import Study
from annotate.studies.selectors import changes_in, events_of, lines_of, verbs_of, versions_of
from annotate.web.pages.access import ConsoleRequest, study_page

PAGE = 50


@study_page()
@require_safe
def history(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the audit log, newest entries first. The query parameters `verb` and `who` filter the log entries."""
    chosen = {name: request.GET.get(name, "").strip() for name in ("verb", "who")}
    page = Paginator(events_of(study, **chosen), PAGE).get_page(request.GET.get("page"))
    query = urlencode({name: value for name, value in chosen.items() if value})
    context = {
        "study": study,
        "page": page,
        "lines": lines_of(study, list(page)),
        "verbs": verbs_of(study),
        "versions": versions_of(study),
        "query": f"{query}&" if query else "",
        **chosen,
    }
    return render(request, "console/history.html", context)


@study_page()
@require_safe
def guidelines(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show what changed in a version of the guidelines."""
    version = get_object_or_404(study.guidelines, version=number)
    context = {"study": study, "version": version, "previous": version.version - 1, "parts": changes_in(version)}
    return render(request, "console/guidelines.html", context)
