"""The pages for scoring systems, comparing them and adding them to the public leaderboard
(/console/<study>/x/systems/).
"""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.tasktypes import extensions
from annotate.toolkit import Action, ConsoleRequest, Study, attachment, messages, study_page
from evaluation.console.forms import CompareForm, PublishForm, SystemForm
from evaluation.models import PublicTable, Submission
from evaluation.selectors import systems as system_selectors
from evaluation.services import systems as system_services


def systems(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show all systems of a study. For reviewers and higher roles, also show the form that adds a system."""
    if request.method != "POST":
        return _page(request, study, SystemForm(study=study))
    form = SystemForm(request.POST, request.FILES, study=study)
    if form.is_valid():
        file = form.cleaned_data["file"]
        with form.show_refusals():
            submission = system_services.submit_system(
                study,
                system=form.cleaned_data["system"],
                description=form.cleaned_data["description"],
                filename=file.name,
                data=file.read(),
                parameters=form.option_values(),
                user=request.user,
            )
            form.note_encodings(request)
            messages.success(request, f"The system {submission.system} is stored, and Accord is calculating its score.")
            return redirect(request.path)
    return _page(request, study, form, status=422)


@study_page()
@require_safe
def system(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show a system with all its figures, the ignored rows, and the annotations used for scoring."""
    submission = _submission(study, number)
    systems_of_type = tasktypes.get(study.task_type).systems
    options = systems_of_type.options if systems_of_type else ()
    context = {
        "study": study,
        "submission": submission,
        "report": system_selectors.report_on_same(submission),
        "job": study.jobs.filter(kind=submission.job_kind).order_by("-pk").first(),
        "parameters": [(option.label, submission.parameters.get(option.name, "")) for option in options],
    }
    return render(request, "evaluation/system.html", context)


@study_page()
@require_safe
def system_file(request: ConsoleRequest, study: Study, number: int) -> StreamingHttpResponse:
    """Return a system's file exactly as uploaded."""
    submission = get_object_or_404(Submission, study=study, number=number)
    return attachment([system_services.file_of(submission)], submission.filename, "application/octet-stream")


@study_page()
@require_safe
def compare(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Compare two systems on the current annotations. The result of the comparison is not stored."""
    form, differences, status = (
        CompareForm(request.GET, submissions=list(system_selectors.systems_of(study))),
        None,
        422,
    )
    pair: list[Submission] = []
    if form.is_valid():
        pair = [get_object_or_404(Submission, study=study, number=form.cleaned_data[name]) for name in ("one", "other")]
        with form.show_refusals():
            differences, status = system_services.compare_systems(*pair), 200
    context = {
        "study": study,
        "form": form,
        "differences": differences,
        "pair": pair,
        "permutations": system_services.PERMUTATIONS,
        "resamples": system_services.RESAMPLES,
    }
    return render(request, "evaluation/systems_compare.html", context, status=status)


@study_page(Action.REVIEW)
@require_POST
def again(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    system_services.score_again(_submission(study, number), user=request.user)
    return redirect("console:system", study.public_id, number)


@study_page(Action.MANAGE)
@require_POST
def show(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Add a system to the public leaderboard, or remove it."""
    submission = _submission(study, number)
    system_services.show_in_public(submission, request.POST.get("public") == "yes", user=request.user)
    return redirect(_home(study))


@study_page(Action.MANAGE)
@require_POST
def publish(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = PublishForm(request.POST)
    if not form.is_valid():
        return _page(request, study, SystemForm(study=study), publish_form=form, status=422)
    system_services.publish_table(study.pk, heading=form.cleaned_data["heading"], user=request.user)
    messages.success(
        request,
        "The leaderboard is public. Anyone who has the URL of the leaderboard can see the systems marked as public.",
    )
    return redirect(_home(study))


@study_page(Action.MANAGE)
@require_POST
def withdraw(request: ConsoleRequest, study: Study) -> HttpResponse:
    system_services.withdraw_table(study.pk, user=request.user)
    messages.success(
        request, "The leaderboard is private again. Only members of the study can see a private leaderboard."
    )
    return redirect(_home(study))


def _page(
    request: ConsoleRequest,
    study: Study,
    form: SystemForm,
    *,
    publish_form: PublishForm | None = None,
    status: int = 200,
) -> HttpResponse:
    table = system_selectors.history(study)
    public = PublicTable.objects.filter(study=study).first()
    submissions = [row.submission for row in table.rows if row.submission and row.submission.result]
    context = {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "form": form,
        "table": table,
        "public": public,
        "publish_form": publish_form or PublishForm(initial={"heading": public.heading if public else ""}),
        "public_url": request.build_absolute_uri(reverse("evaluation:systems", args=[study.public_id])),
        "beside": _beside(request, study),
        "compare_form": _compare_form(submissions) if len(submissions) > 1 else None,
        "job": next((row.job for row in table.rows if row.job and row.job.unfinished), None),
        "stale": any(row.stale for row in table.rows),
    }
    return render(request, "evaluation/systems.html", context, status=status)


class Beside(NamedTuple):
    """A page about scores that are not systems of the table."""

    path: str
    title: str
    text: str
    use: str = ""


def _beside(request: ConsoleRequest, study: Study) -> list[Beside]:
    """Return the pages below Systems, and the ways for programs to answer alongside people."""
    every = [*extensions.task_panels(study), *extensions.panels(study)]
    panels = [panel for panel in every if panel.under == "systems"]
    ways = [way for way in extensions.ways() if way.compared and request.console.may[way.action]]
    return [
        *(Beside(f"x/{panel.slug}/", panel.title, panel.text) for panel in panels),
        *(Beside(way.path, way.title, way.text, way.use(study)) for way in ways),
    ]


def _compare_form(submissions: list[Submission]) -> CompareForm:
    newest, before = submissions[0].number, submissions[1].number
    return CompareForm(submissions=submissions, initial={"one": newest, "other": before})


def _submission(study: Study, number: int) -> Submission:
    return get_object_or_404(system_selectors.systems_of(study), number=number)


def _home(study: Study) -> str:
    return reverse("console:panel", args=[study.public_id, "systems"])
