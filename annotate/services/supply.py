"""More judgements than were planned: further slots on HITs. Slots are never taken from under an assignment."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max

from annotate import tasktypes
from annotate.models import Hit, HitQuestion, Question, Slot, Study, User
from annotate.refusals import Refused
from annotate.selectors.data import study_data

from .log import record
from .slots import moved, wanted
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
        added = _append(study, [hit for _ in range(per_hit) for hit in ids])
        record(study, "added slots", user=user, slots=added, per_hit=per_hit)
        return added


def add_where_needed(study_id: int, *, user: User | None) -> int:
    """Ask anew what the task type says needs more judgements: a tie to break, a disagreement for a third to decide.

    The questions are bundled into further HITs, those that need equally many together. Nobody gets a question that
    they have met. Returns how many judgements were added.
    """
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        needs = {
            ref: more for ref, more in tasktypes.get(study.task_type).needs_more(study_data(study)).items() if more
        }
        ids = dict(study.questions.filter(kind=Question.Kind.REGULAR, ref__in=needs).values_list("ref", "pk"))
        number = study.hits.aggregate(last=Max("number"))["last"] or 0
        queue: list[int] = []
        for wanted in sorted(set(needs.values())):
            refs = [ref for ref in needs if needs[ref] == wanted]
            for at in range(0, len(refs), study.questions_per_hit):
                number += 1
                hit = Hit.objects.create(study=study, number=number)
                bundle = refs[at : at + study.questions_per_hit]
                HitQuestion.objects.bulk_create(
                    HitQuestion(hit=hit, question_id=ids[ref], position=position)
                    for position, ref in enumerate(bundle, start=1)
                )
                queue += [hit.pk] * wanted
        _append(study, queue)
        record(study, "asked for more", user=user, questions=len(needs), judgements=sum(needs.values()))
        return sum(needs.values())


def _append(study: Study, hits: Sequence[int]) -> int:
    """Open one slot more for each of these HITs at the end of the queue."""
    place = study.slots.aggregate(last=Max("place"))["last"] or 0
    slots = [Slot(study=study, hit_id=hit, place=place + number) for number, hit in enumerate(hits, start=1)]
    Slot.objects.bulk_create(slots, batch_size=5_000)
    wanted(study)
    moved(study)
    return len(slots)
