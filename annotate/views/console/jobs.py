"""/console/<study>/jobs/: long work, how far it is, and why it failed where it did."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.models import Job, Study
from annotate.refusals import Refused
from annotate.services.jobs import ask_for

from .access import ConsoleRequest, study_page

PAGE = 50


@study_page()
@require_safe
def jobs(request: ConsoleRequest, study: Study) -> HttpResponse:
    found = (
        study.jobs.select_related("created_by", "report")
        .defer("report__input", "report__result", "report__people")
        .order_by("-pk")
    )
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    return render(request, "console/jobs.html", {"study": study, "page": page})


@study_page()
@require_safe
def job(request: ConsoleRequest, study: Study, job: str) -> HttpResponse:
    """One job, as a part of a page: asked for again and again until it has ended, which the page is told."""
    found = get_object_or_404(
        study.jobs.select_related("created_by", "report").defer("report__input", "report__result", "report__people"),
        public_id=job,
    )
    response = render(request, "console/job.html", {"study": study, "job": found})
    if found.state in (Job.State.DONE, Job.State.FAILED):
        response["HX-Trigger"] = "job-ended"  # what it has made stands elsewhere on the page
    return response


@study_page(may="review")
@require_POST
def again(request: ConsoleRequest, study: Study, job: str) -> HttpResponse:
    """Ask once more for the work of a job that failed."""
    failed = get_object_or_404(study.jobs, public_id=job, state=Job.State.FAILED)
    parameters = dict(failed.parameters)
    try:
        ask_for(study, parameters.pop("work"), parameters=parameters, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(f"{request.console.home}jobs/")
