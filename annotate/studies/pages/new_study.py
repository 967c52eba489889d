"""The page that creates a study, and the actions that copy or delete a draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.studies.forms.study import TEAM, NewStudyForm
from annotate.studies.services.copies import copy_study, delete_draft
from annotate.studies.services.study import create_study
from annotate.studies.services.team import create_team_study
from annotate.web.pages.access import ConsoleRequest, console_page, study_page


@console_page
def new(request: ConsoleRequest) -> HttpResponse:
    """Show the form for a new study, and create it. The parameter `type` chooses a task type beforehand."""
    first = next(task.slug for task in tasktypes.installed())
    form, status = NewStudyForm(initial={"task_type": request.GET.get("type", first)}), 200
    if request.method == "POST":
        form, status = NewStudyForm(request.POST), 422
        if form.is_valid():
            create = create_team_study if form.cleaned_data.pop("who_answers") == TEAM else create_study
            with form.show_refusals():
                study = create(user=request.user, **form.cleaned_data)
                return redirect("console:overview", study.public_id)
    return render(request, "studies/new.html", {"form": form}, status=status)


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
