"""The page that creates a study, and the actions that copy or delete a draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.admission import linkable_studies
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.studies.forms.study import StudyForm
from annotate.studies.services.copies import copy_study, delete_draft
from annotate.studies.services.study import create_study
from annotate.web.pages.access import ConsoleRequest, console_page, study_page


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
            with form.show_refusals():
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
    context = {"form": form, "task": task, "types": list(types.values())}
    return render(request, "studies/new.html", context, status=status)


@study_page(Action.COPY)
@require_POST
def copy(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Copy the study, and show the items page of the copy. A background job copies the items."""
    wanted = request.POST
    copied = copy_study(study.pk, user=request.user, title=wanted.get("title", "")[:200], members="members" in wanted)
    if "items" in wanted:
        contents = {"source": study.public_id, "gold": "gold" in wanted}
        request_job(copied, "copy", parameters=contents, user=request.user)
    messages.success(request, f"This draft is a copy of “{study.title}”.")
    return redirect("console:items", copied.public_id)


@study_page(Action.DELETE_DRAFT)
@require_POST
def delete(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Delete the draft, and show the list of studies."""
    delete_draft(study.pk, user=request.user)
    messages.success(request, f"The draft “{study.title}” has been deleted.")
    return redirect("console:studies")
