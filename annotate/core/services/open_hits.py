"""Services that end the lease on an open HIT at a researcher's request, so that another annotator can claim it, and
that restore the lease.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotate.core.permissions import Action, Actor, permitted_study, refuse_state
from annotate.models import Assignment
from annotate.server.refusals import Refused, existing

from .answer import lock
from .log import record
from .slots import release, take_again
from .spend import fits_budget
from .undo import not_undone, refuse_changed
from .writing import write

ENDED, RESTORED = "ended lease", "restored lease"  # the verbs of the log entries


@dataclass(frozen=True)
class Ended:
    """The number of slots that became available, and the time of the action, for `restore_lease`. The time is None if a
    surplus assignment took the slot.
    """

    opened: int
    at: datetime | None


def end_lease(study_id: int, assignment_id: str, *, user: Actor) -> Ended:
    """End the lease on an open HIT.

    The assignment lapses as if its time limit had ended. The annotator can still finish the HIT and is then paid. If
    another annotator has taken the slot by then, the late answers are surplus. Raises `Refused` with the code
    `unknown`, or `not-leased` if the HIT is not open.
    """
    with write():
        assignment = _locked(study_id, assignment_id, user)
        if assignment.state != Assignment.State.LEASED:
            raise Refused("not-leased", "The reservation of this HIT has already ended.")
        assignment.state = Assignment.State.LAPSED
        assignment.save(update_fields=["state"])
        opened = release(assignment.study, [assignment])
        entry = record(
            assignment.study, ENDED, user=user, participation=assignment.participation, hit=_number(assignment)
        )
        return Ended(opened, entry.at if opened else None)


def restore_lease(study_id: int, assignment_id: str, *, seen: str, user: Actor) -> None:
    """Undo the end of a lease at the time `seen`. The annotator holds the HIT again, until the same time as before.
    Undoing again has no effect.

    Raises `Refused` with the code `unknown`, or `changed` if the lease ended at another time, or if the HIT cannot be
    given back, for example because another annotator has started it.
    """
    with write():
        assignment = _locked(study_id, assignment_id, user)
        ended = (
            assignment.participation.events.filter(verb=ENDED, detail__hit=_number(assignment)).order_by("pk").last()
        )
        if ended is None:
            raise not_undone("no researcher has ended the reservation of this HIT")
        refuse_changed(ended.at, seen)
        if assignment.state == Assignment.State.LEASED:
            return
        _refuse_used(assignment)
        assignment.state = Assignment.State.LEASED
        assignment.save(update_fields=["state", "slot"])
        record(assignment.study, RESTORED, user=user, participation=assignment.participation, hit=_number(assignment))


def _refuse_used(assignment: Assignment) -> None:
    """Take the slot for the assignment again, or raise `Refused` (`changed`) if it cannot have the HIT any more."""
    participation = assignment.participation
    if participation.has_ended:
        raise not_undone(f"{participation.pseudonym} no longer works in this study")
    if assignment.state != Assignment.State.LAPSED or assignment.is_given_up:
        raise not_undone(f"{participation.pseudonym} has submitted or returned the HIT since then")
    if participation.assignments.filter(source=assignment.source, state=Assignment.State.LEASED).exists():
        raise not_undone(f"{participation.pseudonym} has started another HIT since then")
    if not fits_budget(assignment.study, assignment.reward):
        raise not_undone("the rest of the budget is reserved for other HITs now")
    if not take_again(assignment):
        raise not_undone("another annotator has started the HIT since then")


def _locked(study_id: int, assignment_id: str, user: Actor) -> Assignment:
    """Lock a regular assignment of the study after its participation, and return it."""
    study = permitted_study(study_id, user, Action.END_LEASES)
    refuse_state(study, Action.END_LEASES)
    found = existing(
        study.assignments.filter(public_id=assignment_id, kind=Assignment.Kind.REGULAR).first(),
        "This study has no assignment with this ID.",
    )
    return lock(found.participation_id, assignment_id)


def _number(assignment: Assignment) -> int | None:
    return assignment.hit.number if assignment.hit else None
