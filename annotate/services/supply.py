"""More judgements than were planned: further slots on HITs. Slots are never taken from under an assignment."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max

from annotate.models import Hit, Slot, Study, User
from annotate.refusals import Refused

from .log import record
from .slots import moved
from .writing import write

MOST_AT_ONCE = 20


def add_slots(study_id: int, *, user: User | None, per_hit: int = 1, hits: Sequence[int] | None = None) -> int:
    """Want `per_hit` more assignments of these HIT numbers (all by default); returns how many slots were added."""
    if not 1 <= per_hit <= MOST_AT_ONCE:
        raise Refused(
            "invalid", f"Add from 1 to {MOST_AT_ONCE} judgements at once.", status=400,
            fields={"per_hit": [f"must be from 1 to {MOST_AT_ONCE}"]},
        )  # fmt: skip
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        chosen = Hit.objects.filter(study=study).order_by("number")
        if hits is not None:
            chosen = chosen.filter(number__in=list(hits))
        ids = list(chosen.values_list("pk", flat=True))
        place = study.slots.aggregate(last=Max("place"))["last"] or 0
        slots = [
            Slot(study=study, hit_id=hit, place=place + number)
            for number, hit in enumerate((hit for _ in range(per_hit) for hit in ids), start=1)
        ]
        Slot.objects.bulk_create(slots, batch_size=5_000)
        moved(study)
        record(study, "added slots", user=user, slots=len(slots), per_hit=per_hit)
        return len(slots)
