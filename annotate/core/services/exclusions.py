"""Services that record excluded answers, and exclude answers that exceed a quota.

A question of a study with quotas can be answered once too often: an annotator skips it, another annotator answers it in
an additional slot, and the first annotator is stopped. The first annotator's HIT is then open again with all of its
questions, because annotators of the same HIT must get the same questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def include_within_quota(ended: Sequence[Assignment]) -> int:
    """Include answers that exceeded a quota before these assignments stopped counting, and return their number.

    Their annotators cannot answer the questions again. The assignments must be locked.
    """
    study_id = next((assignment.study_id for assignment in ended), None)
    if study_id is None:
        return 0
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    questions = HitQuestion.objects.filter(hit__in=[assignment.hit_id for assignment in ended]).values("question")
    answers = Answer.objects.filter(
        excluded=BEYOND_QUOTA, assignment__state=Assignment.State.DONE, question__in=questions
    ).annotate(group=F("assignment__slot__group"))
    included = 0
    for answer in answers.select_related("assignment", "participation", "question").order_by("pk"):
        if _judgements(answer.question_id, answer.group) < _quota(answer.question_id, answer.group):
            answer.excluded, answer.assignment.study = "", study
            answer.save(update_fields=["excluded"])
            record_exclusion("included answer", answer, "the group's quota has room again")
            included += 1
    return included


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
