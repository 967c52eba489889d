"""Handing in a HIT: the whole life of a submission on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils import timezone

from annotate.models import Answer, Assignment, Participation, ParticipationKey
from annotate.refusals import Refused
from annotate.selectors.feedback import Feedback, feedback_on

from . import standing
from .answer import TAKEN, lock, take_answer
from .slots import take_again
from .writing import write


@dataclass(frozen=True)
class AnswerSent:
    """An answer that is sent along with a submission."""

    position: int
    value: Any
    seconds: float | None = None


@dataclass(frozen=True)
class Receipt:
    """What became of a submission; the same one for as often as it is sent."""

    assignment: str
    state: str
    credited: bool
    reward: Decimal
    currency: str
    stopped: bool
    feedback: list[Feedback] = field(default_factory=list)


def submit(participation_id: ParticipationKey, assignment_id: str, answers: Sequence[AnswerSent] = ()) -> Receipt:
    """Take a HIT's answers and end its assignment.

    On time or overdue, it is done while the slot is still its own; when the slot has gone to somebody else it is kept
    as surplus and credited all the same. Raises `Refused`: `incomplete` with the positions that are missing,
    `unacknowledged` when a missed gold question was shown before and not yet acknowledged.
    """
    with write():
        assignment = lock(participation_id, assignment_id)
        if assignment.submitted_at is None and assignment.state != Assignment.State.VOID:
            _take_answers(assignment, answers)
            _end(assignment)
            if assignment.kind == Assignment.Kind.PRACTICE:
                _begin_work(assignment.participation)
            standing.look_at_rule(assignment.participation)
            assignment.refresh_from_db(fields=["state", "credited"])
        return Receipt(
            assignment=assignment.public_id,
            state=assignment.state,
            credited=assignment.credited,
            reward=assignment.reward,
            currency=assignment.study.currency,
            stopped=assignment.participation.standing == Participation.Standing.STOPPED,
            feedback=_unacknowledged(assignment),
        )


def _take_answers(assignment: Assignment, answers: Sequence[AnswerSent]) -> None:
    own = {answer.position: answer for answer in assignment.answers.select_related("question").order_by("position")}
    for answer in own.values():
        if answer.tally is not None and answer.acknowledged_at is None:
            raise Refused(
                "unacknowledged", f"Question {answer.position} still waits for you to look at what was expected."
            )
    changed: dict[int, Answer] = {}
    for sent in answers:
        if sent.position not in own:
            raise Refused("unknown", f"The assignment has no question {sent.position}.", status=404)
        if take_answer(assignment, own[sent.position], sent.value, sent.seconds):
            changed[sent.position] = own[sent.position]
    # One statement for all of them: these rows exist, so that each meets the conflict and is updated.
    Answer.objects.bulk_create(changed.values(), update_conflicts=True, unique_fields=["id"], update_fields=TAKEN)
    missing = [answer.position for answer in own.values() if answer.given_at is None]
    if missing:
        raise Refused(
            "incomplete",
            f"Not answered yet: question {', '.join(map(str, missing))}.",
            fields={f"answers.{position}": ["has no answer yet"] for position in missing},
        )


def _unacknowledged(assignment: Assignment) -> list[Feedback]:
    """What is still to be shown, told with every receipt: the reply that told it first may have been lost."""
    unseen = assignment.answers.filter(tally__isnull=False, acknowledged_at=None)
    told = [feedback_on(answer, assignment) for answer in unseen.select_related("question").order_by("position")]
    return [feedback for feedback in told if feedback is not None]


def _end(assignment: Assignment) -> None:
    if assignment.state == Assignment.State.LAPSED and not take_again(assignment):
        assignment.state = Assignment.State.SURPLUS
        assignment.reason = "the HIT was completed by others in the meantime"
    else:
        assignment.state = Assignment.State.DONE
    assignment.submitted_at = timezone.now()
    assignment.credited = assignment.kind == Assignment.Kind.REGULAR
    assignment.save(update_fields=["state", "reason", "submitted_at", "credited", "slot"])


def _begin_work(participation: Participation) -> None:
    participation.standing = Participation.Standing.ACTIVE
    participation.save(update_fields=["standing"])
