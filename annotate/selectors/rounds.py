"""Adaptive rounds: the rounds of a study, and the size and cost of the next round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Max

from annotate import tasktypes
from annotate.models import AdaptiveRound, Report, Study
from annotate.tasktypes import ROUND

from .questions import answers_that_count
from .sizes import items_imported

SUGGESTED_PER_ITEM = 0.5  # the suggested number of questions in a round, per item of the study
MOST_QUESTIONS = 10_000


@dataclass(frozen=True)
class RoundRow:
    """A round of a study: its questions, its HITs, and the number of its judgements that count."""

    number: int
    report: int
    questions: int
    first_hit: int
    last_hit: int
    judgements: int
    created_at: datetime


@dataclass(frozen=True)
class RoundPlan:
    """The next round as a report has chosen it. `hits` is the number of HITs, each of which is assigned once. `cost`
    contains no platform fees. Without questions, `reason` states what is missing. `outdated` is true if the study has
    changed, so that this round cannot be added any more.
    """

    report: int
    number: int
    questions: int
    hits: int
    cost: Decimal
    checks: Sequence[dict[str, Any]]
    reason: str
    outdated: bool
    judgements: int
    created_at: datetime


def rounds_of(study: Study) -> list[RoundRow]:
    """Return the adaptive rounds of the study, in two queries."""
    counted = answers_that_count(study).filter(question__adaptive_round__isnull=False)
    judgements = dict(counted.values_list("question__adaptive_round").annotate(count=Count("pk")))
    rounds = study.rounds.annotate(size=Count("questions")).select_related("report").order_by("number")
    return [
        RoundRow(
            each.number,
            each.report.number,
            each.size,
            each.first_hit,
            each.last_hit,
            judgements.get(each.pk, 0),
            each.created_at,
        )
        for each in rounds.defer("report__input", "report__result", "report__people")
    ]


def next_round(study: Study) -> int:
    """Return the number of the next adaptive round."""
    return (study.rounds.aggregate(last=Max("number"))["last"] or 0) + 1


def round_parameters(study: Study, questions: int) -> dict[str, Any]:
    """Return the parameters of the report that chooses the next round."""
    design = study.design.number if study.design else 0
    return {"questions": questions, "round": next_round(study), "design": design}


def is_outdated(study: Study, report: Report) -> bool:
    """Return whether items or another round were added to the study after the report had chosen a round."""
    return report.parameters != round_parameters(study, report.parameters.get("questions", 0)) | _simulated(report)


def latest_plan(study: Study) -> RoundPlan | None:
    """Return the latest chosen round that was not added to the study, or None."""
    report = study.reports.filter(kind=ROUND).order_by("-number").defer("input", "people").first()
    if report is None or AdaptiveRound.objects.filter(report=report).exists():
        return None
    questions = len(report.result.get("questions", []))
    hits = -(-questions // study.questions_per_hit)
    return RoundPlan(
        report.number,
        report.parameters.get("round", 0),
        questions,
        hits,
        study.reward * hits,
        report.result.get("checks", []),
        report.result.get("reason", ""),
        is_outdated(study, report),
        report.result["judgements"],
        report.created_at,
    )


def suggested_questions(study: Study) -> int:
    """Return the suggested number of questions in the next round, which fills whole HITs."""
    size = study.questions_per_hit
    wanted = round(SUGGESTED_PER_ITEM * items_imported(study, in_design=True))
    return min(MOST_QUESTIONS, max(1, -(-wanted // size)) * size)


def offers_rounds(study: Study) -> bool:
    """Return whether the task type of the study can choose adaptive rounds."""
    return tasktypes.get(study.task_type).rounds is not None


def _simulated(report: Report) -> dict[str, Any]:
    """Return the parameter that `make_report` adds if the answers include answers of simulated annotators."""
    return {name: value for name, value in report.parameters.items() if name == "simulated_annotators"}
