"""The stored plans of a study, and the usual parameters of a new plan."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import Any

from django.db.models import QuerySet

from annotate.core.selectors.sizes import gold_in_hit, hits_of, items_imported, planned_seconds
from annotate.data.selectors.design import gold_cover, seconds_tried
from annotate.gold.selectors.rule import current_rule, operating_figures
from annotate.models import Assignment, Job, Study
from annotate.planning.models import Plan
from annotate.tasktypes import GUESSER, ItemDraft, Planning
from annotate.tasktypes.options import share_for_people

SAMPLE = 500  # items from which the usual design is read
TIMED = 500  # most recent HITs whose times give the usual seconds per question
ANNOTATORS = 20
NOBODY = (0.0, 0.0)  # the share of careless annotators in a team


def plans_of(study: Study) -> QuerySet[Plan]:
    """Return the plans of a study, newest first."""
    return study.plans.select_related("created_by").order_by("-number")


def plan_in_use(study: Study) -> Plan | None:
    """Return the study's plan."""
    return study.plans.filter(chosen__isnull=False).first()


def plan_jobs(study: Study) -> QuerySet[Job]:
    """Return the jobs that calculate plans of a study, newest first."""
    return study.jobs.filter(kind__startswith="plan-").order_by("-pk")


def unfinished_plan_jobs(study: Study) -> QuerySet[Job]:
    """Return the waiting and running jobs that calculate plans of a study, newest first."""
    return plan_jobs(study).filter(state__in=[Job.State.WAITING, Job.State.RUNNING])


def usual_parameters(study: Study, planning: Planning) -> dict[str, Any]:
    """Return those parameters of a new plan that the study determines. The keys are those of `PlanParameters`."""
    rows = study.items.filter(held_out=False).order_by("pk").values_list("key", "content")
    items = [ItemDraft(key, content) for key, content in rows[:SAMPLE]]
    design = planning.defaults(items, study.options) if planning.defaults else {}
    in_hit = gold_in_hit(study)
    shown = study.questions_per_hit + in_hit
    annotators = max(2, planning.fewest, expected_annotators(study))
    return {
        "items": items_for_people(study),
        "design": dict(design),
        "answers": sorted({*planning.levels, max(study.judgements, planning.fewest)}),
        "assumptions": _usual_assumptions(study, planning),
        "annotators": annotators,
        "price": float(study.reward),
        "currency": study.currency,
        "per_hit": shown,
        "gold": round(in_hit / shown, 4),
        "fee": 0.0,
        "seconds": usual_seconds(study, planning)[0],
        "hours_per_day": 2.0,
        "caught": caught_by_rule(study)[0] or 0.0,
        "studies": planning.studies,
        "seed": 1,
        "budget": None if study.budget_cap is None else float(study.budget_cap),
        "target": study.options.get("target"),
        "days": None,
    }


def items_for_people(study: Study) -> int:
    """Return the number of items in the design or, if people answer only a random part, the expected number of items
    that they answer.
    """
    items, share = items_imported(study, in_design=True), share_for_people(study.options)
    return max(round(items * share), min(1, items))


def _usual_assumptions(study: Study, planning: Planning) -> dict[str, list[float]]:
    """Return the assumption that nobody in a team is careless, because the researcher knows the annotators. Otherwise,
    a single careless annotator among three would decide the interval.
    """
    has = any(each.name == "careless" for each in planning.assumptions)
    return {"careless": list(NOBODY)} if has and study.admission == Study.Admission.NAMED else {}


def expected_annotators(study: Study) -> int:
    """Return the study's maximum number of annotators, the number of named annotators, or the usual number."""
    named = study.named_annotators.exclude(name="").count() if study.admission == Study.Admission.NAMED else 0
    return study.annotator_limit or named or ANNOTATORS


def caught_by_rule(study: Study) -> tuple[float | None, str]:
    """Return the probability that the study's quality rule stops a guesser, or None with the reason why it is
    unknown. The guesser submits as many HITs as each annotator if all submit equally many.
    """
    rule = current_rule(study, gold_cover(study))
    if hits := hits_of(study):
        each = -(-hits * study.judgements // expected_annotators(study))
        rule = replace(rule, hits=min(rule.hits, each))
    figures = operating_figures(study, rule)
    if figures["reason"]:
        return None, str(figures["reason"])
    stopped = next(kind["stopped"] for kind in figures["annotators"] if kind["name"] == GUESSER)
    return round(float(stopped), 3), ""


def usual_seconds(study: Study, planning: Planning) -> tuple[float, str]:
    """Return the seconds per question and their source: the most recent HITs (their median), try-outs, the time that
    the planned hourly wage pays for, or the usual value of the task type.
    """
    seconds, source = seconds_per_question(study) or (planning.seconds, "usual for this task")
    return round(seconds, 1), source


def seconds_per_question(study: Study) -> tuple[float, str] | None:
    """Return the seconds per question known from the study, with their source, or None."""
    shown = study.questions_per_hit + gold_in_hit(study)
    timed = study.assignments.filter(seconds__gt=0).exclude(kind__in=Assignment.NOT_BY_PEOPLE).order_by("-pk")
    if times := [seconds or 0.0 for seconds in timed.values_list("seconds", flat=True)[:TIMED]]:
        return median(times) / shown, "as in this study"
    if tried := seconds_tried(study):
        return tried / shown, "as in your try-outs"
    if planned := planned_seconds(study):
        return float(planned) / shown, "from the planned wage"
    return None
