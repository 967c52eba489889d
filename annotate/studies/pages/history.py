"""The history page, which shows a study's audit log and versions of its guidelines, and the jobs page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.selectors.jobs import jobs_with_reports
from annotate.core.services.jobs import action_of, request_job
from annotate.models import Job, Study
from annotate.studies.selectors import changes_in, events_of, lines_of, verbs_of, versions_of
from annotate.web.pages.access import ConsoleRequest, study_page

HISTORY_PAGE = 15


@study_page()
@require_safe
def history(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the audit log, newest entries first. The query parameters `verb` and `who` filter the log entries."""
    chosen = {name: request.GET.get(name, "").strip() for name in ("verb", "who")}
    page = Paginator(events_of(study, **chosen), HISTORY_PAGE).get_page(request.GET.get("page"))
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
    return render(request, "studies/history.html", context)


@study_page()
@require_safe
def guidelines(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show what changed in a version of the guidelines."""
    version = get_object_or_404(study.guidelines, version=number)
    context = {"study": study, "version": version, "previous": version.version - 1, "parts": changes_in(version)}
    return render(request, "studies/guidelines.html", context)


JOBS_PAGE = 50


@study_page()
@require_safe
def jobs(request: ConsoleRequest, study: Study) -> HttpResponse:
    page = Paginator(jobs_with_reports(study), JOBS_PAGE).get_page(request.GET.get("page"))
    return render(request, "studies/jobs.html", {"study": study, "page": page})


@study_page()
@require_safe
def job(request: ConsoleRequest, study: Study, job: str) -> HttpResponse:
    """Render the progress of one job. While a job is unfinished, its page keeps requesting the progress."""
    row = get_object_or_404(jobs_with_reports(study), public_id=job)
    response = render(request, "studies/job.html", {"study": study, "job": row})
    if row.state in (Job.State.DONE, Job.State.FAILED):
        response["HX-Trigger"] = "job-ended"  # the page around the job loads its contents again
    return response


@study_page(back="jobs/")
@require_POST
def again(request: ConsoleRequest, study: Study, job: str) -> HttpResponse:
    """Restart a failed job."""
    failed = get_object_or_404(study.jobs, public_id=job, state=Job.State.FAILED)
    action, parameters = action_of(failed), dict(failed.parameters)
    if action is None:
        raise Http404("no application runs this kind of job")
    request.console.require(action)
    request_job(study, parameters.pop("work"), parameters=parameters, user=request.user)
    return redirect(f"{request.console.home}jobs/")
