"""The page that copies, pauses, closes, archives or deletes a study, or imports the settings of another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.core.permissions import Action, permitted_studies
from annotate.core.setting_steps import BY_SLUG, STEPS, TASK
from annotate.models import Study
from annotate.server.refusals import Refused
from annotate.studies.forms.study import setting_label
from annotate.studies.services.settings_import import ImportedSettings, import_settings
from annotate.studies.services.study import archive_study, close_study, open_study, pause_study, unarchive_study
from annotate.templatetags.figures import with_noun
from annotate.web.pages.access import ConsoleRequest, StudyConsole, join_text, study_page

SOURCES = 200
# This mapping contains the service and the success message for each action.
STATE_ACTIONS: dict[str, tuple[Callable[..., Study], str]] = {
    Action.PAUSE: (
        pause_study,
        "The study is paused. Annotators get no new HITs, but can finish HITs in progress.",
    ),
    Action.OPEN: (open_study, "The study is open."),
    Action.CLOSE: (close_study, "The study is closed. You can reopen the study."),
    Action.ARCHIVE: (archive_study, "The study is archived. The study cannot be changed while it is archived."),
    Action.UNARCHIVE: (unarchive_study, "The study is no longer archived."),
}


@study_page()
def states(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show what can be done with the whole study, one sentence each."""
    may, deeds = request.console.may, _changes(request.console)
    sources = list(_sources(request, study)[: SOURCES + 1]) if may[Action.CHANGE_SETTINGS] else []
    context = {"study": study, "deeds": deeds, "sources": sources, "most_sources": SOURCES, "steps": STEPS}
    return render(request, "studies/states.html", context)


def deeds(console: StudyConsole) -> list[str]:
    """Return the actions available to the researcher on the page, for the search."""
    named: list[tuple[str, str]] = [
        (Action.COPY, "Copy the study"),
        (Action.CHANGE_SETTINGS, "Import settings from another study"),
    ]
    named += [(action, f"{action.capitalize()} the study") for action in _changes(console)]
    named += [(Action.DELETE_DRAFT, "Delete the draft")]
    if console.study.opened_at:
        named += [(Action.REMOVE_PERSONAL_DATA, "Remove the personal data of an annotator")]
    return [name for action, name in named if console.may[action]]


def _changes(console: StudyConsole) -> list[str]:
    draft = console.study.is_draft
    return [action for action in STATE_ACTIONS if console.may[action] and not (draft and action == Action.OPEN)]


@study_page(back="state/")
@require_POST
def change_state(request: ConsoleRequest, study: Study, action: str) -> HttpResponse:
    """Open, pause, close, archive or unarchive the study."""
    if action not in STATE_ACTIONS:
        raise Http404("no such action")
    service, message = STATE_ACTIONS[action]
    request.console.require(action)
    service(study.pk, user=request.user)
    link = f" {join_text(request, study)}" if action == "open" else ""
    messages.success(request, message + link)
    return redirect("console:overview", study.public_id)


@study_page(Action.CHANGE_SETTINGS)
@require_POST
def import_(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Import the settings on the chosen steps from another of the researcher's studies."""
    source = _sources(request, study).filter(public_id=request.POST.get("source", "")).first()
    steps = [step for step in BY_SLUG if step in request.POST.getlist("steps")]
    if source is None:
        messages.error(request, "Choose one of your studies with the same task type.")
        return redirect("console:states", study.public_id)
    try:
        result = import_settings(study.pk, source.pk, steps, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _imported(result, source))
    return redirect("console:settings-step", study.public_id, steps[0] if steps else TASK)


def _imported(result: ImportedSettings, source: Study) -> str:
    """Return the message shown after an import of settings."""
    if not result.changed and not result.locked:
        return f"The settings of “{source.title}” are the same, so no settings have changed."
    text = f"Accord imported {with_noun(len(result.changed), 'setting')} from “{source.title}”."
    if result.locked:
        names = ", ".join(_labels(source, result.locked))
        text += f" Because the study has been opened, these settings are locked and have not changed: {names}."
    return text


def _labels(study: Study, names: Sequence[str]) -> list[str]:
    """Return the labels of settings and options."""
    options = {f"options.{option.name}": option.label for option in tasktypes.get(study.task_type).options}
    return [options.get(name) or setting_label(name) for name in names]


def _sources(request: ConsoleRequest, study: Study) -> QuerySet[Study]:
    """Return the researcher's other studies with the same task type, newest first."""
    studies = permitted_studies(request.user, Action.COPY).filter(task_type=study.task_type)
    return studies.exclude(pk=study.pk).order_by("-created_at", "-pk")
