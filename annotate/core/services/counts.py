"""Services that sum and recalculate the counts that database triggers maintain. See models/count_triggers.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import OperationalError, connection

from annotate.models import GoldCount, HourCount
from annotate.models.count_triggers import FIGURES, GOLD_FIGURES, count_anew

from .writing import write

AT_ONCE = 5_000
TRIES = 5


def sum_counts(at_once: int = AT_ONCE) -> int:
    """Replace individual changes to the counts with totals: one row per annotator and hour, and one per gold question.

    The figures stay the same. Rows that another process is summing are skipped. Returns the number of replaced rows.
    """
    replaced = 0
    for model, keys, figures in (
        (HourCount, ("study_id", "participation_id", "hour"), FIGURES),
        (GoldCount, ("question_id",), GOLD_FIGURES),
    ):
        while number := _sum_some(model, keys, figures, at_once):
            replaced += number
            if number < at_once:
                break
    return replaced


def _sum_some(model: Any, keys: Sequence[str], figures: Sequence[str], at_once: int) -> int:
    with write():
        locked = model.objects.select_for_update(skip_locked=True)
        changes = list(locked.filter(summed=False).order_by("pk")[:at_once])
        if not changes:
            return 0
        narrow = keys[1:] or keys  # an annotator belongs to one study
        own = {tuple(getattr(row, key) for key in keys) for row in changes}
        sums = locked.filter(summed=True, **{f"{key}__in": {getattr(row, key) for row in changes} for key in narrow})
        earlier = [row for row in sums if tuple(getattr(row, key) for key in keys) in own]
        rows: dict[tuple[Any, ...], Any] = {}
        for row in [*changes, *earlier]:
            key = tuple(getattr(row, name) for name in keys)
            total = rows.setdefault(key, model(**dict(zip(keys, key, strict=True)), summed=True))
            for figure in figures:
                setattr(total, figure, getattr(total, figure) + getattr(row, figure))
        model.objects.filter(pk__in=[row.pk for row in [*changes, *earlier]]).delete()
        model.objects.bulk_create(row for row in rows.values() if any(getattr(row, figure) for figure in figures))
        return len(changes)


def recount(study_id: int | None = None) -> None:
    """Recalculate the counts of one study or all studies from answers and assignments. This repairs the counts if
    triggers were missing.

    One snapshot covers the recount and the replaced counts, so that concurrent changes are still counted.
    """
    for attempt in range(1, TRIES + 1):
        try:
            with write():
                if connection.vendor == "postgresql" and len(connection.savepoint_ids) == 0:
                    with connection.cursor() as cursor:
                        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                count_anew(connection, study_id)
            return
        except OperationalError:  # another process summed the rows in the meantime
            if attempt == TRIES or connection.in_atomic_block:
                raise
