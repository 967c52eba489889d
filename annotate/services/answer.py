"""The life of an answer before submission: draft, given, graded, acknowledged.

A draft is saved as one goes and never graded. Giving an ordinary answer can be repeated until the HIT is submitted;
what was given before stays in the trace. A gold or practice answer is graded when it is first given, and that stands.
Sending anything twice changes nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotate import tasktypes
from annotate.models import Answer, Assignment, Participation, ParticipationKey, Question
from annotate.refusals import Refused
from annotate.selectors.feedback import Feedback, feedback_on

from . import standing
from .writing import write

DRAFT_LIMIT = 262_144
TAKEN = ("value", "given_at", "draft", "revision", "seconds", "trace", "tally", "passed", "acknowledged_at")
GRADED = (Question.Kind.GOLD, Question.Kind.PRACTICE)


@dataclass(frozen=True)
class Given:
    """The outcome of giving answers. `feedback` holds what must be shown; `stopped` ends the annotator's work."""

    feedback: list[Feedback]
    stopped: bool
    final: bool


def save_draft(participation_id: ParticipationKey, assignment_id: str, position: int, draft: Any, revision: int) -> int:
    """Keep a draft under the next revision and return it; a revision that is not newer is refused (`stale`)."""
    with write():
        _refuse_huge(draft)
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        if answer.draft == draft and answer.revision == revision:
            return revision  # the same request again
        _refuse_ended(assignment)
        if revision <= answer.revision:
            raise Refused(
                "stale",
                f"Question {position} was changed elsewhere in the meantime; reload to see it.",
                fields={"revision": [f"is {answer.revision} now"]},
            )
        answer.draft, answer.revision = draft, revision
        answer.save(update_fields=["draft", "revision"])
        return revision


def give(
    participation_id: ParticipationKey, assignment_id: str, position: int, raw: Any, *, seconds: float | None = None
) -> Given:
    """Give one answer. Raises `Refused`: `invalid` for an impossible value, `submitted`, `graded`, `stopped`."""
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = _answer(assignment, position)
        stopped = False
        if take_answer(assignment, answer, raw, seconds):
            answer.save(update_fields=TAKEN)
            stopped = answer.tally is not None and standing.look_at_rule(assignment.participation)
        feedback = feedback_on(answer, assignment)
        return Given([feedback] if feedback else [], stopped, final=answer.tally is not None)


def take_answer(assignment: Assignment, answer: Answer, raw: Any, seconds: float | None) -> bool:
    """Put what was sent into an answer of a locked assignment, and grade it where its key is known.

    True when the answer has changed and is to be saved; what was sent before changes nothing.
    """
    task = tasktypes.get(assignment.study.task_type)
    try:
        value = task.clean(answer.question.payload, answer.shown, raw, assignment.study.options)
    except tasktypes.InvalidAnswer as error:
        raise Refused(
            "invalid", str(error), status=400, fields={f"answers.{answer.position}.{error.path}": [str(error)]}
        ) from error
    if answer.tally is not None:
        if answer.value != value:
            raise Refused("graded", f"Question {answer.position} has been compared already and stands as it was given.")
        return False
    if answer.value == value:
        _drop_draft(assignment, answer)
        return False
    _refuse_ended(assignment)
    if answer.value is not None:
        answer.trace = [*answer.trace, {"value": answer.value, "given_at": answer.given_at.isoformat()}]  # type: ignore[union-attr]
    answer.value, answer.given_at, answer.draft = value, timezone.now(), None
    answer.revision += 1
    answer.seconds = seconds if seconds is not None else answer.seconds
    if answer.question.kind in GRADED:
        grade = task.grade(answer.question.payload, answer.question.gold, value, assignment.study.options)
        answer.tally, answer.passed = grade.tally, grade.passed
        if answer.question.kind == Question.Kind.GOLD:
            standing.add_tally(assignment.participation, grade.tally)
        if grade.passed and answer.question.kind == Question.Kind.GOLD:
            answer.acknowledged_at = answer.given_at  # nothing to acknowledge, and nothing that gives the gold away
    return True


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
            answer.acknowledged_at = answer.acknowledged_at or timezone.now()
            answer.disputed, answer.dispute_note = disputed, note[:1000]
            answer.save(update_fields=["acknowledged_at", "disputed", "dispute_note"])


def lock(participation_id: ParticipationKey, assignment_id: str) -> Assignment:
    """Lock the participation, then its assignment. Another's assignment is as unknown as one that never was."""
    participation = (
        Participation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study", "annotator")
        .identified(participation_id)
        .get()
    )
    assignment = (
        Assignment.objects.select_for_update(no_key=True)
        .filter(participation=participation, public_id=assignment_id)
        .first()
    )
    if assignment is None:
        raise Refused("unknown", "There is no such assignment.", status=404)
    assignment.participation, assignment.study = participation, participation.study
    return assignment


def _drop_draft(assignment: Assignment, answer: Answer) -> None:
    """Who comes back to what was given has left behind what they tried meanwhile; a reload must not show it."""
    if answer.draft is not None and assignment.submitted_at is None:
        answer.draft, answer.revision = None, answer.revision + 1
        answer.save(update_fields=["draft", "revision"])


def _answer(assignment: Assignment, position: int) -> Answer:
    answer = assignment.answers.select_related("question").filter(position=position).first()
    if answer is None:
        raise Refused("unknown", f"The assignment has no question {position}.", status=404)
    return answer


def _refuse_huge(draft: Any) -> None:
    size = len(json.dumps(draft, ensure_ascii=False))
    if size > DRAFT_LIMIT:
        raise Refused(
            "too-large", f"A draft takes at most {DRAFT_LIMIT:,} characters; this one has {size:,}.", status=400,
            fields={"draft": [f"is larger than {DRAFT_LIMIT:,} characters"]},
        )  # fmt: skip


def _refuse_ended(assignment: Assignment) -> None:
    if assignment.state in (Assignment.State.DONE, Assignment.State.SURPLUS):
        raise Refused("submitted", "This HIT has been submitted; its answers stay as they are.")
    if assignment.state == Assignment.State.VOID:
        raise Refused("stopped", "This HIT has ended and takes no more answers.")
