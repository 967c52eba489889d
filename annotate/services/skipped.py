"""Services that pass skipped questions to other annotators: each skip opens one more slot for the question."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, F, Max

from annotate.models import Answer, Assignment, Hit, HitQuestion, Question, Slot, Study

from .slots import increase_supply


def ask_again(assignment: Assignment, answers: Iterable[Answer]) -> int:
    """Open one more slot for each regular question that was skipped in a submitted HIT. Returns their number.

    Skipped questions share HITs: a question joins the latest HIT for skipped questions until that HIT is full or
    claimed. The assignment must be locked, and nothing else may be locked after it in this transaction.
    """
    skipped = [answer.question_id for answer in answers if answer.skipped and _is_regular(answer)]
    if not skipped or assignment.state not in (Assignment.State.DONE, Assignment.State.SURPLUS):
        return 0
    if assignment.kind != Assignment.Kind.REGULAR:
        return 0
    waiting, opened = _unclaimed_slot(assignment.study_id), 0
    study = Study.objects.select_for_update(no_key=True).get(pk=assignment.study_id)
    for question_id in skipped:
        if waiting is None or _is_full(waiting.hit, question_id, study.questions_per_hit):
            waiting, opened = _new_slot(study), opened + 1
        position = HitQuestion.objects.filter(hit=waiting.hit_id).count() + 1
        HitQuestion.objects.create(hit_id=waiting.hit_id, question_id=question_id, position=position)
    # The stored counts are increased instead of recounted, because a recount of a large study would hold the lock on
    # the study for too long.
    Study.objects.filter(pk=study.pk).update(
        assignments_wanted=F("assignments_wanted") + opened, judgements_wanted=F("judgements_wanted") + len(skipped)
    )
    increase_supply(study)
    return len(skipped)


def _is_regular(answer: Answer) -> bool:
    return answer.question.kind == Question.Kind.REGULAR and not answer.repeat


def _unclaimed_slot(study_id: int) -> Slot | None:
    """Lock and return the open slot of the latest HIT for skipped questions, or None if no such slot is open."""
    slots = Slot.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).select_related("hit")
    open_slots = slots.filter(study=study_id, open=1, hit__for_skipped=True, hit__assignments=None)
    return open_slots.order_by("-place").first()


def _is_full(hit: Hit, question_id: int, size: int) -> bool:
    """Return whether the HIT has no room for the question, or already contains the question."""
    in_hit = HitQuestion.objects.filter(hit=hit)
    return in_hit.filter(question=question_id).exists() or in_hit.aggregate(size=Count("pk"))["size"] >= size


def _new_slot(study: Study) -> Slot:
    number = (study.hits.aggregate(last=Max("number"))["last"] or 0) + 1
    place = (study.slots.aggregate(last=Max("place"))["last"] or 0) + 1
    hit = Hit.objects.create(study=study, number=number, for_skipped=True)
    return Slot.objects.create(study=study, hit=hit, place=place)
