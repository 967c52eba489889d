"""The page with a study's Prolific settings and the URL that researchers enter on Prolific, and actions that use
Prolific's API.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.core.permissions import Action
from annotate.core.selectors.limits import prolific_settings
from annotate.core.services.jobs import request_job
from annotate.core.setting_steps import setting_place
from annotate.models import Study
from annotate.prolific.forms import DraftForm, LinkForm, ProlificForm
from annotate.prolific.selectors.settings import study_url
from annotate.prolific.services.remote import link_study, require_api
from annotate.prolific.services.settings import change_prolific
from annotate.web.pages.access import ConsoleRequest, join_url, study_page


@study_page(Action.CHANGE_SETTINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def prolific(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the Prolific settings. A POST request changes the settings."""
    stored, status = prolific_settings(study), 200
    form = ProlificForm(request.POST or None, stored=stored)
    if request.method == "POST":
        status = 422
        if form.is_valid():
            with form.show_refusals():
                change_prolific(study.pk, user=request.user, **form.values())
                messages.success(request, "The Prolific settings have been saved.")
                return redirect("console:prolific", study.public_id)
    context = {
        "study": study,
        "form": form,
        "recruits": study.recruitment == Study.Recruitment.PROLIFIC,
        "recruitment_place": request.console.home + setting_place("recruitment"),
        "quality_place": request.console.home + setting_place("rule_threshold"),
        "study_url": study_url(join_url(request, study)),
        "may_change": request.console.may[Action.CHANGE_SETTINGS],
    }
    return render(request, "prolific/prolific.html", context, status=status)


@study_page(Action.PAY, back="submissions/")
@require_POST
def link(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Store the ID of the linked study on Prolific."""
    form = LinkForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the ID of the study on Prolific.")
        return redirect("console:submissions", study.public_id)
    link_study(study.pk, form.cleaned_data["prolific_id"], user=request.user)
    messages.success(request, "The study was linked to Prolific.")
    return redirect("console:submissions", study.public_id)


@study_page(Action.PAY, back="submissions/")
@require_POST
def draft(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Create a draft of the study on Prolific."""
    form = DraftForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the estimated minutes and the number of participants.")
        return redirect("console:submissions", study.public_id)
    return _request(request, study, "prolific-draft", form.cleaned_data)


@study_page(Action.PAY, back="submissions/")
@require_POST
def fetch(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Import the submissions from Prolific."""
    return _request(request, study, "prolific-submissions")


@study_page(Action.PAY, back="submissions/")
@require_POST
def approve(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Approve all submissions whose next step is approval."""
    return _request(request, study, "prolific-approvals")


@study_page(Action.PAY, back="submissions/")
@require_POST
def pay_bonuses(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Pay a bonus list on Prolific."""
    return _request(request, study, f"prolific-bonuses:{number}", {"number": number})


def _request(
    request: ConsoleRequest, study: Study, kind: str, parameters: Mapping[str, Any] | None = None
) -> HttpResponse:
    """Start a job and show its progress, or return to the page with the reason why the job is not possible."""
    require_api(study)
    job = request_job(study, kind, parameters=parameters, user=request.user)
    return redirect("console:job", study.public_id, job.public_id)
