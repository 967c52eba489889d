"""The settings pages, which show and change the settings and the consent text of a study. Each step in setting up a
study has its own page.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.admission import linkable_studies
from annotate.core.selectors.sizes import gold_in_hit
from annotate.core.selectors.spend import actual_wage
from annotate.core.services.consent_terms import against_consent, unnamed_summaries
from annotate.core.services.writing import write
from annotate.core.setting_steps import BY_SLUG, TASK, SettingStep, step_of
from annotate.data.selectors.design import seconds_tried
from annotate.gold.pages.rule import rule_context
from annotate.models import Study
from annotate.studies.forms.study import StudyForm, fingerprint
from annotate.studies.services.settings import change_settings, write_consent
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page()
def settings(request: ConsoleRequest, study: Study, step: str = TASK) -> HttpResponse:
    """Show one page of the study's settings to all members. Managers can also change the settings."""
    if step not in BY_SLUG:
        raise Http404("no such page of settings")
    task, shown = tasktypes.get(study.task_type), BY_SLUG[step]
    if request.method == "POST":
        return _save(request, study, shown)
    form = StudyForm(task=task, study=study, step=shown, linkable=_linkable(request, study))
    form.initial["seen"] = fingerprint(study, task, shown)
    return _page(request, study, form)


def _save(request: ConsoleRequest, study: Study, step: SettingStep) -> HttpResponse:
    request.console.require(Action.CHANGE_SETTINGS)
    task = tasktypes.get(study.task_type)
    form = StudyForm(request.POST, task=task, study=study, step=step, linkable=_linkable(request, study))
    if form.is_valid():
        with form.show_refusals():
            with write():
                if "consent" in form.fields:
                    write_consent(
                        study.pk,
                        form.cleaned_data["consent"],
                        user=request.user,
                        pays_stopped=form.cleaned_data["consent_pays_stopped"],
                        names_activity=form.cleaned_data["consent_names_activity"],
                    )
                # The consent text is stored before the settings, because some settings require terms in the consent
                # text.
                change_settings(study.pk, user=request.user, options=form.option_values(), **form.setting_values())
            messages.success(request, "The settings are saved.")
            return redirect("console:settings-step", study.public_id, step.slug)
    return _page(request, study, form, status=422)


def _linkable(request: ConsoleRequest, study: Study) -> list[Study]:
    """Return the user's other studies, or an empty list if the user may not link studies."""
    return list(linkable_studies(request.user, apart_from=study)) if request.console.may[Action.LINK_STUDIES] else []


def _page(request: ConsoleRequest, study: Study, form: StudyForm, status: int = 200) -> HttpResponse:
    may = request.console.may
    if not may[Action.CHANGE_SETTINGS]:
        for field in form.fields.values():
            field.disabled = True
    context = {
        "study": study,
        "form": form,
        "step": form.step,
        "texts_page": f"{request.console.home}settings/{step_of('consent').slug}/",
        "contradiction": against_consent(study),
        "unnamed_summaries": unnamed_summaries(study),
        # A setting of a study that has been opened is read more often than changed.
        "open_groups": study.opened_at is None or form.is_bound,
        "may_change": may[Action.CHANGE_SETTINGS],
    }
    if "reward" in form.step.names:
        context["hit_time"] = _hit_time(study)
    if "rule_threshold" in form.step.names:
        context |= rule_context(study, request.GET)
    return render(request, "studies/settings.html", context, status=status)


def _hit_time(study: Study) -> tuple[float, str] | None:
    """Return the seconds that a HIT takes, and where they come from: the study's HITs, try-outs, or the task type."""
    if wage := actual_wage(study):
        return wage.seconds, "as in this study"
    if tried := seconds_tried(study):
        return tried, "as in your try-outs"
    planning = tasktypes.get(study.task_type).planning
    return (planning.seconds * (study.questions_per_hit + gold_in_hit(study)), "as usual") if planning else None
