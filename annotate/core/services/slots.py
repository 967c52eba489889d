"""Services that free slots, fill slots with surplus assignments, and reopen slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC

from django.db import connection
from django.db.models import DateTimeField, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from annotate.models import Assignment, NamedAnnotator, Participation, Slot, Study

from .asked_again import balance_slots, uncounted_questions
from .exclusions import exclude_beyond_quota
from .log import record
from .slot_counts import note_opened_slots

KEYS_AT_ONCE = 5_000  # primary keys in one statement


def release(study: Study, assignments: Sequence[Assignment]) -> int:
    """Free the slots that these assignments held, and return the number of slots that opened.

    The assignments must be locked and no longer leased or done. A surplus assignment of the same HIT fills a freed slot
    first. The remaining slots open, and the study's counter of slot openings increases, so that annotators without work
    search again.
    """
    held = [a for a in assignments if a.kind == Assignment.Kind.REGULAR and a.slot_id is not None]
    if not held:
        return 0
    surplus = _surplus_by_hit({a.hit_id for a in held if a.hit_id is not None})
    reserved, groups = (_reservations(held), _groups(held)) if surplus else ({}, {})
    reopened: list[int] = []
    now_counting: list[Assignment] = []
    for assignment in sorted(held, key=lambda a: a.slot_id or 0):
        waiting = surplus.get(assignment.hit_id or 0, [])
        suitable = (one for one in waiting if _is_in(groups.get(assignment.slot_id), one))
        promoted = next((one for one in suitable if _may_hold(one, assignment.slot_id, reserved)), None)
        if promoted:
            waiting.remove(promoted)
            _promote(promoted, assignment.slot_id)
            if assignment.slot_id not in reserved:
                Slot.objects.filter(pk=assignment.slot_id or 0, reserved_for__isnull=False).update(reserved_for=None)
            now_counting.append(promoted)
        elif assignment.slot_id is not None:
            reopened.append(assignment.slot_id)
    if reopened:
        Slot.objects.filter(pk__in=reopened).update(open=1)
        note_opened_slots(study)
    balance_slots(study.pk, uncounted_questions(now_counting))
    exclude_beyond_quota(now_counting)
    return len(reopened)


def open_reservations(participation: Participation, released: Sequence[Assignment]) -> int:
    """Let all annotators claim the slots reserved for an annotator who can no longer claim HITs. Return the number of
    these slots, except those of the released assignments.

    The reservations stay stored. If the annotator is restored, the slots that are still free are reserved again.
    """
    if participation.study.admission != Study.Admission.NAMED:
        return 0
    slots = Slot.objects.filter(study=participation.study_id, open=1, reserved_for__participation=participation)
    opened = slots.exclude(pk__in=[assignment.slot_id or 0 for assignment in released]).count()
    if opened:
        note_opened_slots(participation.study)
    return opened


def end_reservations(participation: Participation) -> None:
    """Let all annotators claim the slots reserved for an annotator who has reached the limit of HITs.

    These reservations end permanently, also if the limit grows later.
    """
    study = participation.study
    if study.admission != Study.Admission.NAMED:
        return
    own = NamedAnnotator.objects.filter(participation=participation)
    slots = Slot.objects.select_for_update(no_key=True).filter(study=study, open=1, reserved_for__in=own)
    locked = list(slots.order_by("pk").values_list("pk", flat=True))  # an update would lock slots in any order
    if locked:
        Slot.objects.filter(study=study, reserved_for__in=own, open=1).update(reserved_for=None)
        note_opened_slots(study)
        record(study, "ended reservations", participation=participation, reason="reached the limit", slots=len(locked))


def end_reservation(assignment: Assignment) -> None:
    """Open a reserved slot to all annotators, because the annotator never gets its HIT again."""
    own = NamedAnnotator.objects.filter(participation=assignment.participation_id)
    if Slot.objects.filter(hit=assignment.hit_id, reserved_for__in=own).update(reserved_for=None):
        note_opened_slots(assignment.study)


def fill_with_surplus(slots: Sequence[Slot]) -> int:
    """Give new open slots to surplus assignments of the same HITs, and return the number of filled slots.

    The assignments count from then on, so that no other annotator is paid for the same work.
    """
    surplus = _surplus_by_hit({slot.hit_id for slot in slots})
    now_counting: list[Assignment] = []
    for slot in slots:
        waiting = surplus.get(slot.hit_id, [])
        promoted = next((one for one in waiting if _is_in(slot.group_id, one)), None)
        if promoted:
            slot.open = 0
            slot.save(update_fields=["open"])
            waiting.remove(promoted)
            _promote(promoted, slot.pk)
            now_counting.append(promoted)
    if slots:
        balance_slots(slots[0].study_id, uncounted_questions(now_counting))
        exclude_beyond_quota(now_counting)
    return len(now_counting)


def take_again(assignment: Assignment) -> bool:
    """Close an open slot in the HIT for the assignment, preferably the assignment's previous slot. If no slot is open,
    return False.
    """
    if assignment.hit_id is None:
        return False
    own = NamedAnnotator.objects.filter(participation=assignment.participation_id)
    candidates = (
        Slot.objects.select_for_update(skip_locked=True, no_key=True)
        .filter(_free() | Q(reserved_for__in=own), hit_id=assignment.hit_id, open=1)
        .filter(Q(group=None) | Q(group=assignment.participation.group_id))
        .order_by("place")
    )
    slots = list(candidates)
    if not slots:
        return False
    slot = next((s for s in slots if s.pk == assignment.slot_id), slots[0])
    slot.open = 0
    if slot.reserved_for_id and not own.filter(pk=slot.reserved_for_id).exists():
        slot.reserved_for = None
    slot.save(update_fields=["open", "reserved_for"])
    assignment.slot = slot
    return True


def free_slots(study_id: int, wanted: Mapping[int, int], *, lock: bool) -> dict[int, list[int]]:
    """Return up to `wanted` open, unreserved slots per HIT, in queue order.

    If `lock` is true, the slots are locked, and slots that another transaction has locked are excluded.
    """
    slots = Slot.objects.filter(_free(), study=study_id, open=1)
    chosen: dict[int, list[int]] = {}
    for hit_id, pk in slots.order_by("place").values_list("hit_id", "pk").iterator():
        own = chosen.setdefault(hit_id, [])
        if len(own) < wanted.get(hit_id, 0):
            own.append(pk)
    if not lock:
        return chosen
    keys = sorted(pk for own in chosen.values() for pk in own)
    locked: set[int] = set()
    for start in range(0, len(keys), KEYS_AT_ONCE):
        rows = slots.filter(pk__in=keys[start : start + KEYS_AT_ONCE]).order_by("pk")
        locked |= set(rows.select_for_update(skip_locked=True, no_key=True, of=("self",)).values_list("pk", flat=True))
    return {hit_id: [pk for pk in own if pk in locked] for hit_id, own in chosen.items()}


def close(slots: Sequence[int]) -> None:
    """Close slots that `free_slots` has locked. Reservations of these slots, which have no effect, end."""
    for start in range(0, len(slots), KEYS_AT_ONCE):
        Slot.objects.filter(pk__in=slots[start : start + KEYS_AT_ONCE]).update(open=0, reserved_for=None)


def overdue(study_id: int | OuterRef, now: str = "") -> QuerySet[Assignment]:
    """Return assignments whose lease has ended according to the database clock, or to `moment()` on SQLite."""
    by_database = connection.vendor == "postgresql"
    sql, values = ("clock_timestamp()", []) if by_database else ("%s", [now or moment()])
    return Assignment.objects.filter(
        study_id=study_id,
        state=Assignment.State.LEASED,
        lease_until__lt=RawSQL(sql, values, DateTimeField()),  # noqa: S611 - two constants
        kind=Assignment.Kind.REGULAR,
    )


def moment() -> str:
    """Return the current time in SQLite's storage format for times."""
    return str(timezone.now().astimezone(UTC).replace(tzinfo=None))


