"""The page that creates a study, the steps to an open study, and the actions that copy or delete a draft."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.admission import linkable_studies
from annotate.core.services.jobs import request_job
from annotate.core.setting_steps import setting_place
from annotate.models import Question, Study
from annotate.studies.forms.study import StudyForm
from annotate.studies.services.copies import copy_study, delete_draft
from annotate.studies.services.study import create_study, missing_before_opening
from annotate.web.pages.access import ConsoleRequest, console_page, study_page

# Most studies meet these requirements from the start, so these steps appear only if something is missing.
IF_MISSING = {
    "privacy_notice": "Write the privacy notice",
    "contact": "Name a contact person for annotators",
    "consent": "Make the consent text and the payment of stopped annotators agree",
    "activity_summaries": "Mention the activity summaries in the consent text",
}
FIELDS = {
    "privacy_notice": "privacy_notice",
    "contact": "contact",
    "consent": "consent_pays_stopped",
    "activity_summaries": "consent_names_activity",
}


@dataclass(frozen=True)
class Step:
    """A step towards opening a study, and the page on which the step is completed. `note` names the missing parts, or
    states why the step is not needed.
    """

    title: str
    href: str
    done: bool
    note: str = ""


def steps_to_opening(study: Study, home: str) -> list[Step]:
    """Return the steps needed to open the study. `home` is the URL path of the study's overview."""
    missing = missing_before_opening(study)
    items = study.items.visible().exists()
    gold = study.questions.filter(kind=Question.Kind.GOLD).exists()
    unneeded = "" if gold or "gold" in missing else "The study has no quality rule, so it needs no gold questions."
    steps = [
        Step("Import items", f"{home}items/", items),
        Step("Build the design", f"{home}design/", "design" not in missing, missing.get("design", "") if items else ""),
        Step("Add gold questions", f"{home}gold/", "gold" not in missing, missing.get("gold", unneeded)),
        Step(
            "Write the instructions",
            home + setting_place("instructions"),
            "instructions" not in missing,
            missing.get("instructions", ""),
        ),
    ]
    if "named" in missing:
        steps.append(Step("Add named annotators", f"{home}named/", False, missing["named"]))
    if "qualification" in missing:
        steps.append(Step("Add practice questions", f"{home}gold/", False, missing["qualification"]))
    for part, title in IF_MISSING.items():
        if part in missing:
            steps.append(Step(title, home + setting_place(FIELDS[part]), False, missing[part]))
    ready = all(step.done for step in steps)
    return [*steps, Step("Open the study", f"{home}design/", False, "Everything is ready." if ready else "")]


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
