"""Services that record excluded answers, and exclude answers that exceed a quota.

A question of a study with quotas can be answered once too often: an annotator skips it, another annotator answers it in
an additional slot, and the first annotator is stopped. The first annotator's HIT is then open again with all of its
questions, because annotators of the same HIT must get the same questions.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef

from annotate.core.permissions import SYSTEM, Actor
from annotate.models import Answer, Assignment, HitQuestion, Slot, Study

from .log import record

BEYOND_QUOTA = "the group had already given all judgements of its quota"


def exclude_beyond_quota(assignments: Iterable[Assignment]) -> int:
    """Exclude the answers in these assignments that exceed the quotas of their questions, and return their number.

    Callers use this function after the assignments have started to count. The assignments must be locked. Their pay
    does not change. No slot opens for these questions, because somebody has claimed their additional slots.
    """
    asked_again = HitQuestion.objects.filter(question=OuterRef("question"), hit__for_skipped=True)
    answers = (
        Answer.objects.counting()
        .filter(Exists(asked_again), assignment__in=[assignment.pk for assignment in assignments])
        .filter(assignment__slot__group__isnull=False)
        .annotate(study=F("assignment__study"), group=F("assignment__slot__group"))
        .order_by("pk")
    )
    first = answers.first()
    if first is None:
        return 0
    # Without the lock, two assignments could start to count at the same time without seeing each other's answers.
    study = Study.objects.select_for_update(no_key=True).get(pk=first.study)
    exceeding = 0
    for answer in answers.select_related("assignment", "participation", "question"):
        if _judgements(answer.question_id, answer.group) > _quota(answer.question_id, answer.group):
            answer.excluded, answer.assignment.study = BEYOND_QUOTA, study
            answer.save(update_fields=["excluded"])
            record_exclusion("excluded answer", answer, BEYOND_QUOTA)
            exceeding += 1
    return exceeding


def record_exclusion(verb: str, answer: Answer, reason: str, user: Actor = SYSTEM) -> None:
    """Add an exclusion, or its end, to the study's log."""
    record(
        answer.assignment.study,
        verb,
        user=user,
        participation=answer.participation,
        reason=reason,
        question=answer.question.ref,
        assignment=answer.assignment.public_id,
        position=answer.position,
    )


def _judgements(question_id: int, group_id: int) -> int:
    return Answer.objects.counting().filter(question=question_id, assignment__slot__group=group_id).count()


def _quota(question_id: int, group_id: int) -> int:
    """Return the group's judgements of the question, without the slots in which it is asked again."""
    slots = Slot.objects.filter(group=group_id, hit__for_skipped=False, hit__hit_questions__question=question_id)
    return slots.count()
