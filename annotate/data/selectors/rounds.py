"""Adaptive rounds: the rounds of a study, and the size and cost of the next round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Max, QuerySet

from annotate import tasktypes
from annotate.core.selectors.sizes import items_imported
from annotate.models import AdaptiveRound, HitQuestion, Question, Report, Study
from annotate.questions.selectors.questions import answers_that_count
from annotate.tasktypes import ROUND

MOST_QUESTIONS = 10_000


@dataclass(frozen=True)
class RoundRow:
    """A round of a study: its questions, its HITs, and the number of judgements that count."""

    number: int
    report: int
    questions: int
    first_hit: int
    last_hit: int
    judgements: int
    created_at: datetime


@dataclass(frozen=True)
class RoundPlan:
    """The next round as a report has chosen it. `cost` is the cost of the `assignments` of the HITs without platform
    fees. Without questions, `reason` states what is missing. `outdated` is true if the study has
    changed, so that this round cannot be added any more.
    """

    report: int
    number: int
    questions: int
    hits: int
    assignments: int
    cost: Decimal
    checks: Sequence[dict[str, Any]]
    reason: str
    outdated: bool
    judgements: int
    created_at: datetime


def rounds_of(study: Study) -> list[RoundRow]:
    """Return the adaptive rounds of the study, in three queries."""
    rounds = list(study.rounds.select_related("report").defer("report__input", "report__result", "report__people"))
    if not rounds:
        return []
    first = min(each.first_hit for each in rounds)
    questions = _by_hit(HitQuestion.objects.filter(hit__study=study, hit__number__gte=first), "hit__number")
    counted = answers_that_count(study).filter(assignment__hit__number__gte=first, question__kind=Question.Kind.REGULAR)
    judgements = _by_hit(counted, "assignment__hit__number")
    return [
        RoundRow(
            each.number,
            each.report.number,
            _within(questions, each),
            each.first_hit,
            each.last_hit,
            _within(judgements, each),
            each.created_at,
        )
        for each in sorted(rounds, key=lambda each: each.number)
    ]


def _by_hit(rows: QuerySet[Any], number: str) -> dict[int, int]:
    return dict(rows.values_list(number).annotate(count=Count("pk")).order_by())


def _within(counts: dict[int, int], adaptive_round: AdaptiveRound) -> int:
    hits = range(adaptive_round.first_hit, adaptive_round.last_hit + 1)
    return sum(count for hit, count in counts.items() if hit in hits)


def next_round(study: Study) -> int:
    """Return the number of the next adaptive round."""
    return (study.rounds.aggregate(last=Max("number"))["last"] or 0) + 1


def round_parameters(study: Study, questions: int) -> dict[str, Any]:
    """Return the parameters of the report that chooses the next round."""
    design = study.design.number if study.design else 0
    return {"questions": questions, "round": next_round(study), "design": design}


def is_outdated(study: Study, report: Report) -> bool:
    """Return whether items or another round were added to the study after the report had chosen a round."""
    current = round_parameters(study, 0)
    return any(report.parameters.get(name) != current[name] for name in ("round", "design"))


def latest_plan(study: Study) -> RoundPlan | None:
    """Return the latest chosen round that was not added to the study, or None."""
    report = study.reports.filter(kind=ROUND).order_by("-number").defer("input", "people").first()
    if report is None or AdaptiveRound.objects.filter(report=report).exists():
        return None
    questions, hits = size_of(report.result), hits_of_round(study, report.result)
    assignments = hits * report.result.get("judgements_each", 1)
    return RoundPlan(
        report.number,
        report.parameters.get("round", 0),
        questions,
        hits,
        assignments,
        study.reward * assignments,
        report.result.get("checks", []),
        report.result.get("reason", ""),
        is_outdated(study, report),
        report.result["judgements"],
        report.created_at,
    )


def size_of(result: Mapping[str, Any]) -> int:
    """Return the number of questions in a chosen round, from the result of its report."""
    return len(result.get("questions") or result.get("again") or ())


def hits_of_round(study: Study, result: Mapping[str, Any]) -> int:
    """Return the number of HITs in a chosen round, from the result of its report."""
    return -(-size_of(result) // study.questions_per_hit)


def suggested_questions(study: Study) -> int:
    """Return the suggested number of questions in the next round, which fills whole HITs."""
    size, rounds = study.questions_per_hit, tasktypes.get(study.task_type).rounds
    per_item = rounds.per_item if rounds else 0
    wanted = round(per_item * items_imported(study, in_design=True))
    return min(MOST_QUESTIONS, max(1, -(-wanted // size)) * size)


def offers_rounds(study: Study) -> bool:
    """Return whether the task type of the study can choose adaptive rounds."""
    return tasktypes.get(study.task_type).rounds is not None
