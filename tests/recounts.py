"""The stored counts of a study, and the same figures counted from its answers and assignments."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from annotate.core.selectors.counts import CENTS, GoldTotals, Totals
from annotate.models import Answer, Assignment, GoldCount, HitQuestion, HourCount, Question, Study
from annotate.models.count_triggers import FIGURES, GOLD_FIGURES

NEVER = datetime.min.replace(tzinfo=UTC)
ENDED = (Assignment.State.DONE, Assignment.State.SURPLUS, Assignment.State.VOID)


def stored_counts(study: Study) -> dict[str, Any]:
    """Return the study's stored counts, except zeros. The stored counts must always equal the result of `recounted`."""
    hours = HourCount.objects.filter(study=study).order_by().values_list("participation", "hour")
    gold = GoldCount.objects.filter(question__study=study).order_by().values_list("question")
    by_hour = {tuple(key): _totals(sums) for *key, sums in _summed(hours, FIGURES, key=2)}
    by_question = {question: GoldTotals(*sums) for question, sums in _summed(gold, GOLD_FIGURES, key=1)}
    return {
        "hours": _without_zeros(by_hour, Totals()),
        "gold": _without_zeros(by_question, GoldTotals()),
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
            submitted=int(assignment.state in ENDED and assignment.submitted_at is not None),
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
            answer.given_at or NEVER,
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


def _summed(rows: Any, figures: Any, *, key: int) -> Any:
    sums = rows.annotate(**{f"sum_{name}": Sum(name) for name in figures})
    return [(*row[:key], row[key:]) for row in sums]


def _totals(sums: Any) -> Totals:
    figures = dict(zip(FIGURES, sums, strict=True))
    return Totals(**figures | {"credit": Decimal(figures["credit"]).quantize(CENTS)})


def _without_zeros(rows: dict[Any, Any], zero: Any) -> dict[Any, Any]:
    return {key: row for key, row in rows.items() if row != zero}
