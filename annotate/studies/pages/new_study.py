"""The page that creates a study (/console/new/)."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotate import tasktypes
from annotate.core.selectors.admission import linkable_studies
from annotate.server.refusals import Refused
from annotate.studies.forms.study import StudyForm
from annotate.studies.services.study import create_study
from annotate.web.pages.access import ConsoleRequest, console_page


@console_page
def new(request: ConsoleRequest) -> HttpResponse:
    """Show the form for a new study whose task type is given by the parameter `type`. If the form has errors, the page
    shows it again with the researcher's input.
    """
    types = {task.slug: task for task in tasktypes.installed()}
    slug = request.POST.get("task_type") or request.GET.get("type", "")
    task = types.get(slug) or next(iter(types.values()))
    linkable = list(linkable_studies(request.user))
    form, status = StudyForm(task=task, linkable=linkable), 200
    if request.method == "POST":
        form, status = StudyForm(request.POST, task=task, linkable=linkable), 422
        if form.is_valid():
            try:
                study = create_study(
                    user=request.user,
                    task_type=task.slug,
                    options=form.option_values(),
                    consent=form.cleaned_data["consent"],
                    consent_pays_stopped=form.cleaned_data["consent_pays_stopped"],
                    consent_names_activity=form.cleaned_data["consent_names_activity"],
                    **form.setting_values(),
                )
                return redirect("console:items", study.public_id)
            except Refused as refusal:
                form.refuse(refusal)
    context = {"form": form, "task": task, "types": list(types.values())}
    return render(request, "console/new.html", context, status=status)
