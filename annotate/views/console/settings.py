"""The settings page, which shows and changes the settings, consent text and state of a study."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.forms.study import StudyForm, fingerprint
from annotate.models import Study
from annotate.permissions import Action
from annotate.refusals import Refused
from annotate.selectors.admission import linkable_studies
from annotate.services.consent_terms import against_consent, unnamed_summaries
from annotate.services.study import (
    archive_study,
    change_settings,
    close_study,
    open_study,
    pause_study,
    unarchive_study,
    write_consent,
)
from annotate.services.writing import write

from .access import ConsoleRequest, join_url, study_page

# This mapping contains, for each action, the service and the message after success.
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
def settings(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the settings of the study to all members. Managers can also change the settings of the study."""
    task = tasktypes.get(study.task_type)
    if request.method == "POST":
        return _save(request, study)
    form = StudyForm(task=task, study=study, linkable=_linkable(request, study))
    form.initial["seen"] = fingerprint(study, task)
    return _page(request, study, form)


@study_page()
@require_POST
def change_state(request: ConsoleRequest, study: Study, action: str) -> HttpResponse:
    """Open, pause, close, archive or unarchive the study."""
    if action not in STATE_ACTIONS:
        raise Http404("no such action")
    service, message = STATE_ACTIONS[action]
    request.console.require(action)
    try:
        service(study.pk, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        link = f" Anyone with this link can join: {join_url(request, study)}" if action == "open" else ""
        messages.success(request, message + link)
    return redirect("console:settings", study.public_id)


def _save(request: ConsoleRequest, study: Study) -> HttpResponse:
    request.console.require(Action.CHANGE_SETTINGS)
    task = tasktypes.get(study.task_type)
    form = StudyForm(request.POST, task=task, study=study, linkable=_linkable(request, study))
    if form.is_valid():
        try:
            with write():
                write_consent(
                    study.pk,
                    form.cleaned_data["consent"],
                    user=request.user,
                    pays_stopped=form.cleaned_data["consent_pays_stopped"],
                    names_activity=form.cleaned_data["consent_names_activity"],
                )
                # The consent text is first, because the terms of the new text can allow a change of the settings.
                change_settings(study.pk, user=request.user, options=form.option_values(), **form.setting_values())
        except Refused as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, "The settings are saved.")
            return redirect("console:settings", study.public_id)
    return _page(request, study, form, status=422)


def _linkable(request: ConsoleRequest, study: Study) -> list[Study]:
    """Return the user's other studies, if the user owns this study."""
    return list(linkable_studies(request.user, apart_from=study)) if request.console.may[Action.LINK_STUDIES] else []


def _page(request: ConsoleRequest, study: Study, form: StudyForm, status: int = 200) -> HttpResponse:
    consents = list(study.consents.order_by("-version"))
    may = request.console.may
    if not may[Action.CHANGE_SETTINGS]:
        for field in form.fields.values():
            field.disabled = True
    context = {
        "study": study,
        "form": form,
        "consent": consents[0] if consents else None,
        "contradiction": against_consent(study),
        "unnamed_summaries": unnamed_summaries(study),
        "join_url": join_url(request, study),
        "deeds": [action for action in STATE_ACTIONS if may[action] and not (study.is_draft and action == Action.OPEN)],
        "may_change": may[Action.CHANGE_SETTINGS],
    }
    return render(request, "console/settings.html", context, status=status)
