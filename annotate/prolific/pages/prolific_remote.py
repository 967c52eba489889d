"""Actions on the *Prolific submissions* page that use Prolific's API. Background jobs perform these actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.prolific.forms import DraftForm, LinkForm
from annotate.prolific.services.prolific_remote import link_study, require_api
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.PAY)
@require_POST
def link(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Store the ID of the linked study on Prolific."""
    form = LinkForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the ID of the study on Prolific.")
        return redirect("console:submissions", study.public_id)
    try:
        link_study(study.pk, form.cleaned_data["prolific_id"], user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, "The study was linked to Prolific.")
    return redirect("console:submissions", study.public_id)


@study_page(Action.PAY)
@require_POST
def draft(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Create a draft of the study on Prolific."""
    form = DraftForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the estimated minutes and the number of participants.")
        return redirect("console:submissions", study.public_id)
    return _request(request, study, "prolific-draft", form.cleaned_data)


@study_page(Action.PAY)
@require_POST
def fetch(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Import the submissions from Prolific."""
    return _request(request, study, "prolific-submissions")


@study_page(Action.PAY)
@require_POST
def approve(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Approve all submissions whose next step is approval."""
    return _request(request, study, "prolific-approvals")


@study_page(Action.PAY)
@require_POST
def pay_bonuses(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Pay a bonus list on Prolific."""
    return _request(request, study, f"prolific-bonuses:{number}", {"number": number})


def _request(
    request: ConsoleRequest, study: Study, kind: str, parameters: Mapping[str, Any] | None = None
) -> HttpResponse:
    """Start a job and show its progress, or return to the page with the reason why the job is not possible."""
    try:
        require_api(study)
        job = request_job(study, kind, parameters=parameters, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console:submissions", study.public_id)
    return redirect("console:job", study.public_id, job.public_id)
