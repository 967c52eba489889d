"""Estimates for each number of answers per question, from a stored plan that agrees with the study's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.core.selectors.progress import judgements_per_question
from annotate.models import Study, User
from annotate.planning.models import Plan
from annotate.planning.selectors.pilots import chosen_pilot, own_pilot
from annotate.planning.selectors.plans import NOBODY, plan_in_use, plans_of, usual_parameters
from annotate.tasktypes import Planning
from annotate.tasktypes.plan_parameters import MOST_LEVELS

STUDIES = 40  # simulated studies, which take seconds and are enough for two digits
NEWEST = 20  # plans among which an agreeing plan is searched
# Parameters that settings of the study decide.
SETTINGS = ("items", "design", "price", "currency", "per_hit", "gold", "caught")


def estimate_parameters(study: Study, planning: Planning, user: User) -> dict[str, Any]:
    """Return the parameters of the plan behind the estimates. `answers` is empty if annotators are too few for two
    numbers of answers per question.
    """
    usual = usual_parameters(study, planning)
    levels = [level for level in _levels(study, planning) if level <= usual["annotators"]]
    return {
        **usual,
        "answers": levels[:MOST_LEVELS] if len(levels) > 1 else [],
        "studies": STUDIES,
        "target": None,
        "budget": None,
        "pilot": own_pilot(study, user),
    }


def agreeing_plan(study: Study, parameters: Mapping[str, Any]) -> Plan | None:
    """Return the plan in use, or else the newest plan, whose parameters agree with the study."""
    plans = [plan_in_use(study), *plans_of(study)[:NEWEST]]
    return next((plan for plan in plans if plan is not None and _agrees(plan, study, parameters)), None)


def _levels(study: Study, planning: Planning) -> list[int]:
    if study.is_draft:
        further = range(planning.search_from, planning.search_from + planning.step * MOST_LEVELS, planning.step)
        levels = sorted({planning.fewest, *further})[: MOST_LEVELS - 1]
        return sorted({*levels, max(study.judgements, planning.fewest)})
    now = max(round(judgements_per_question(study) or study.judgements), planning.fewest)
    return list(range(now, now + MOST_LEVELS))


def _agrees(plan: Plan, study: Study, parameters: Mapping[str, Any]) -> bool:
    own = plan.parameters
    decided = [*SETTINGS, "annotators"] if study.admission == Study.Admission.NAMED else SETTINGS
    if any(own[name] != parameters[name] for name in decided):
        return False
    was_team = tuple(own["assumptions"].get("careless") or ()) == NOBODY
    if was_team and not parameters["pilot"] and study.admission != Study.Admission.NAMED:
        return False
    if study.is_draft:
        return True
    estimated = {row["per_question"] for row in plan.result["designs"]}
    from_answers = parameters["pilot"] is None or chosen_pilot(own) == study.public_id
    return from_answers and estimated.issuperset(parameters["answers"][:2])
