"""Study figures, calculated from the counts that triggers update. Each figure is the sum of only a few rows, even in
large studies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotate.models import (
    Answer,
    Assignment,
    GoldCount,
    HitQuestion,
    HourCount,
    Question,
    Study,
)
from annotate.models.count_triggers import FIGURES, GOLD_FIGURES

CENTS = Decimal("0.0001")  # rounding of sums, which SQLite calculates in floating point


@dataclass(frozen=True)
class Totals:
    """Sums over annotators and hours, such as judgements, completed and submitted HITs, rewards owed, and gold
    answers.
    """

    judgements: int = 0
    hits: int = 0
    submitted: int = 0
    credit: Decimal = Decimal(0)
    gold_given: int = 0
    gold_right: int = 0


@dataclass(frozen=True)
class Hour:
    """The figures for the hour that begins at `at`. `annotators` is the number of annotators who worked in
    this hour.
    """

    at: datetime
    judgements: int
    hits: int
    gold_given: int
    gold_right: int
    annotators: int


@dataclass(frozen=True)
class GoldTotals:
    given: int = 0
    missed: int = 0
    disputed: int = 0


def totals(study: Study) -> Totals:
    """Return the study's figures, in one query."""
    return _totals(HourCount.objects.filter(study=study).aggregate(**_SUMS))


def totals_by_study(studies: Iterable[int]) -> dict[int, Totals]:
    """Return the figures for all of these studies, in one query. Studies without counts are omitted."""
    return _grouped(HourCount.objects.filter(study__in=list(studies)), "study")


def totals_by_annotator(study: Study, participation: int | None = None) -> dict[int, Totals]:
    """Return figures by participation, for all annotators or for one annotator, in one query. Annotators without counts
    are omitted.
    """
    rows = HourCount.objects.filter(study=study)
    return _grouped(rows if participation is None else rows.filter(participation=participation), "participation")


def hours(study: Study) -> list[Hour]:
    """Return the hours that have counts, in chronological order, in one query."""
    active = Q(judgements__gt=0) | Q(submitted__gt=0) | Q(gold_given__gt=0)
    rows: Iterable[Any] = (
        HourCount.objects.filter(study=study)
        .values("hour")
        .annotate(**_SUMS, annotators=Count("participation", distinct=True, filter=active))
        .order_by("hour")
    )
    return [
        Hour(
            row["hour"],
            row["sum_judgements"],
            row["sum_hits"],
            row["sum_gold_given"],
            row["sum_gold_right"],
            row["annotators"],
        )
        for row in rows
    ]


def gold_totals(study: Study) -> dict[int, GoldTotals]:
    """Return each active gold question's results by primary key, in one query."""
    return _gold(GoldCount.objects.filter(question__study=study, question__kind=Question.Kind.GOLD))


_SUMS = {f"sum_{name}": Sum(name) for name in FIGURES}
_GOLD_SUMS = {f"sum_{name}": Sum(name) for name in GOLD_FIGURES}


def _grouped(rows: QuerySet[HourCount], key: str) -> dict[int, Totals]:
    return {row[key]: _totals(row) for row in rows.order_by().values(key).annotate(**_SUMS)}


def _gold(counts: QuerySet[GoldCount]) -> dict[int, GoldTotals]:
    rows: Iterable[Any] = counts.order_by().values("question").annotate(**_GOLD_SUMS)
    return {row["question"]: GoldTotals(*(row[f"sum_{name}"] for name in GOLD_FIGURES)) for row in rows}


def _totals(row: Any) -> Totals:
    figures: dict[str, Any] = {name: row[f"sum_{name}"] or 0 for name in FIGURES}
    return Totals(**figures | {"credit": Decimal(figures["credit"]).quantize(CENTS)})


# ── the same figures counted from answers and assignments ─────────────────────────────────────────────────────────


def stored_counts(study: Study) -> dict[str, Any]:
    """Return the study's stored counts, except zeros. The stored counts must always equal the result of `recounted`."""
    by_hour: Iterable[Any] = HourCount.objects.filter(study=study).values("participation", "hour").annotate(**_SUMS)
    gold = _gold(GoldCount.objects.filter(question__study=study))
    return {
        "hours": _without_zeros({(row["participation"], row["hour"]): _totals(row) for row in by_hour}, Totals()),
        "gold": _without_zeros(gold, GoldTotals()),
        "assignments wanted": Study.objects.values_list("assignments_planned", flat=True).get(pk=study.pk),
        "judgements wanted": Study.objects.values_list("judgements_planned", flat=True).get(pk=study.pk),
    }


def recounted(study: Study) -> dict[str, Any]:
    """Return the same figures as `stored_counts`, recalculated in Python. The calculation is slow, but does not depend
    on the triggers.
    """
    sums: dict[tuple[int, datetime], dict[str, Any]] = {}

    def add(participation: int, at: datetime, **figures: Any) -> None:
        own = sums.setdefault((participation, at.replace(minute=0, second=0, microsecond=0)), dict.fromkeys(FIGURES, 0))
        for name, value in figures.items():
            own[name] += value

    for assignment in study.assignments.filter(kind=Assignment.Kind.REGULAR):
        add(
            assignment.participation_id,
            assignment.submitted_at or assignment.claimed_at,
            hits=int(assignment.state == Assignment.State.DONE),
            submitted=int(assignment.state in _ENDED and assignment.submitted_at is not None),
            credit=assignment.reward if assignment.credited else 0,
        )
    gold: dict[int, list[int]] = {}
    answers = Answer.objects.filter(participation__study=study, given_at__isnull=False)
    for answer in answers.select_related("assignment", "question"):
        assignment, question = answer.assignment, answer.question
        regular = assignment.kind == Assignment.Kind.REGULAR and question.kind == Question.Kind.REGULAR
        counts = regular and assignment.state == Assignment.State.DONE and not (answer.repeat or answer.excluded)
        by_people = assignment.kind not in Assignment.NOT_BY_PEOPLE
        graded = answer.tally is not None and by_people
        is_gold = graded and question.kind == Question.Kind.GOLD
        add(
            answer.participation_id,
            answer.given_at or _NEVER,
            judgements=int(counts),
            gold_given=int(is_gold),
            gold_right=int(is_gold and bool(answer.passed)),
        )
        if graded and question.kind in (Question.Kind.GOLD, Question.Kind.RETIRED):
            own = gold.setdefault(question.pk, [0, 0, 0])
            own[0] += 1
            own[1] += answer.passed is False
            own[2] += answer.disputed and answer.passed is False
    return {
        "hours": _without_zeros({key: Totals(**row) for key, row in sums.items()}, Totals()),
        "gold": _without_zeros({key: GoldTotals(*row) for key, row in gold.items()}, GoldTotals()),
        "assignments wanted": study.slots.count(),
        "judgements wanted": HitQuestion.objects.filter(hit__study=study, hit__slots__isnull=False).count(),
    }


_NEVER = datetime.min.replace(tzinfo=UTC)
_ENDED = (Assignment.State.DONE, Assignment.State.SURPLUS, Assignment.State.VOID)


def _without_zeros(rows: dict[Any, Any], zero: Any) -> dict[Any, Any]:
    return {key: row for key, row in rows.items() if row != zero}
