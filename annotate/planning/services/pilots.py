"""Pilots: the answers for estimating a plan's assumptions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from annotate.core.permissions import SYSTEM, Action, Actor, permitted_studies
from annotate.models import Study
from annotate.planning.selectors.answers import plan_answers
from annotate.planning.selectors.pilots import pilot_state
from annotate.server.refusals import Refused
from annotate.tasktypes import PilotAnswers, Planning, TooFewAnswers
from annotate.tasktypes.plan_parameters import PlanParameters


@dataclass(frozen=True)
class PlanPilot:
    """A study's answers, used as a pilot. `described` contains the numbers shown by a stored plan."""

    answers: PilotAnswers
    described: dict[str, Any]


def with_pilot(study: Study, parameters: PlanParameters, *, user: Actor) -> PlanParameters:
    """Return the parameters with the current state of the pilot's answers, so that new answers lead to a new plan.

    Raises `Refused` (`unknown-pilot`) if the pilot is a study that the user cannot see or that has another task type.
    """
    if parameters.pilot is None:
        return parameters
    return replace(parameters, pilot=pilot_state(_pilot_study(study, parameters, user)))


def read_pilot(study: Study, parameters: PlanParameters, planning: Planning, *, user: Actor) -> PlanPilot | None:
    """Return the answers of the pilot, or None for a plan without a pilot. Answers of a pilot count even if the study
    excludes them from its scores.

    Raises `Refused` with the code `unknown-pilot`, `too-few-answers` with the reason, or `impossible-plan` if the
    simulated pilots would contain too many answers.
    """
    if parameters.pilot is None:
        return None
    source = _pilot_study(study, parameters, user)
    read = plan_answers(source, with_pilot=True)
    try:
        answers = planning.pilot(read.columns)
    except TooFewAnswers as error:
        raise Refused("too-few-answers", str(error)) from None
    total = answers.answers * parameters.studies
    if total > planning.largest_plan:
        raise Refused(
            "impossible-plan",
            f"This plan would simulate {parameters.studies:,} pilots with {total:,} {planning.wording.answers} in all, "
            f"but the limit is {planning.largest_plan:,}. Reduce the number of studies.",
        )
    described = {
        "study": source.public_id,
        "answers": answers.answers,
        "questions": answers.questions,
        "annotators": answers.annotators,
        "simulated": read.simulated,
    }
    return PlanPilot(answers, described)


def _pilot_study(study: Study, parameters: PlanParameters, user: Actor) -> Study:
    chosen = (parameters.pilot or {})["study"]
    visible = Study.objects.all() if user is SYSTEM else permitted_studies(user, Action.LOOK)
    source = visible.filter(public_id=chosen, task_type=study.task_type).first()
    if source is None:
        message = "You must be a member of the pilot study, and it must have the same task type as this study."
        raise Refused("unknown-pilot", message, status=400, fields={"pilot": [message]})
    return source
