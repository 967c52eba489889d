"""Study figures, calculated from the counts that triggers update. Each figure is the sum of only a few rows, even in
large studies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotate.models import (
    GoldCount,
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
    """Return the hours that have counts, in chronological order, in one query. Gold answers that annotators excluded on
    withdrawal are left out.
    """
    active = Q(judgements__gt=0) | Q(submitted__gt=0) | Q(gold_given__gt=0)
    rows: Iterable[Any] = (
        HourCount.objects.filter(study=study)
        .values("hour")
        .annotate(**_SUMS | _INCLUDED_GOLD, annotators=Count("participation", distinct=True, filter=active))
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
    counts = GoldCount.objects.filter(question__study=study, question__kind=Question.Kind.GOLD)
    rows: Iterable[Any] = counts.order_by().values("question").annotate(**_GOLD_SUMS)
    return {row["question"]: GoldTotals(*(row[f"sum_{name}"] for name in GOLD_FIGURES)) for row in rows}


def gold_accuracy(study: Study) -> tuple[int, int]:
    """Return the numbers of graded gold answers and of correct ones, in two queries. Gold answers that annotators
    excluded on withdrawal are left out. Unanswered gold questions in imported HITs, which no hour counts, are missed.
    """
    questions = gold_totals(study).values()
    given, missed = (sum(getattr(question, name) for question in questions) for name in ("given", "missed"))
    excluded = _totals(HourCount.objects.filter(study=study).exclude(_INCLUDED).aggregate(**_SUMS))
    return given - excluded.gold_given, given - missed - excluded.gold_right


_SUMS = {f"sum_{name}": Sum(name) for name in FIGURES}
_INCLUDED = Q(participation__excludes_answers=False)
_INCLUDED_GOLD = {f"sum_{name}": Sum(name, filter=_INCLUDED, default=0) for name in ("gold_given", "gold_right")}
_GOLD_SUMS = {f"sum_{name}": Sum(name) for name in GOLD_FIGURES}


def _grouped(rows: QuerySet[HourCount], key: str) -> dict[int, Totals]:
    return {row[key]: _totals(row) for row in rows.order_by().values(key).annotate(**_SUMS)}


def _totals(row: Any) -> Totals:
    figures: dict[str, Any] = {name: row[f"sum_{name}"] or 0 for name in FIGURES}
    return Totals(**figures | {"credit": Decimal(figures["credit"]).quantize(CENTS)})
