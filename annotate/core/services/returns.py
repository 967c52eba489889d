"""Services for annotators who return an unfinished HIT, or withdraw from a study."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from annotate.core.selectors.put_aside import put_aside_left
from annotate.models import Assignment, Participation, ParticipationKey, Study, SurveyResponse
from annotate.server.refusals import Refused

from .activity import delete_activity
from .answer import lock
from .asked_again import balance_slots, uncounted_questions
from .batches import remove_batch_of
from .exclusions import include_within_quota
from .locks import locked_participation
from .log import record
from .slots import end_reservation, open_reservations, release
from .writing import write

OPEN = (Assignment.State.LEASED, Assignment.State.LAPSED)
SUBMITTED = (Assignment.State.DONE, Assignment.State.SURPLUS)


def return_hit(participation_id: ParticipationKey, assignment_id: str, *, put_aside: bool = False) -> None:
    """Return an unsubmitted HIT, so that other annotators can claim it.

    If one of its slots is still open when the annotator continues, the annotator gets the HIT back before any other
    HIT. If `put_aside` is true, the annotator never gets the HIT again. Each annotator can put aside a few HITs only,
    because someone who sees many HITs without answering them can recognise gold questions.

    Repeated calls have no effect. Raises `Refused` with the code `submitted` after the submission, `stopped` after a
    stop, `practice` for practice questions, or `put-aside` if the annotator cannot put aside another HIT.
    """
    with write():
        assignment = lock(participation_id, assignment_id)
        reason = Assignment.PUT_ASIDE if put_aside else Assignment.RETURNED
        if assignment.is_given_up and assignment.reason in (reason, Assignment.PUT_ASIDE, Assignment.WITHDRAWN):
            return
        _refuse_other(assignment)
        if put_aside:
            _refuse_beyond_allowance(assignment.participation)
        held = assignment.state == Assignment.State.LEASED
        _give_up(assignment, reason)
        if put_aside:
            end_reservation(assignment)
        if held:
            release(assignment.study, [assignment])
        record(
            assignment.study,
            "returned HIT",
            participation=assignment.participation,
            hit=_number(assignment),
            put_aside=put_aside,
        )


def withdraw(participation_id: ParticipationKey, *, keep_answers: bool) -> None:
    """End the annotator's participation at the annotator's own request. The pay for submitted HITs does not change.

    If `keep_answers` is true, the answers stay under the pseudonym. Otherwise the answers are excluded from the study's
    results and from later exports and releases, the activity summaries are deleted, and the HITs are open for other
    annotators again. An annotator who has withdrawn can still exclude the answers later, but cannot include them again.
    """
    with write():
        participation = locked_participation(participation_id)
        already = participation.standing == Participation.Standing.WITHDRAWN
        if already and (keep_answers or participation.excludes_answers):
            return
        remove_batch_of(participation)
        released = _end_open(participation)
        if not keep_answers:
            released += _exclude(participation)
            delete_activity(Q(pk=participation.pk))
        participation.standing = Participation.Standing.WITHDRAWN
        participation.standing_reason = "withdrew and kept the answers" if keep_answers else "withdrew all answers"
        participation.excludes_answers = not keep_answers
        participation.save(update_fields=["standing", "standing_reason", "excludes_answers"])
        if not keep_answers:
            SurveyResponse.objects.filter(participation=participation).delete()
        opened = release(participation.study, released) + open_reservations(participation, released)
        balance_slots(participation.study_id, uncounted_questions(released))
        if participation.study.has_quotas:
            include_within_quota(released)
        record(participation.study, "withdrew", participation=participation, keep_answers=keep_answers, opened=opened)


def _refuse_other(assignment: Assignment) -> None:
    if assignment.submitted_at is not None:
        raise Refused("submitted", _("This HIT has been submitted, so it can no longer be returned."))
    if assignment.state not in OPEN:
        raise Refused("stopped", _("Your work in this study has ended, so this HIT can no longer be returned."))
    if assignment.kind != Assignment.Kind.REGULAR:
        raise Refused("practice", _("Practice questions cannot be returned. You can close this page at any time."))


def _refuse_beyond_allowance(participation: Participation) -> None:
    if participation.study.network_check:
        # Annotators on the same network share one allowance, so they must not put HITs aside at the same time.
        Study.objects.select_for_update(no_key=True).get(pk=participation.study_id)
    if not put_aside_left(participation):
        raise Refused(
            "put-aside",
            _("You cannot put aside any more sets. Return the set instead. You will get it back when you continue."),
        )


def _end_open(participation: Participation) -> list[Assignment]:
    """End the annotator's open assignments. Returns the assignments that held a slot."""
    assignments = list(participation.assignments.filter(state__in=OPEN).select_for_update(no_key=True).order_by("pk"))
    held = [assignment for assignment in assignments if assignment.state == Assignment.State.LEASED]
    for assignment in assignments:
        if not assignment.is_given_up:
            _give_up(assignment, Assignment.WITHDRAWN)
    return held


def _exclude(participation: Participation) -> list[Assignment]:
    """Void the submitted assignments without removing the credit for them. Returns the assignments that held a slot."""
    assignments = list(
        participation.assignments.filter(state__in=SUBMITTED).select_for_update(no_key=True).order_by("pk")
    )
    held = [assignment for assignment in assignments if assignment.state == Assignment.State.DONE]
    for assignment in assignments:
        assignment.state, assignment.reason = Assignment.State.VOID, Assignment.WITHDRAWN
    Assignment.objects.bulk_update(assignments, ["state", "reason"])
    return held


def _give_up(assignment: Assignment, reason: str) -> None:
    assignment.state, assignment.reason = Assignment.State.LAPSED, reason
    assignment.save(update_fields=["state", "reason"])


def _number(assignment: Assignment) -> int | None:
    return assignment.hit.number if assignment.hit else None
