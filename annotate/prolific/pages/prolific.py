"""The page with a study's Prolific settings, and the URL that researchers enter on Prolific."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.core.permissions import Action
from annotate.core.selectors.hit_limits import prolific_settings
from annotate.core.setting_steps import STEPS, setting_place
from annotate.models import Study
from annotate.prolific.forms import ProlificForm
from annotate.prolific.selectors.prolific import study_url
from annotate.prolific.services.prolific import change_prolific
from annotate.server.refusals import Refused
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
            try:
                change_prolific(study.pk, user=request.user, **form.values())
            except Refused as refusal:
                form.refuse(refusal)
            else:
                messages.success(request, "The Prolific settings have been saved.")
                return redirect("console:prolific", study.public_id)
    context = {
        "study": study,
        "form": form,
        "steps": STEPS,
        "recruits": study.recruitment == Study.Recruitment.PROLIFIC,
        "recruitment_place": request.console.home + setting_place("recruitment"),
        "quality_place": request.console.home + setting_place("rule_threshold"),
        "study_url": study_url(join_url(request, study)),
        "may_change": request.console.may[Action.CHANGE_SETTINGS],
    }
    return render(request, "console/prolific.html", context, status=status)
