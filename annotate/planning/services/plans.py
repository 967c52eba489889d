"""Services that request, calculate and store a study's plans, and choose one of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study, permitted_study, refuse_state, require, researcher
from annotate.core.services.archived import refuse_archived
from annotate.core.services.jobs import request_job
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Job, Study
from annotate.planning.models import Plan
from annotate.planning.selectors.plans import unfinished_plan_jobs
from annotate.planning.services.pilots import read_pilot, with_pilot
from annotate.server.refusals import Refused
from annotate.server.software import versions
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import InvalidOptions, Planning, Progress
from annotate.tasktypes.plan_calculation import calculate_plan, prepare_plan
from annotate.tasktypes.plan_parameters import PlanParameters, clean_parameters

MOST_AT_ONCE = 5
KEY_IN_KIND = 16  # digits of a plan's key in the kind of its job


def request_plan(study: Study, raw: Mapping[str, Any], *, user: Actor) -> Plan | Job:
    """Return the stored plan with these parameters, or the job that calculates it. Identical requests share one job.

    `raw` has the form of `PlanParameters.as_json`. Raises `Refused` with the code `invalid`, `impossible-plan`,
    `no-plans`, `not-allowed`, `state`, or `busy` if many plans of the study are being calculated.
    """
    require(study, user, Action.MANAGE)
    refuse_state(study, Action.MANAGE)
    parameters = checked_parameters(study, raw, user=user)
    stored = study.plans.filter(key=key_of(parameters)).first()
    if stored:
        return stored
    kind = kind_of_job(parameters)
    with write():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)  # count the plans one request at a time
        if unfinished_plan_jobs(study).exclude(kind=kind.replace(":", "-")).count() >= MOST_AT_ONCE:
            raise Refused("busy", f"{MOST_AT_ONCE} plans of this study are being calculated. Try again later.")
        return request_job(study, kind, parameters={"plan": parameters.as_json()}, user=user)


def planning_of(study: Study) -> Planning:
    """Return the planning of the study's task type. Raises `Refused` (`no-plans`) if the task type has none."""
    planning = tasktypes.get(study.task_type).planning
    if planning is None:
        raise Refused("no-plans", "Accord cannot plan studies of this task type.", status=400)
    return planning


def checked_parameters(study: Study, raw: Mapping[str, Any], *, user: Actor) -> PlanParameters:
    """Return the parameters of a possible plan, with the current state of its pilot. Raises `Refused` with the code
    `invalid` and messages by parameter, with the code `impossible-plan` and the reason, or with the code
    `unknown-pilot`.
    """
    planning = planning_of(study)
    try:
        parameters = clean_parameters(planning, raw)
    except InvalidOptions as invalid:
        fields = {name: [message] for name, message in invalid.errors.items()}
        raise Refused("invalid", f"The plan contains errors. {invalid}", status=400, fields=fields) from None
    try:
        prepare_plan(planning, parameters)
    except ValueError as error:
        raise Refused("impossible-plan", str(error)) from None
    return with_pilot(study, parameters, user=user)


def key_of(parameters: PlanParameters) -> str:
    """Return the hash of the parameters and of the software versions that can change the figures."""
    content = json.dumps([parameters.as_json(), versions()], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def kind_of_job(parameters: PlanParameters) -> str:
    """Return the kind of the job that calculates a plan. Identical plans have the same kind, so that they share one
    job.
    """
    return f"plan:{key_of(parameters)[:KEY_IN_KIND]}"


def make_plan(study_id: int, raw: Mapping[str, Any], *, user: Actor, progress: Progress) -> Plan:
    """Calculate and store the plan with these parameters. If the plan is already stored, for example because a job was
    repeated, return the stored plan.
    """
    study = permitted_study(study_id, user, Action.MANAGE)
    planning = planning_of(study)
    parameters = checked_parameters(study, raw, user=user)
    key = key_of(parameters)
    stored = study.plans.filter(key=key).first()
    if stored:
        return stored
    pilot = read_pilot(study, parameters, planning, user=user)
    prepared = prepare_plan(planning, parameters, pilot.answers.pilot if pilot else None)
    result = calculate_plan(prepared, progress) | ({"pilot": pilot.described} if pilot else {})
    with write():
        refuse_archived(Study.objects.select_for_update(no_key=True).get(pk=study.pk))  # number plans one at a time
        last = study.plans.aggregate(last=Max("number"))["last"] or 0
        plan, _ = study.plans.get_or_create(
            key=key,
            defaults={
                "number": last + 1,
                "parameters": parameters.as_json(),
                "versions": versions(),
                "result": result,
                "created_by": researcher(user),
            },
        )
        return plan


def use_plan(
    plan_id: int, *, per_question: int, design: Mapping[str, Any], change_study: bool = False, user: Actor
) -> Plan:
    """Choose a plan's design as the study's plan. With `change_study`, which is possible only in drafts, also copy the
    design to the study's settings.

    `per_question` and `design` must be one of the designs in the plan (`designs_of`). Raises `Refused` with the code
    `unknown-design` for other designs, or `locked` for settings of an opened study.
    """
    with write():
        plan = Plan.objects.get(pk=plan_id)
        study = locked_study(plan.study_id, user, Action.CHANGE_SETTINGS)
        refuse_archived(study)
        chosen = {"per_question": per_question, "design": dict(design)}
        if chosen not in designs_of(plan):
            raise Refused("unknown-design", "The plan does not contain this design. Choose another design.", status=400)
        if plan.chosen != chosen:
            study.plans.exclude(pk=plan.pk).filter(chosen__isnull=False).update(chosen=None)
            plan.chosen = chosen
            plan.save(update_fields=["chosen"])
            record(study, "chose plan", user=user, detail={"plan": plan.number, **chosen})
        if change_study:
            options = {name: value for name, value in design.items() if name in study.options}
            change_settings(study.pk, user=user, options=options, judgements=per_question)
        return plan


def designs_of(plan: Plan) -> list[dict[str, Any]]:
    """Return the designs to choose from: the plan's numbers of answers per question, and the designs that reach the
    target or use the budget.
    """
    own = plan.parameters["design"]
    compared = [{"per_question": row["per_question"], "design": own} for row in plan.result["designs"]]
    searched = [
        {"per_question": row["per_question"], "design": row["design"]}
        for row in (*plan.result.get("searched", ()), *plan.result.get("for_budget", ()))
        if row["per_question"] is not None
    ]
    others = [each for place, each in enumerate(searched) if each not in (*compared, *searched[:place])]
    return [*compared, *others]
