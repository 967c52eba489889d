"""The life of an answer before submission: draft, given, graded, acknowledged.

Drafts are saved while the annotator works and are never graded. An ordinary answer can be changed until the HIT is
submitted, and earlier answers stay in the trace. A gold or practice answer is graded when it is first given, and the
grade is final. Sending the same request twice has no further effect. An answer that arrives after a stop is stored like
any other: its assignment is void, and the answer counts again if the stop is reversed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate import clock
from annotate.models import Answer, Assignment, Participation, ParticipationKey
from annotate.refusals import Refused
from annotate.selectors.feedback import Feedback, feedback_on

from . import standing
from .grading import AnswerSent, check, refuse_large, store
from .leases import keep_started
from .locks import locked_participation, save_progress
from .writing import write


@dataclass(frozen=True)
class Given:
    """The outcome of giving answers. `feedback` holds what must be shown; `stopped` ends the annotator's work."""

    feedback: list[Feedback]
    stopped: bool
    final: bool


def save_draft(participation_id: ParticipationKey, assignment_id: str, position: int, draft: Any, revision: int) -> int:
    """Keep a draft under the next revision and return it; a revision that is not newer is refused (`stale`)."""
    refuse_large(draft, "draft")
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        if answer.draft == draft and answer.revision == revision:
            return revision  # the same request again
        if assignment.submitted_at is not None:
            raise Refused("submitted", "This HIT has been submitted, so its answers cannot change.")
        if revision <= answer.revision:
            raise Refused(
                "stale",
                f"Question {position} was changed elsewhere in the meantime; reload to see it.",
                fields={"revision": [f"is {answer.revision} now"]},
            )
        answer.draft, answer.revision = draft, revision
        answer.save(update_fields=["draft", "revision"])
        keep_started(assignment)
        return revision


def give(
    participation_id: ParticipationKey, assignment_id: str, position: int, raw: Any, *, seconds: float | None = None
) -> Given:
    """Give one answer. Raises `Refused`: `invalid` for an impossible value, `submitted`, `graded`."""
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        checked = check(assignment, {position: answer}, [AnswerSent(position, raw, seconds)])
        if store(assignment, checked):
            save_progress(assignment.participation)
            standing.look_at_rule(assignment.participation)
        keep_started(assignment)
        feedback = feedback_on(answer, assignment)
        stopped = assignment.participation.standing == Participation.Standing.STOPPED
        return Given([feedback] if feedback else [], stopped, final=answer.tally is not None)


def acknowledge(
    participation_id: ParticipationKey, assignment_id: str, position: int, *, disputed: bool = False, note: str = ""
) -> None:
    """The annotator has seen what was expected, and perhaps sees it differently. The first word stands."""
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        if answer.tally is None:
            raise Refused("ungraded", f"There is nothing to acknowledge at question {position}.", status=400)
        if answer.acknowledged_at is None or (disputed and not answer.disputed and not answer.passed):
            answer.acknowledged_at = answer.acknowledged_at or clock.now()
            answer.disputed, answer.dispute_note = disputed, note[:1000]
            answer.save(update_fields=["acknowledged_at", "disputed", "dispute_note"])


def lock(participation_id: ParticipationKey, assignment_id: str) -> Assignment:
    """Lock the participation, then its assignment. Another's assignment is as unknown as one that never was."""
    participation = locked_participation(participation_id)
    assignment = (
        Assignment.objects.select_for_update(no_key=True)
        .filter(participation=participation, public_id=assignment_id)
        .first()
    )
    if assignment is None:
        raise Refused("unknown", "There is no such assignment.", status=404)
    assignment.participation, assignment.study = participation, participation.study
    return assignment


def _answer(assignment: Assignment, position: int) -> Answer:
    answer = assignment.answers.select_related("question").filter(position=position).first()
    if answer is None:
        raise Refused("unknown", f"The assignment has no question {position}.", status=404)
    return answer
