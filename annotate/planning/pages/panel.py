"""Estimates beside a slider, in Set up and in Add judgements: cost, reliability and days for each number of answers per
question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from accord_core.numerics.assisted_plan import judged_alone
from accord_core.numerics.printed import coefficient, money, with_noun
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.sizes import items_imported
from annotate.data.selectors.design import cost_of
from annotate.models import Job, Study
from annotate.planning.models import Plan
from annotate.planning.selectors.estimates import agreeing_plan, estimate_parameters
from annotate.planning.selectors.pilots import chosen_pilot
from annotate.planning.selectors.plans import NOBODY, items_for_people, plan_jobs, unfinished_plan_jobs, usual_seconds
from annotate.planning.services.plans import checked_parameters, kind_of_job, request_plan
from annotate.server.refusals import Refused
from annotate.tasktypes.extensions import Forecast, Predicted
from annotate.web.pages.access import ConsoleRequest, study_page

# What `accord plan assisted` also assumes: a useful and a good program, and answers of this reliability.
CORRELATIONS = (0.6, 0.8)
RELIABILITY = 0.8


@dataclass(frozen=True)
class Estimate:
    """The estimates for one number of answers per question, as text. `cost` is empty in a study without pay, and
    `amount` is the cost as a number.
    """

    per_question: int
    cost: str
    amount: str
    hours: str
    figure: Predicted
    days: str
    annotators: str


def panel(request: HttpRequest, study: Study) -> str:
    """Return the panel for Set up, or an empty string before the study has items or if nothing can be chosen."""
    context = _context(request, study)
    if not context:
        return ""
    rows = context["rows"]
    shown = {(row.figure.text, row.figure.interval) for row in rows}
    context["figure_is_constant"] = len(rows) > 1 and len(shown) == 1
    context["chosen"] = next((at for at, row in enumerate(rows) if row.per_question >= study.judgements), 0)
    return render_to_string("planning/panel.html", context, request)


def forecast(request: HttpRequest, study: Study) -> Forecast | None:
    """Return the figures predicted for each number of answers per question, for Add judgements."""
    context = _context(request, study)
    if not context:
        return None
    figures = {row.per_question: row.figure for row in context["rows"]}
    return Forecast(context["label"], figures, render_to_string("planning/assumptions.html", context, request))


@study_page(Action.MANAGE)
@require_POST
def estimate(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Request a plan with the usual assumptions, or with assumptions estimated from the study's own answers."""
    planning = tasktypes.get(study.task_type).planning
    if planning is not None:
        try:
            request_plan(study, estimate_parameters(study, planning, request.user), user=request.user)
        except Refused as refusal:
            messages.error(request, refusal.message)
    return redirect(request.console.home if study.is_draft else f"{request.console.home}judgements/")


def _context(request: HttpRequest, study: Study) -> dict[str, Any]:
    """Return the context of both templates, or an empty one if there is nothing to estimate."""
    planning = tasktypes.get(study.task_type).planning
    if planning is None or not items_imported(study, in_design=True):
        return {}
    parameters = estimate_parameters(study, planning, request.user)  # type: ignore[arg-type]
    if not parameters["answers"]:
        return {}
    plan = agreeing_plan(study, parameters)
    return {
        "study": study,
        "words": planning.wording,
        "plan": plan,
        "rows": [_estimate(row, plan, study) for row in plan.result["designs"]] if plan else [],
        "label": planning.figures[plan.result["target_figure"]] if plan else "",
        "assumptions": _assumptions(plan, study) if plan else "",
        "program": _program(study),
        "running": plan is None and unfinished_plan_jobs(study).exists(),
        "reason": "" if plan else _reason(study, parameters, request),
        # The response to an automatic request never triggers another one.
        "starts": not request.headers.get("HX-Request"),
    }


def _estimate(row: Mapping[str, Any], plan: Plan, study: Study) -> Estimate:
    figure = row["figures"][plan.result["target_figure"]]
    low, high = coefficient(figure["low"]), coefficient(figure["high"])
    interval = "" if low == high else f"{low} to {high}"  # empty if undefined, or if rounding leaves no width
    priced = plan.parameters["price"] and row["cost"] is not None
    cost = _cost_of_design(row["per_question"], plan, study) or row["cost"]
    return Estimate(
        row["per_question"],
        money(Decimal(cost), plan.parameters["currency"]) if priced else "",
        cost if priced else "",
        f"{row['hours']:,.1f} hours",
        Predicted(figure["value"], coefficient(figure["value"]), interval),
        f"{row['days']:,g} day{'' if row['days'] == 1 else 's'}",
        with_noun(row["annotators"], "annotator"),
    )


def _cost_of_design(per_question: int, plan: Plan, study: Study) -> str:
    """Return the cost of the built HITs with this number of judgements, as *Open the study* shows it. Return an empty
    string without a design, or if questions need different numbers of judgements.
    """
    if not study.is_draft or study.design is None:
        return ""
    cost = cost_of(study, study.design)
    if not cost.judgements or cost.judgements != cost.questions * study.judgements:
        return ""
    fee = Decimal(str(plan.parameters["fee"]))
    return str(cost.hits * per_question * cost.reward * (1 + fee))


def _assumptions(plan: Plan, study: Study) -> str:
    pilot = chosen_pilot(plan.parameters)
    own = pilot == study.public_id
    usual = "the usual quality of careful work" if _nobody_careless(plan) else "the usual quality of work"
    quality = f"quality as in {'this study' if own else 'a pilot'}" if pilot else usual
    people = with_noun(plan.parameters["annotators"], "annotator")
    seconds = f"{plan.parameters['seconds']:.3g} seconds per question{_source_of_seconds(plan, study)}"
    return f"The estimates assume {people}, {seconds}, and {quality}."


def _program(study: Study) -> str:
    """Return the value of a program that answers all questions while people answer a random part of them, as a
    sentence. Return an empty string if people answer all questions.
    """
    questions, people = items_imported(study, in_design=True), items_for_people(study)
    if people == questions:
        return ""
    good, better = (judged_alone(people, questions, each, RELIABILITY) for each in CORRELATIONS)
    return (
        f"People answer about {people:,} of {questions:,} items, and a program answers all. If people’s answers have a "
        f"reliability of {coefficient(RELIABILITY)}, and the program’s correlation with the true scores is "
        f"{coefficient(CORRELATIONS[0])} or {coefficient(CORRELATIONS[1])}, means over items (such as label shares) "
        f"are as precise as with {good:,} or {better:,} items answered by people alone."
    )


def _nobody_careless(plan: Plan) -> bool:
    return tuple(plan.parameters["assumptions"].get("careless") or ()) == NOBODY


def _source_of_seconds(plan: Plan, study: Study) -> str:
    """Return the source of the plan's seconds per question, or an empty string if a researcher entered them."""
    planning = tasktypes.get(study.task_type).planning
    seconds, source = usual_seconds(study, planning) if planning else (None, "")
    return f" ({source})" if plan.parameters["seconds"] == seconds else ""


def _reason(study: Study, parameters: Mapping[str, Any], request: HttpRequest) -> str:
    """Return why the estimates cannot be calculated, or an empty string."""
    try:
        kind = kind_of_job(checked_parameters(study, parameters, user=request.user))  # type: ignore[arg-type]
    except Refused as refusal:
        return refusal.message
    latest = plan_jobs(study).first()
    failed = latest is not None and latest.state == Job.State.FAILED and latest.kind == kind.replace(":", "-")
    return latest.error if latest is not None and failed else ""
