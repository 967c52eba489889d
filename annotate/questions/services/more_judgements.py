"""Services that add slots to an existing design, so that questions get more judgements. Slots are never removed.

In a study with quotas, `group` is the public ID of the group whose annotators give these judgements. Without it, the
services raise `Refused` (`invalid`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from django.db.models import Max

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, locked_study
from annotate.core.selectors.quotas import group_of_added
from annotate.core.services.gold_sets import deal_to
from annotate.core.services.log import record
from annotate.core.services.slot_counts import note_opened_slots, store_slot_counts
from annotate.core.services.slots import fill_with_surplus
from annotate.core.services.writing import write
from annotate.models import Hit, HitQuestion, Question, Slot, Study
from annotate.questions.selectors.data import study_data
from annotate.questions.selectors.more_judgements import first_hits
from annotate.server.refusals import Refused

MOST_AT_ONCE = 20


def add_slots(
    study_id: int, *, user: Actor, per_hit: int = 1, hits: Sequence[int] | None = None, group: str = ""
) -> int:
    """Add `per_hit` slots to each HIT whose number is listed or, by default, to all HITs. Return the number of added
    slots.
    """
    _refuse_number(per_hit, "per_hit")
    with write():
        study = locked_study(study_id, user, Action.ADD_JUDGEMENTS)
        chosen = Hit.objects.filter(study=study).order_by("number")
        if hits is not None:
            chosen = chosen.filter(number__in=list(hits))
        ids = list(chosen.values_list("pk", flat=True))
        added = append_slots(study, [hit for _ in range(per_hit) for hit in ids], group)
        record(study, "added slots", user=user, slots=added, per_hit=per_hit)
        return added


def add_to_all(study_id: int, *, user: Actor, per_question: int = 1, seen: int | None = None, group: str = "") -> int:
    """Add judgements to each question, by adding slots to HITs that already exist. Return the number of added slots.

    `seen` is the number of assignments that the user has seen. Raises `Refused` (`changed`) if the number has changed,
    so that a repeated request adds nothing.
    """
    with write():
        study = locked_study(study_id, user, Action.ADD_JUDGEMENTS)
        _refuse_changed(study, seen)
        return add_slots(study_id, user=user, per_hit=per_question, hits=first_hits(study), group=group)


def add_to_questions(
    study_id: int,
    questions: Sequence[int],
    *,
    user: Actor,
    per_question: int = 1,
    seen: int | None = None,
    group: str = "",
) -> int:
    """Add judgements to each of these regular questions, and return the number of added slots.

    The questions share new HITs, and no annotator gets a question twice. `seen` and the error `changed` are the same as
    for `add_to_all`. Raises `Refused` (`empty`) without questions.
    """
    if not questions:
        raise Refused("empty", "Choose at least one question.", status=400)
    _refuse_number(per_question, "per_question")
    with write():
        study = locked_study(study_id, user, Action.ADD_JUDGEMENTS)
        _refuse_changed(study, seen)
        added = append_slots(study, new_hits(study, questions) * per_question, group)
        record(study, "added judgements", user=user, questions=len(questions), slots=added)
        return added


def add_where_needed(study_id: int, *, user: Actor, group: str = "") -> int:
    """Add judgements to the questions that need more according to the task type, for example because of ties.

    The questions go into new HITs, together with questions that need the same number of judgements. An annotator never
    gets a question twice. Returns the number of added judgements.
    """
    with write():
        study = locked_study(study_id, user, Action.ADD_JUDGEMENTS)
        needs = {
            ref: more for ref, more in tasktypes.get(study.task_type).needs_more(study_data(study)).items() if more
        }
        ids = dict(study.questions.filter(kind=Question.Kind.REGULAR, ref__in=needs).values_list("ref", "pk"))
        queue: list[int] = []
        for count in sorted(set(needs.values())):
            queue += new_hits(study, [ids[ref] for ref in needs if needs[ref] == count]) * count
        append_slots(study, queue, group)
        record(study, "requested judgements", user=user, questions=len(needs), judgements=sum(needs.values()))
        return sum(needs.values())


def _refuse_number(number: int, field: str) -> None:
    if not 1 <= number <= MOST_AT_ONCE:
        raise Refused(
            "invalid",
            f"Add between 1 and {MOST_AT_ONCE} judgements at a time.",
            status=400,
            fields={field: [f"must be between 1 and {MOST_AT_ONCE}"]},
        )


def _refuse_changed(study: Study, seen: int | None) -> None:
    if seen is not None and seen != study.assignments_planned:
        raise Refused(
            "changed",
            f"The number of assignments has changed from {seen:,} to {study.assignments_planned:,} since you opened "
            "the page, so no judgements were added. Check the price again.",
        )


def new_hits(study: Study, questions: Sequence[int]) -> list[int]:
    """Create HITs with these questions, and return the HITs' primary keys. The sizes of the HITs differ by at most one,
    because all HITs have the same reward.
    """
    if not questions:
        return []
    number = study.hits.aggregate(last=Max("number"))["last"] or 0
    bundles = [part.tolist() for part in np.array_split(questions, -(-len(questions) // study.questions_per_hit))]
    hits = Hit.objects.bulk_create(Hit(study=study, number=number + added) for added, _ in enumerate(bundles, start=1))
    HitQuestion.objects.bulk_create(
        HitQuestion(hit=hit, question_id=question, position=position)
        for hit, bundle in zip(hits, bundles, strict=True)
        for position, question in enumerate(bundle, start=1)
    )
    keys = [hit.pk for hit in hits]
    deal_to(study, keys)
    return keys


def append_slots(study: Study, hits: Sequence[int], group: str = "") -> int:
    """Add a slot at the end of the queue for each listed HIT, and return the number of slots.

    Surplus assignments of these HITs fill the new slots first.
    """
    place = study.slots.aggregate(last=Max("place"))["last"] or 0
    gold_sets = dict(Hit.objects.filter(pk__in=set(hits)).values_list("pk", "gold_set"))
    own_group = group_of_added(study, group)
    slots = [
        Slot(study=study, hit_id=hit, gold_set_id=gold_sets[hit], place=place + number, group=own_group)
        for number, hit in enumerate(hits, start=1)
    ]
    slots = Slot.objects.bulk_create(slots, batch_size=5_000)
    fill_with_surplus(slots)
    store_slot_counts(study)
    note_opened_slots(study)
    return len(slots)
