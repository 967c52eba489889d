"""Services that give a question to another annotator if it was skipped or its answer was excluded. One more slot is
opened for each question that is asked again. In a study with quotas, this slot belongs to the annotator's group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, Max, OuterRef, Q, Subquery

from annotate.core.services.gold_sets import deal_to
from annotate.models import Answer, Assignment, Hit, HitQuestion, Question, Slot, Study

from .slot_counts import note_opened_slots


def ask_again(assignment: Assignment, answers: Iterable[Answer]) -> int:
    """Open one more slot for each regular question that was skipped in a submitted HIT. Returns their number.

    A surplus HIT opens no slots, because another annotator has answered its questions. If the HIT counts later,
    `balance_slots` opens the slots. The assignment must be locked, and nothing else may be locked after it in this
    transaction.
    """
    skipped = [answer.question_id for answer in answers if answer.skipped and _is_regular(answer)]
    counts = assignment.state == Assignment.State.DONE and assignment.kind == Assignment.Kind.REGULAR
    if not skipped or not counts:
        return 0
    open_slots_for(assignment.study_id, skipped, group_id=assignment.slot.group_id if assignment.slot else None)
    return len(skipped)


@dataclass(frozen=True)
class Balanced:
    """The numbers of questions for which additional slots were opened or withdrawn."""

    opened: int
    withdrawn: int


def balance_slots(study_id: int, question_ids: Iterable[int]) -> Balanced:
    """Open or withdraw additional slots, so that each skipped or excluded answer in a counted HIT has one additional
    slot. Slots that annotators have claimed are never withdrawn.

    The assignments must be locked. Callers use this function after answers or assignments have started or stopped
    counting. A stopped annotator's HIT, for example, becomes available as a whole, so its excluded answers need no
    additional slots.
    """
    ids = sorted(set(question_ids))
    if not ids:
        return Balanced(0, 0)
    # Without the lock, another transaction could commit a slot between the two queries below.
    Study.objects.select_for_update(no_key=True).get(pk=study_id)
    missing = Answer.objects.filter(
        ~Q(skipped="") | ~Q(excluded=""),
        question__in=ids,
        repeat=False,
        assignment__kind=Assignment.Kind.REGULAR,
        assignment__state=Assignment.State.DONE,
    )
    needed = Counter(missing.values_list("assignment__slot__group_id", "question_id"))
    first = Slot.objects.filter(hit=OuterRef("hit")).order_by("pk").values("group")[:1]
    again = HitQuestion.objects.filter(question__in=ids, hit__for_skipped=True).annotate(group=Subquery(first))
    asked = Counter(again.values_list("group", "question_id"))
    withdrawn = sum(
        withdraw_slot_for(study_id, question_id, group_id=group_id)
        for (group_id, question_id), number in sorted((asked - needed).items(), key=lambda row: row[0][1])
        for _surplus in range(number)
    )
    unasked = sorted((needed - asked).elements(), key=lambda row: row[1])
    for group_id in dict.fromkeys(group_id for group_id, _question in unasked):
        of_group = [question_id for own_group, question_id in unasked if own_group == group_id]
        open_slots_for(study_id, of_group, group_id=group_id)
    return Balanced(len(unasked), withdrawn)


def uncounted_questions(assignments: Iterable[Assignment]) -> list[int]:
    """Return the regular questions in these assignments that were skipped or whose answers were excluded."""
    keys = [assignment.pk for assignment in assignments]
    if not keys:
        return []
    answers = Answer.objects.filter(
        ~Q(skipped="") | ~Q(excluded=""),
        assignment__in=keys,
        question__kind=Question.Kind.REGULAR,
        repeat=False,
    )
    return list(answers.values_list("question_id", flat=True))


def open_slots_for(study_id: int, question_ids: Sequence[int], *, group_id: int | None = None) -> None:
    """Open one more slot for each question, in a study with quotas for this group. Repeated questions share HITs: each
    is added to the latest such HIT until it is full or claimed.
    """
    waiting, opened = _unclaimed_slot(study_id, group_id), 0
    changed: dict[int, None] = {}
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    for question_id in question_ids:
        if waiting is None or _is_full(waiting.hit, question_id, study.questions_per_hit):
            waiting, opened = _new_slot(study, group_id), opened + 1
        last = HitQuestion.objects.filter(hit=waiting.hit_id).aggregate(last=Max("position"))["last"] or 0
        HitQuestion.objects.create(hit_id=waiting.hit_id, question_id=question_id, position=last + 1)
        changed[waiting.hit_id] = None
    deal_to(study, list(changed))
    # The stored counts are incremented rather than recalculated, because recounting a large study would lock it for too
    # long.
    Study.objects.filter(pk=study.pk).update(
        assignments_planned=F("assignments_planned") + opened,
        judgements_planned=F("judgements_planned") + len(question_ids),
    )
    note_opened_slots(study)


def withdraw_slot_for(study_id: int, question_id: int, *, group_id: int | None) -> bool:
    """Close one slot that `open_slots_for` opened for the question and the group. Return False if annotators have
    claimed all additional slots for the question.
    """
    slot = _unclaimed_slot(study_id, group_id, question_id)
    if slot is None:
        return False
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    HitQuestion.objects.filter(hit=slot.hit_id, question=question_id).delete()
    deal_to(study, [slot.hit_id])
    emptied = not HitQuestion.objects.filter(hit=slot.hit_id).exists()
    if emptied:
        slot.hit.delete()  # also deletes the slot
    Study.objects.filter(pk=study.pk).update(
        assignments_planned=F("assignments_planned") - int(emptied), judgements_planned=F("judgements_planned") - 1
    )
    return True


def _is_regular(answer: Answer) -> bool:
    return answer.question.kind == Question.Kind.REGULAR and not answer.repeat


def _unclaimed_slot(study_id: int, group_id: int | None, question_id: int | None = None) -> Slot | None:
    """Lock and return the group's open slot in the latest HIT for questions asked again, or None if there is no such
    slot. If `question_id` is given, only HITs with this question are considered.

    HITs with more slots are excluded, because annotators of the same HIT must get the same questions, and because each
    question is asked again only once.
    """
    slots = Slot.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).select_related("hit")
    open_slots = slots.filter(study=study_id, group=group_id, open=1, hit__for_skipped=True, hit__assignments=None)
    open_slots = open_slots.exclude(Exists(Slot.objects.filter(hit=OuterRef("hit")).exclude(pk=OuterRef("pk"))))
    if question_id is not None:
        open_slots = open_slots.filter(hit__hit_questions__question=question_id)
    return open_slots.order_by("-place").first()


def _is_full(hit: Hit, question_id: int, size: int) -> bool:
    """Return whether the HIT has no room for the question or already contains it."""
    in_hit = HitQuestion.objects.filter(hit=hit)
    return in_hit.filter(question=question_id).exists() or in_hit.aggregate(size=Count("pk"))["size"] >= size


def _new_slot(study: Study, group_id: int | None) -> Slot:
    number = (study.hits.aggregate(last=Max("number"))["last"] or 0) + 1
    place = (study.slots.aggregate(last=Max("place"))["last"] or 0) + 1
    hit = Hit.objects.create(study=study, number=number, for_skipped=True)
    return Slot.objects.create(study=study, hit=hit, place=place, group_id=group_id)
