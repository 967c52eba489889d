"""Services that exclude individual answers from a study, and that include excluded answers again. An excluded answer is
kept but does not count, and its question is assigned to another annotator.
"""

from __future__ import annotations

from dataclasses import dataclass

from annotate.core.permissions import Action, Actor, require
from annotate.core.services.asked_again import balance_slots
from annotate.core.services.locks import locked_participation
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Answer, Assignment, Question
from annotate.server.refusals import Refused

LONGEST_REASON = 500  # characters


@dataclass(frozen=True)
class Included:
    """The result of including an answer again. `withdrawn` is whether the additional slot for the question was closed,
    so that nobody else answers the question.
    """

    withdrawn: bool


def exclude_answer(answer_id: int, *, reason: str, user: Actor) -> None:
    """Exclude an answer that counts, and open one more slot for its question. Excluding the same answer again has no
    effect.

    Raises `Refused` with the code `kind` for a gold or practice question, or `not-counted` for an answer that does not
    count.
    """
    reason = _checked(reason)
    with write():
        answer = _locked(answer_id, user)
        if answer.excluded:
            return
        _refuse_uncounted(answer)
        answer.excluded = reason
        answer.save(update_fields=["excluded"])
        _record("excluded answer", answer, reason, user)
        balance_slots(answer.assignment.study_id, [answer.question_id])


def include_answer(answer_id: int, *, reason: str, user: Actor) -> Included:
    """Include an excluded answer in the study again. The additional slot for the question is closed, unless an
    annotator has already claimed it. Raises `Refused` (`not-excluded`).
    """
    reason = _checked(reason)
    with write():
        answer = _locked(answer_id, user)
        if not answer.excluded:
            raise Refused("not-excluded", f"The answer to question {answer.question.ref} is not excluded.")
        answer.excluded = ""
        answer.save(update_fields=["excluded"])
        _record("included answer", answer, reason, user)
        balanced = balance_slots(answer.assignment.study_id, [answer.question_id])
        return Included(balanced.withdrawn > 0)


def _locked(answer_id: int, user: Actor) -> Answer:
    """Lock the participation, then the assignment and then the answer, in the same order as all other services."""
    answer = Answer.objects.get(pk=answer_id)
    participation = locked_participation(answer.participation_id)
    require(participation.study, user, Action.EXCLUDE_ANSWERS)
    assignment = Assignment.objects.select_for_update(no_key=True).get(pk=answer.assignment_id)
    answer = Answer.objects.select_related("question").get(pk=answer_id)
    assignment.participation, assignment.study = participation, participation.study
    answer.assignment, answer.participation = assignment, participation
    return answer


def _refuse_uncounted(answer: Answer) -> None:
    ref, kind = answer.question.ref, answer.question.kind
    if kind != Question.Kind.REGULAR:
        raise Refused(
            "kind",
            f"Question {ref} is a {answer.question.get_kind_display().lower()} question. You can exclude individual "
            "answers only to regular questions.",
        )
    regular = answer.assignment.kind == Assignment.Kind.REGULAR
    counts = regular and answer.assignment.state == Assignment.State.DONE and not answer.repeat
    if not counts or answer.given_at is None:
        raise Refused("not-counted", f"This answer to question {ref} does not count, so it cannot be excluded.")


def _record(verb: str, answer: Answer, reason: str, user: Actor) -> None:
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


def _checked(reason: str) -> str:
    reason = reason.strip()[:LONGEST_REASON]
    if not reason:
        raise Refused(
            "no-reason",
            "Enter a reason. The reason will appear in the history.",
            status=400,
            fields={"reason": ["is empty"]},
        )
    return reason
