"""Handing in a HIT: the whole life of a submission on one screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.utils import timezone

from annotate.models import Answer, Assignment, Participation, ParticipationKey
from annotate.refusals import Refused
from annotate.selectors.feedback import Feedback, feedback_on

from . import standing
from .answer import lock
from .grading import AnswerSent as AnswerSent
from .grading import check, store
from .slots import take_again
from .writing import write


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
    """Store a HIT's answers and end its assignment.

    On time or overdue, it is done while the slot is still its own; when the slot has gone to somebody else it is kept
    as surplus and credited all the same. After a stop it stays void, and its answers are kept. The whole submission is
    checked before anything is stored or graded. Raises `Refused`: `repeated`, `unknown`, `incomplete` or `invalid`
    with the positions concerned, `unacknowledged` when feedback on a missed gold question waits to be read.
    """
    _refuse_repeated(answers)
    with write():
        assignment = lock(participation_id, assignment_id)
        if assignment.submitted_at is None:
            _take(assignment, answers)
        return Receipt(
            assignment=assignment.public_id,
            state=assignment.state,
            credited=assignment.credited,
            reward=assignment.reward,
            currency=assignment.study.currency,
            stopped=assignment.participation.standing == Participation.Standing.STOPPED,
            feedback=_unacknowledged(assignment),
        )


def _refuse_repeated(answers: Sequence[AnswerSent]) -> None:
    """Refuse a submission that answers a question twice, before anything is read."""
    seen: set[int] = set()
    for answer in answers:
        if answer.position in seen:
            raise Refused(
                "repeated", f"Question {answer.position} is answered twice. Send one answer for each question.",
                status=400, fields={f"answers.{answer.position}": ["is sent twice"]},
            )  # fmt: skip
        seen.add(answer.position)


def _take(assignment: Assignment, sent: Sequence[AnswerSent]) -> None:
    """Check the submission as a whole, then store it and end the assignment.

    An incomplete submission of a void assignment is stored as far as it goes: its annotator cannot complete it.
    """
    own = {answer.position: answer for answer in assignment.answers.select_related("question").order_by("position")}
    _refuse_unknown(own, sent)
    checked = check(assignment, own, sent)
    missing = _missing(own, sent)
    if assignment.state != Assignment.State.VOID:
        _refuse_unacknowledged(own)
        _refuse_incomplete(missing)
    store(assignment, checked)
    if not missing:
        _end(assignment)
    standing.look_at_rule(assignment.participation)
    assignment.refresh_from_db(fields=["state", "credited"])


def _refuse_unknown(own: Mapping[int, Answer], sent: Sequence[AnswerSent]) -> None:
    unknown = next((answer.position for answer in sent if answer.position not in own), None)
    if unknown is not None:
        raise Refused("unknown", f"The assignment has no question {unknown}.", status=404)


def _refuse_unacknowledged(own: Mapping[int, Answer]) -> None:
    for answer in own.values():
        if answer.tally is not None and answer.acknowledged_at is None:
            raise Refused(
                "unacknowledged", f"Read the expected answer to question {answer.position} before you submit."
            )


def _missing(own: Mapping[int, Answer], sent: Sequence[AnswerSent]) -> list[int]:
    positions = {answer.position for answer in sent}
    return [answer.position for answer in own.values() if answer.given_at is None and answer.position not in positions]


def _refuse_incomplete(missing: Sequence[int]) -> None:
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
    regular = assignment.kind == Assignment.Kind.REGULAR
    if assignment.state == Assignment.State.VOID:  # open at the stop, so the study says whether it is paid
        assignment.credited = assignment.credited or (regular and assignment.study.pay_stopped)
    elif assignment.state == Assignment.State.LAPSED and not take_again(assignment):
        assignment.state, assignment.credited = Assignment.State.SURPLUS, regular
        assignment.reason = "the HIT was completed by others in the meantime"
    else:
        assignment.state, assignment.credited = Assignment.State.DONE, regular
    assignment.submitted_at = timezone.now()
    assignment.save(update_fields=["state", "reason", "submitted_at", "credited", "slot"])
    if assignment.kind == Assignment.Kind.PRACTICE and assignment.state == Assignment.State.DONE:
        _begin_work(assignment.participation)


def _begin_work(participation: Participation) -> None:
    participation.standing = Participation.Standing.ACTIVE
    participation.save(update_fields=["standing"])
