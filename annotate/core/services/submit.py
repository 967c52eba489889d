"""Services that submit a HIT: they check and store the answers, and return the receipt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Exists, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotate.core.selectors.feedback import Feedback, feedback_on
from annotate.models import Answer, Assignment, Participation, ParticipationKey
from annotate.models.compiled import Select, update
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.tasktypes.extensions import HIT_SUBMITTED, announce

from . import standing
from .asked_again import ask_again
from .claim import Claimed, claim, claim_new
from .exclusions import exclude_beyond_quota
from .grading import AnswerSent as AnswerSent
from .grading import check, count_gold_skips, refuse_given_up, store
from .locks import locked_participation, save_progress
from .qualification import asks_for_another_try, judge_practice
from .slots import take_again
from .times import whole_time
from .writing import write


@dataclass(frozen=True)
class Receipt:
    """The result of a submission. Repeating the same submission returns the same receipt."""

    assignment: str
    state: str
    credited: bool
    reward: Decimal
    currency: str
    stopped: bool
    feedback: list[Feedback] = field(default_factory=list)


def submit(
    participation_id: ParticipationKey,
    assignment_id: str,
    answers: Sequence[AnswerSent] = (),
    *,
    feedback_first: bool = False,
) -> Receipt:
    """Store a HIT's answers, and end its assignment.

    If `feedback_first` is true, the assignment does not end while feedback on a gold question is unread. The receipt
    then has the assignment's present state and the unread feedback, and the client submits again.

    The assignment is done if it still holds its slot, even if it is overdue. If another annotator has the slot, the
    assignment is kept as surplus and credited. After a stop, the assignment stays void and its answers are stored. The
    whole submission is checked before any answer is stored or graded. Raises `Refused` with the code `repeated`,
    `unknown`, `incomplete` or `invalid` with the positions, `unacknowledged` if feedback on a missed gold question is
    unread, `returned` if the annotator has returned the HIT.
    """
    _refuse_repeated(answers)
    with write():
        participation = locked_participation(participation_id)
        submission = _load(participation, assignment_id)
        _take(submission, answers, feedback_first)
        save_progress(participation)
        return _receipt(submission)


def submit_and_claim(
    participation_id: ParticipationKey,
    assignment_id: str,
    answers: Sequence[AnswerSent] = (),
    *,
    feedback_first: bool = False,
) -> tuple[Receipt, Claimed | None]:
    """Submit a HIT and claim the next one in a single transaction, unless overdue leases must end between the two
    steps.

    If the consent text has changed in the meantime, the receipt is still returned, and the claim's reason is `consent`.
    If the assignment does not end because of `feedback_first`, nothing is claimed.
    """
    _refuse_repeated(answers)
    with write():
        participation = locked_participation(participation_id)
        submission = _load(participation, assignment_id)
        _take(submission, answers, feedback_first)
        ended = submission.assignment.state not in (Assignment.State.LEASED, Assignment.State.LAPSED)
        tries_again = ended and asks_for_another_try(participation, submission.assignment)
        at_once = ended and not tries_again and not (participation.leases_overdue or submission.other_open_hits)
        claimed = _or_consent(lambda: claim_new(participation)) if at_once else None
        save_progress(participation)
        receipt = _receipt(submission)
    if not ended:
        return receipt, None
    if tries_again:  # the overview tells the annotator that another try is necessary
        return receipt, Claimed(None, "practice")
    return receipt, claimed or _or_consent(lambda: claim(participation_id))


@dataclass(frozen=True)
class _Submission:
    """A locked assignment, its answers by position, and whether the annotator has other open HITs."""

    assignment: Assignment
    answers: Mapping[int, Answer]
    other_open_hits: bool


def _answers_of(participation_id: int, assignment_id: str) -> QuerySet[Answer]:
    others = Assignment.objects.filter(
        participation=participation_id,
        source=Assignment.Source.WEB,
        state__in=[Assignment.State.LEASED, Assignment.State.LAPSED],
    ).exclude(Q(public_id=assignment_id) | Q(reason__in=Assignment.GIVEN_UP))
    return (
        Answer.objects.filter(participation=participation_id, assignment__public_id=assignment_id)
        .select_related("question", "assignment")
        .annotate(other_open_hits=Exists(others))
        .select_for_update(no_key=True, of=("assignment",))
        .order_by("position")
    )


_answers = Select(_answers_of, int, str)


def _load(participation: Participation, assignment_id: str) -> _Submission:
    """Lock the assignment and read its answers in one statement, after the participation has been locked."""
    answers: dict[int, Any] = {answer.position: answer for answer in _answers(participation.pk, assignment_id)}
    if not answers:
        raise Refused("unknown", _("This assignment does not exist."), status=404)
    assignment = next(iter(answers.values())).assignment
    assignment.participation, assignment.study = participation, participation.study
    return _Submission(assignment, answers, any(answer.other_open_hits for answer in answers.values()))


def _or_consent(claiming: Callable[[], Claimed]) -> Claimed:
    try:
        return claiming()
    except Refused as refusal:  # raised before the claim has written anything
        if refusal.code != "consent":
            raise
        return Claimed(None, "consent")


def _receipt(submission: _Submission) -> Receipt:
    assignment = submission.assignment
    return Receipt(
        assignment=assignment.public_id,
        state=assignment.state,
        credited=assignment.credited,
        reward=assignment.reward,
        currency=assignment.study.currency,
        stopped=assignment.participation.standing == Participation.Standing.STOPPED,
        feedback=_unacknowledged(submission),
    )


def _refuse_repeated(answers: Sequence[AnswerSent]) -> None:
    """Reject a submission that contains two answers to the same question. Needs no query."""
    positions: set[int] = set()
    for answer in answers:
        if answer.position in positions:
            raise Refused(
                "repeated",
                _("Question %(position)s is answered twice. Send one answer for each question.")
                % {"position": answer.position},
                status=400,
                fields={f"answers.{answer.position}": [_("is sent twice")]},
            )
        positions.add(answer.position)


def _take(submission: _Submission, sent: Sequence[AnswerSent], feedback_first: bool) -> None:
    """Check the whole submission, store it, and end the assignment. Repeated calls have no effect.

    The answers of an incomplete submission are stored if the annotator is stopped, because these answers were given
    before the page could learn of the stop.
    """
    assignment, own = submission.assignment, submission.answers
    if assignment.submitted_at is not None:
        return
    refuse_given_up(assignment)
    _refuse_unknown(own, sent)
    checked = check(assignment, own, sent)
    missing = _missing(own, sent)
    if assignment.state != Assignment.State.VOID:
        if not feedback_first:
            _refuse_unacknowledged(own)
        _refuse_incomplete(missing)
    if store(assignment, checked) and assignment.state == Assignment.State.VOID:
        standing.credit_after_stop(assignment)
    if not missing and not (feedback_first and _has_unread(own)):
        _end(assignment, own.values())
    if standing.apply_rule(assignment.participation):
        assignment.refresh_from_db(fields=["state", "credited", "reason", "open_at_stop"])
    if not missing and assignment.submitted_at is None and assignment.state == Assignment.State.VOID:
        _end(assignment, own.values())  # after a stop, there is nothing left to wait for


def _refuse_unknown(own: Mapping[int, Answer], sent: Sequence[AnswerSent]) -> None:
    unknown = next((answer.position for answer in sent if answer.position not in own), None)
    if unknown is not None:
        raise Refused("unknown", _("This assignment has no question %(position)s.") % {"position": unknown}, status=404)


def _has_unread(own: Mapping[int, Answer]) -> bool:
    return any(answer.tally is not None and answer.acknowledged_at is None for answer in own.values())


def _refuse_unacknowledged(own: Mapping[int, Answer]) -> None:
    for answer in own.values():
        if answer.tally is not None and answer.acknowledged_at is None:
            raise Refused(
                "unacknowledged",
                _("Read the expected answer to question %(position)s before you submit.")
                % {"position": answer.position},
            )


def _missing(own: Mapping[int, Answer], sent: Sequence[AnswerSent]) -> list[int]:
    positions = {answer.position for answer in sent}
    return [
        answer.position
        for answer in own.values()
        if answer.given_at is None and not answer.skipped and answer.position not in positions
    ]


def _refuse_incomplete(missing: Sequence[int]) -> None:
    if missing:
        raise Refused(
            "incomplete",
            ngettext(
                "Answer question %(positions)s before you submit.",
                "Answer questions %(positions)s before you submit.",
                len(missing),
            )
            % {"positions": ", ".join(map(str, missing))},
            fields={f"answers.{position}": [_("has no answer yet")] for position in missing},
        )


def _unacknowledged(submission: _Submission) -> list[Feedback]:
    """Return unread feedback. Every receipt repeats unread feedback, because the first response may not have
    arrived.
    """
    unread = [
        answer for answer in submission.answers.values() if answer.tally is not None and answer.acknowledged_at is None
    ]
    feedback = [feedback_on(answer, submission.assignment) for answer in unread]
    return [one for one in feedback if one is not None]


def _end(assignment: Assignment, answers: Collection[Answer]) -> None:
    regular = assignment.kind == Assignment.Kind.REGULAR
    if assignment.state == Assignment.State.VOID:
        standing.credit_after_stop(assignment)
    elif assignment.state == Assignment.State.LAPSED and not take_again(assignment):
        assignment.state, assignment.credited = Assignment.State.SURPLUS, regular
        assignment.reason = "the HIT was completed by others in the meantime"
    else:
        assignment.state, assignment.credited = Assignment.State.DONE, regular
    assignment.submitted_at = clock.now()
    latest = [answer.latest for answer in answers]
    assignment.skipped = sum(bool(each.skipped) for each in latest)
    if regular:
        assignment.seconds = whole_time(each.seconds or 0 if each.skipped else each.seconds for each in latest)
    count_gold_skips(assignment, answers)
    update(assignment, ("state", "reason", "submitted_at", "credited", "slot", "skipped", "seconds"))
    if regular:
        announce(assignment.study, HIT_SUBMITTED, lambda: _facts(assignment))
    if assignment.kind == Assignment.Kind.PRACTICE and assignment.state == Assignment.State.DONE:
        judge_practice(assignment.participation, answers)
    ask_again(assignment, answers)
    if assignment.study.has_quotas:
        exclude_beyond_quota([assignment])


def _facts(assignment: Assignment) -> dict[str, Any]:
    """Return the data of the event. The number of the HIT needs a query."""
    return {
        "assignment": assignment.public_id,
        "hit": assignment.hit.number if assignment.hit else None,
        "annotator": assignment.participation.pseudonym,
        "state": assignment.state,
    }
