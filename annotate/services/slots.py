"""Slots that come free, and what fills them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from django.db import connection
from django.db.models import Count, DateTimeField, F, OuterRef, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from annotate.models import Assignment, Participation, Slot, Study


def release(study: Study, assignments: Sequence[Assignment]) -> int:
    """Free the slots that these assignments held; they must be locked and no longer leased or done.

    Work that somebody else did in vain on the same HIT (surplus) takes a freed slot first. What remains opens again,
    and the study's supply moves, so that annotators for whom there was nothing look again.

    Returns how many slots opened.
    """
    held = [a for a in assignments if a.kind == Assignment.Kind.REGULAR and a.slot_id is not None]
    if not held:
        return 0
    surplus = _surplus_by_hit({a.hit_id for a in held if a.hit_id is not None})
    reopened: list[int] = []
    for assignment in sorted(held, key=lambda a: a.slot_id or 0):
        waiting = surplus.get(assignment.hit_id or 0)
        if waiting:
            heir = waiting.pop(0)
            heir.state, heir.slot_id, heir.reason = Assignment.State.DONE, assignment.slot_id, "took a freed slot"
            heir.save(update_fields=["state", "slot", "reason"])
        elif assignment.slot_id is not None:
            reopened.append(assignment.slot_id)
    if reopened:
        Slot.objects.filter(pk__in=reopened).update(open=1)
        moved(study)
    return len(reopened)


def take_again(assignment: Assignment) -> bool:
    """Take an open slot of the assignment's HIT, its own if it is still free; False when none is open."""
    if assignment.hit_id is None:
        return False
    candidates = (
        Slot.objects.select_for_update(skip_locked=True, no_key=True)
        .filter(hit_id=assignment.hit_id, open=1)
        .order_by("place")
    )
    slots = list(candidates)
    if not slots:
        return False
    slot = next((s for s in slots if s.pk == assignment.slot_id), slots[0])
    slot.open = 0
    slot.save(update_fields=["open"])
    assignment.slot = slot
    return True


def overdue(study_id: int | OuterRef, now: str = "") -> QuerySet[Assignment]:
    """Leases of the study that have ended by the database's clock; SQLite, which has none, is told `moment()`."""
    by_database = connection.vendor == "postgresql"
    sql, values = ("clock_timestamp()", []) if by_database else ("%s", [now or moment()])
    return Assignment.objects.filter(
        study_id=study_id,
        state=Assignment.State.LEASED,
        lease_until__lt=RawSQL(sql, values, DateTimeField()),  # noqa: S611 - two constants
        kind=Assignment.Kind.REGULAR,
    )


def moment() -> str:
    """This moment in the form in which SQLite stores times."""
    return str(timezone.now().astimezone(UTC).replace(tzinfo=None))


def moved(study: Study) -> None:
    """Say that slots have opened. The study is locked last, everywhere."""
    Study.objects.filter(pk=study.pk).update(supply=F("supply") + 1)


def _surplus_by_hit(hits: set[int]) -> dict[int, list[Assignment]]:
    """Counted annotators' surplus, oldest first. Locked by another transaction means: not ours to promote."""
    found: dict[int, list[Assignment]] = {}
    waiting = (
        Assignment.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
        .filter(hit__in=list(hits), state=Assignment.State.SURPLUS, kind=Assignment.Kind.REGULAR)
        .exclude(participation__standing=Participation.Standing.STOPPED)
        .order_by("pk")
    )
    for assignment in waiting:
        found.setdefault(assignment.hit_id or 0, []).append(assignment)
    return found


def wanted(study: Study) -> None:
    """Store the number of assignments and judgements that all slots need. The study must be locked."""
    slots = Slot.objects.filter(study=study)
    Study.objects.filter(pk=study.pk).update(
        assignments_wanted=slots.count(), judgements_wanted=slots.aggregate(all=Count("hit__hit_questions"))["all"]
    )
