"""The page that creates a study, and the actions that copy or delete a draft."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import get_text_list
from django.views.decorators.http import require_POST

from accord_core.exchange.recognition import UNCLEAR
from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.data.item_files import (
    ItemFile,
    column_names,
    documents,
    is_large,
    what_is_asked,
    what_is_read,
    what_to_check,
)
from annotate.data.readings import readings
from annotate.data.upload_preview import SAMPLE
from annotate.models import Study
from annotate.server.refusals import Refused
from annotate.studies.forms.new_study import TEAM, NewStudyForm, combined, suggested_tasks, title_of
from annotate.studies.services.copies import copy_study, delete_draft
from annotate.studies.services.from_file import create_from_file
from annotate.studies.services.study import create_study
from annotate.studies.services.team import create_team_study
from annotate.tasktypes import TaskType, extensions
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, console_page, study_page


@console_page
@body_limit("upload")
def new(request: ConsoleRequest) -> HttpResponse:
    """Show the form for a new study, and create it with the items of a file, if there is one. The parameter `type`
    chooses a task type beforehand.
    """
    form, status = NewStudyForm(initial={"task_type": request.GET.get("type")}), 200
    if request.method == "POST":
        form, status = NewStudyForm(request.POST, uploaded=request.FILES.getlist("files")), 422
        if form.is_valid():
            create = create_team_study if form.cleaned_data.pop("who_answers") == TEAM else create_study
            with form.show_refusals():
                if form.file is None:
                    study = create(user=request.user, **form.cleaned_data)
                    return redirect("console:overview", study.public_id)
                study, upload = create_from_file(
                    create, form.file, user=request.user, reading=request.POST.get("reading", ""), **form.cleaned_data
                )
                if upload.revealed_at is None:
                    return redirect("console:upload-preview", study.public_id, upload.public_id)
                return redirect("console:overview", study.public_id)
    return render(request, "studies/new.html", {"form": form, "starts": extensions.starts()}, status=status)


@console_page
@require_POST
@body_limit("upload")
def recognise(request: ConsoleRequest) -> JsonResponse:
    """Return the title and the task types that the chosen files suggest, a sentence about what Accord reads, and the
    other `readings`. With a parameter `task_type`, the sentence is about a study of this task type.
    """
    chosen = [task for task in tasktypes.installed() if task.slug == request.POST.get("task_type")]
    file, tasks = None, list[TaskType]()
    try:
        file = combined(request.FILES.getlist("files"))
        tasks = suggested_tasks(file)
    except Refused as refusal:
        if file is None or not chosen:  # a chosen task states its own errors
            return JsonResponse({"title": "", "tasks": [], "text": refusal.message, "readings": []})
    text, choice = "", dict[str, str]()
    if not is_large(file.data):
        text, choice = _what_is_read(file, chosen or tasks)
    suggested = {"title": title_of(file), "tasks": [task.slug for task in tasks]}
    return JsonResponse(suggested | {"text": text, "readings": [*choice.items()]})


def _what_is_read(file: ItemFile, tasks: Sequence[TaskType]) -> tuple[str, dict[str, str]]:
    """Return a sentence about what these task types read, and the other readings of a single task type."""
    first = file.preview(tasks[0], sample=SAMPLE)
    if first.faults:
        return what_is_asked(first) or f"{file.name}: {first.faults[0]}", {}
    if len(tasks) > 1 and first.first_row != UNCLEAR:  # the task decides what a row is
        return f"{with_noun(first.rows, 'row')}: {get_text_list([*column_names(first)], 'and')}.", {}
    left_out = file.form and not documents(tasks[0])
    without = " This task does not use the HTML form." if left_out else ""
    warned = f" {warnings}" if (warnings := what_to_check(first)) else ""
    return what_is_read(first, tasks[0]) + without + warned, readings(first, tasks[0])


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
