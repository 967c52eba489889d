"""Services that save, grade and acknowledge answers before a HIT is submitted.

Drafts are saved while the annotator works and are never graded. An answer can be changed until the HIT is submitted or
the annotator has seen feedback on the answer, and earlier answers stay in the trace. Only the first answer to a gold or
practice question is graded, and the grade is final. Repeating a request has no further effect. An answer that arrives
after a stop is stored like any other: its assignment is void, and the answer counts again if the annotator is restored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotate.core.selectors.feedback import Feedback, feedback_on, got_feedback
from annotate.models import Answer, Assignment, Participation, ParticipationKey
from annotate.server import clock
from annotate.server.refusals import Refused

from . import standing
from .grading import AnswerSent, check, refuse_given_up, refuse_large, store
from .leases import keep_started
from .locks import locked_participation, save_progress
from .writing import write


@dataclass(frozen=True)
class AnswerOutcome:
    """The outcome of an answer: the feedback to show, whether the annotator is stopped, and whether the answer is final
    because of seen feedback.
    """

    feedback: list[Feedback]
    stopped: bool
    final: bool


def save_draft(participation_id: ParticipationKey, assignment_id: str, position: int, draft: Any, revision: int) -> int:
    """Save a draft and return its revision number. Raises `Refused` (`stale`) if `revision` is not newer than the
    stored revision.
    """
    refuse_large(draft, "draft")
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        if answer.draft == draft and answer.revision == revision:
            return revision  # a repeated request
        refuse_given_up(assignment)
        if assignment.submitted_at is not None:
            raise Refused("submitted", _("This HIT has been submitted, so its answers can no longer be changed."))
        if revision <= answer.revision:
            raise Refused(
                "stale",
                _("Question %(position)s was changed in another window. Reload the page to see the change.")
                % {"position": position},
                fields={"revision": [f"the current revision is {answer.revision}"]},
            )
        answer.draft, answer.revision = draft, revision
        answer.save(update_fields=["draft", "revision"])
        keep_started(assignment)
        return revision


def give_answer(
    participation_id: ParticipationKey,
    assignment_id: str,
    position: int,
    raw: Any,
    *,
    seconds: float | None = None,
    skipped: str = "",
    activity: Any = None,
) -> AnswerOutcome:
    """Store one answer, or the reason for skipping the question. Answers to gold and practice questions are graded.

    `activity` is a summary of the annotator's activity. An invalid summary is ignored.

    Raises `Refused` with the code `invalid` for an impossible value, `no-skip` if the question cannot be skipped,
    `submitted`, `graded` or `returned` if the answer can no longer change.
    """
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        checked = check(assignment, {position: answer}, [AnswerSent(position, raw, seconds, skipped, activity)])
        stored = store(assignment, checked)
        feedback = feedback_on(answer, assignment)
        if stored:
            save_progress(assignment.participation)
            if assignment.state == Assignment.State.VOID:
                standing.credit_after_stop(assignment)
            if feedback:  # a stop after any other answer would reveal a gold question
                standing.apply_rule(assignment.participation)
        keep_started(assignment)
        stopped = assignment.participation.standing == Participation.Standing.STOPPED
        return AnswerOutcome([feedback] if feedback else [], stopped, final=got_feedback(answer, assignment))


def acknowledge(
    participation_id: ParticipationKey, assignment_id: str, position: int, *, disputed: bool = False, note: str = ""
) -> None:
    """Record that the annotator has read the expected answer, and whether the annotator disputes it. A dispute is
    final. Raises `Refused` (`ungraded`) if the annotator got no feedback on the question.
    """
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        if not got_feedback(answer, assignment):
            raise Refused(
                "ungraded",
                _("Question %(position)s has no expected answer to acknowledge.") % {"position": position},
                status=400,
            )
        if answer.acknowledged_at is None or (disputed and not answer.disputed and not answer.passed):
            answer.acknowledged_at = answer.acknowledged_at or clock.now()
            answer.disputed, answer.dispute_note = disputed, note[:1000]
            answer.save(update_fields=["acknowledged_at", "disputed", "dispute_note"])


def lock(participation_id: ParticipationKey, assignment_id: str) -> Assignment:
    """Lock the participation and then the assignment, and return the assignment.

    Raises the same `Refused` (`unknown`) for a missing assignment and for the assignment of another annotator.
    """
    participation = locked_participation(participation_id)
    assignment = (
        Assignment.objects.select_for_update(no_key=True)
        .filter(participation=participation, public_id=assignment_id)
        .first()
    )
    if assignment is None:
        raise Refused("unknown", _("This assignment does not exist."), status=404)
    assignment.participation, assignment.study = participation, participation.study
    return assignment


def _answer(assignment: Assignment, position: int) -> Answer:
    answer = assignment.answers.select_related("question").filter(position=position).first()
    if answer is None:
        raise Refused(
            "unknown", _("This assignment has no question %(position)s.") % {"position": position}, status=404
        )
    return answer