def _surplus_by_hit(hits: set[int]) -> dict[int, list[Assignment]]:
    """Return the surplus assignments of annotators who have not been stopped, by HIT, oldest first.

    Assignments that another transaction has locked are skipped.
    """
    surplus: dict[int, list[Assignment]] = {}
    assignments = (
        Assignment.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
        .filter(hit__in=list(hits), state=Assignment.State.SURPLUS, kind=Assignment.Kind.REGULAR)
        .exclude(participation__standing=Participation.Standing.STOPPED)
        .select_related("participation")
        .order_by("pk")
    )
    for assignment in assignments:
        surplus.setdefault(assignment.hit_id or 0, []).append(assignment)
    return surplus


def _reservations(assignments: Sequence[Assignment]) -> dict[int | None, int | None]:
    """Return the named annotator's participation for each reserved slot, or None if that annotator has not joined."""
    slots = Slot.objects.filter(pk__in=[a.slot_id for a in assignments]).exclude(_free())
    return dict(slots.values_list("pk", "reserved_for__participation"))


def _groups(assignments: Sequence[Assignment]) -> dict[int | None, int | None]:
    """Return the group of each slot that belongs to a group."""
    slots = Slot.objects.filter(pk__in=[a.slot_id for a in assignments], group__isnull=False)
    return dict(slots.values_list("pk", "group"))


def _free() -> Q:
    """Return the condition for slots that are not reserved, or whose reservation has no effect."""
    return Q(reserved_for=None) | Q(reserved_for__in=NamedAnnotator.objects.ended())


def _may_hold(assignment: Assignment, slot_id: int | None, reserved: Mapping[int | None, int | None]) -> bool:
    return slot_id not in reserved or reserved[slot_id] == assignment.participation_id


def _is_in(group_id: int | None, assignment: Assignment) -> bool:
    """Return whether the assignment's annotator can hold a slot of this group (None without quotas)."""
    return group_id is None or group_id == assignment.participation.group_id


def _promote(assignment: Assignment, slot_id: int | None) -> None:
    """Give a surplus assignment a free slot, so that it counts."""
    assignment.state, assignment.slot_id, assignment.reason = Assignment.State.DONE, slot_id, "took a freed slot"
    assignment.save(update_fields=["state", "slot", "reason"])
