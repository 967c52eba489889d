"""The Plan page (/console/<study>/plan/): predicted quality and cost of possible designs, and stored plans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.models import Job, Study
from annotate.planning.forms import PlanForm, UsePlanForm
from annotate.planning.models import Plan
from annotate.planning.pages.parts import (
    budget_table,
    choices_of,
    chosen_text,
    designs_table,
    estimates_table,
    pilot_text,
    plan_charts,
    searched_table,
    summaries,
)
from annotate.planning.selectors.pilots import own_pilot, pilot_choices
from annotate.planning.selectors.plans import (
    caught_by_rule,
    plan_in_use,
    plan_jobs,
    plans_of,
    unfinished_plan_jobs,
    usual_parameters,
)
from annotate.planning.services.plans import designs_of, request_plan, use_plan
from annotate.server.refusals import Refused, or_404
from annotate.tasktypes import Planning
from annotate.web.pages.access import ConsoleRequest, study_page

MOST_SHOWN = 50


@study_page()
@require_safe
def plan(request: ConsoleRequest, study: Study, number: int | None = None) -> HttpResponse:
    """Show the newest plan or the plan with this number, and a form with its parameters."""
    planning = _planning_of(study)
    shown = get_object_or_404(plans_of(study), number=number) if number is not None else plans_of(study).first()
    pilots = pilot_choices(study, request.user)
    usual = usual_parameters(study, planning) | {"pilot": own_pilot(study, request.user)}
    running = None if number else unfinished_plan_jobs(study).first()
    last = running.parameters["plan"] if running else shown.parameters if shown else {}
    parameters = {**usual, **last}
    if number is None and not running and parameters["pilot"] is None:
        parameters["pilot"] = usual["pilot"]  # the study may have enough answers since the newest plan
    return _page(request, study, planning, shown, PlanForm(planning, parameters, pilots))


@study_page(Action.MANAGE)
@require_POST
def calculate(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Request a plan. If the form contains errors or the plan is impossible, show the form again."""
    planning = _planning_of(study)
    shown = plans_of(study).first()
    usual = usual_parameters(study, planning)
    form = PlanForm(planning, usual, pilot_choices(study, request.user), request.POST)
    if not form.is_valid():
        return _page(request, study, planning, shown, form, status=400)
    try:
        requested = request_plan(study, {**form.parameters, "currency": usual["currency"]}, user=request.user)
    except Refused as refusal:
        form.refuse(refusal)
        return _page(request, study, planning, shown, form, status=refusal.status)
    if isinstance(requested, Plan):
        messages.info(request, "A plan with these parameters has already been calculated.")
        return redirect("console:stored-plan", study.public_id, requested.number)
    return redirect("console:plan", study.public_id)


@study_page(Action.CHANGE_SETTINGS, back="plan/{number}/")
@require_POST
def use(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Choose a design of a plan for the study."""
    planning = _planning_of(study)
    stored = get_object_or_404(plans_of(study), number=number)
    designs = designs_of(stored)
    form = UsePlanForm(choices_of(stored, designs, planning.wording), request.POST, is_draft=study.is_draft)
    if not form.is_valid():
        messages.error(request, "Choose one of the designs in the list.")
        return redirect("console:stored-plan", study.public_id, number)
    chosen = designs[form.cleaned_data["design"]]
    change = form.cleaned_data.get("change_study", False)
    use_plan(stored.pk, **chosen, change_study=change, user=request.user)
    rebuild = " Rebuild the questions." if change and study.design_id else ""
    if "setup" in request.POST:
        number_chosen = f"{chosen['per_question']} {planning.wording.per_question}"
        messages.success(request, f"The study asks for {number_chosen}.{rebuild}")
        return redirect(request.console.home)
    changed = " The settings of the study have been changed." if change else ""
    messages.success(request, f"The study uses plan {number}.{changed}{rebuild}")
    return redirect("console:stored-plan", study.public_id, number)


def _planning_of(study: Study) -> Planning:
    return or_404(tasktypes.get(study.task_type).planning, "This task type has no plans.")


def _page(
    request: ConsoleRequest, study: Study, planning: Planning, shown: Plan | None, form: PlanForm, status: int = 200
) -> HttpResponse:
    words = planning.wording
    latest = plan_jobs(study).first()
    caught, reason = caught_by_rule(study)
    in_use = plan_in_use(study)
    context: dict[str, Any] = {
        "study": study,
        "here": request.path if request.method != "POST" else f"{request.console.home}plan/",
        "form": form,
        "shown": shown,
        "unfinished": unfinished_plan_jobs(study),
        "failed": latest if latest and latest.state == Job.State.FAILED else None,
        "caught": caught,
        "caught_reason": reason,
        "in_use": in_use,
        "in_use_text": chosen_text(in_use, words) if in_use else "",
        "plans": summaries(plans_of(study)[:MOST_SHOWN], words),
        "plan_count": plans_of(study).count(),
        "words": words,
    }
    if shown:
        designs = designs_of(shown)
        context |= {
            "charts": plan_charts(shown, words),
            "pilot": pilot_text(shown, words, study, request.user),
            "estimates": estimates_table(shown, planning.labels),
            "designs": designs_table(shown, words),
            "for_budget": budget_table(shown, words, planning),
            "searched": searched_table(shown, words, planning.design),
            "use_form": UsePlanForm(
                choices_of(shown, designs, words),
                initial={"design": _suggested(shown, designs, study)},
                is_draft=study.is_draft,
            ),
        }
    return render(request, "planning/plan.html", context, status=status)


def _suggested(plan: Plan, designs: list[dict[str, Any]], study: Study) -> int:
    """Return the position of the chosen design, or of the cheapest design that reaches the target. Once a
    study has been opened, its questions stay as they are, and only designs with its own options are suggested.
    """
    best = plan.result.get("cheapest")
    wanted = plan.chosen
    if wanted is None and best is not None:
        row = plan.result["searched"][best]
        wanted = {"per_question": row["per_question"], "design": row["design"]}
    if wanted in designs and (plan.chosen or study.is_draft or _is_of(wanted["design"], study)):
        return designs.index(wanted)
    own = (
        place
        for place, each in enumerate(designs)
        if each["per_question"] == study.judgements and _is_of(each["design"], study)
    )
    return next(own, 0)


def _is_of(design: Mapping[str, Any], study: Study) -> bool:
    return all(study.options.get(name, value) == value for name, value in design.items())
