"""Drafting and freezing preregistrations. A preregistration is an entry of the audit log, which nobody can change."""

from __future__ import annotations

from collections.abc import Mapping

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Event, Question, Study
from annotate.questions.selectors.data import PREREGISTERED, facts, preregistrations
from annotate.server.refusals import invalid
from reporting.preregistration.departures import stated_settings
from reporting.preregistration.template import FIELDS, Plan, checksum, document, drafted

LONGEST = 10_000  # characters of a field


def plan_of(study: Study) -> Plan:
    """Return what the texts state about the study now."""
    annotators = study.participations.annotators()  # no programs, because no result depends on their answers
    answers = annotators.filter(assignments__answers__given_at__isnull=False).values("assignments__answers")
    questions = study.questions.filter(kind=Question.Kind.REGULAR).count()
    return Plan(facts(study), study.items.filter(held_out=False).count(), questions, answers.count(), _chosen(study))


def draft_of(study: Study) -> dict[str, str]:
    """Return the texts for a new preregistration: those of the latest one, or those that follow from the settings."""
    earlier = preregistrations(study)
    if earlier:
        return dict(earlier[-1]["document"]["fields"])
    return drafted(tasktypes.get(study.task_type), plan_of(study))


def freeze(study_id: int, texts: Mapping[str, str], *, user: Actor) -> Event:
    """Freeze a preregistration with its checksum and the time, and return its entry in the log.

    Fields without a text get the text that follows from the settings. Raises `Refused` (`invalid`) if a field is
    unknown, too long, or required and empty, or if the study has no questions yet.
    """
    known = {field.name for field in FIELDS}
    if unknown := texts.keys() - known:
        raise invalid(min(unknown), f"The template has no field {min(unknown)}. Fields: {', '.join(sorted(known))}.")
    for field in FIELDS:
        text = texts.get(field.name, "").strip()
        if field.required and not text:
            raise invalid(field.name, f"{field.heading}: write a text, because Accord cannot fill it in.")
        if len(text) > LONGEST:
            raise invalid(field.name, f"{field.heading}: shorten the text to {LONGEST:,} characters.")
    with write():
        study = locked_study(study_id, user, Action.MANAGE)
        plan = plan_of(study)
        if not plan.questions:
            raise invalid("questions", "Build the design first. A preregistration states the number of questions.")
        complete = drafted(tasktypes.get(study.task_type), plan) | dict(texts)
        frozen = document(plan, complete, stated_settings(plan.facts, plan.questions))
        return record(study, PREREGISTERED, user=user, document=frozen, sha256=checksum(frozen))


def _chosen(study: Study) -> str:
    """Describe the plan that the study uses, if the room of plans is installed and one is chosen."""
    plans = getattr(study, "plans", None)
    chosen = None if plans is None else plans.filter(chosen__isnull=False).first()
    return f"The number follows from plan {chosen.number}, which Accord simulated before the study." if chosen else ""
