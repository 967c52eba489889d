"""The numbers of a study's items, questions and HITs, read mostly from totals stored by imports and designs."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import Max, Sum

from annotate.models import Question, Study, Upload


def items_imported(study: Study, *, in_design: bool = False) -> int:
    """Return the number of imported items, in one query. If `in_design` is true, held-out items are not counted."""
    sums = (
        study.uploads.imported()
        .filter(purpose=Upload.Purpose.ITEMS)
        .aggregate(rows=Sum("rows"), held_out=Sum("held_out"))
    )
    return (sums["rows"] or 0) - ((sums["held_out"] or 0) if in_design else 0)


def questions_of(study: Study, kind: str) -> int:
    """Return the number of questions of the given kind. The number of regular questions is read from the
    design report.
    """
    if kind == Question.Kind.REGULAR:
        return int(study.design.result["questions"]) if study.design else 0
    return study.questions.filter(kind=kind).count()


def hits_of(study: Study) -> int:
    """Return the number of HITs. One simple query suffices, because HITs are numbered consecutively from 1."""
    return study.hits.aggregate(last=Max("number"))["last"] or 0


def gold_in_hit(study: Study) -> int:
    """Return the number of gold questions that are added to a full HIT."""
    return -(-study.questions_per_hit // study.gold_block) if study.gold_block else 0


def planned_seconds(study: Study) -> Decimal | None:
    """Return the seconds for a HIT that the reward pays for at the planned hourly wage, or None if either is
    unknown.
    """
    if not (study.reward and study.planned_hourly_wage):
        return None
    return study.reward / study.planned_hourly_wage * 3600


def planned_minutes(study: Study) -> Decimal | None:
    """Return `planned_seconds` in minutes with one decimal, as shown to annotators and researchers."""
    seconds = planned_seconds(study)
    return seconds and Decimal(f"{(seconds / 60).quantize(Decimal('0.1')).normalize():f}")
