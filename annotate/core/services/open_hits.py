"""The service that ends the lease on an open HIT at a researcher's request, so that another annotator can claim the
HIT.
"""

from __future__ import annotations

from annotate.core.permissions import Action, Actor, permitted_study, refuse_state
from annotate.models import Assignment
from annotate.server.refusals import Refused, existing

from .answer import lock
from .log import record
from .slots import release
from .writing import write


def end_lease(study_id: int, assignment_id: str, *, user: Actor) -> int:
    """End the lease on an open HIT, and return the number of slots that became available.

    The assignment lapses as if its time limit had ended. The annotator can still finish the HIT and is then paid. If
    another annotator has taken the slot by then, the late answers are surplus. Raises `Refused` with the code
    `unknown`, or `not-leased` if the HIT is not open.
    """
    with write():
        study = permitted_study(study_id, user, Action.END_LEASES)
        refuse_state(study, Action.END_LEASES)
        found = existing(
            study.assignments.filter(public_id=assignment_id, kind=Assignment.Kind.REGULAR).first(),
            "This study has no assignment with this ID.",
        )
        assignment = lock(found.participation_id, assignment_id)
        if assignment.state != Assignment.State.LEASED:
            raise Refused("not-leased", "The reservation of this HIT has already ended.")
        assignment.state = Assignment.State.LAPSED
        assignment.save(update_fields=["state"])
        opened = release(study, [assignment])
        record(study, "ended lease", user=user, participation=assignment.participation, hit=_number(assignment))
        return opened


def _number(assignment: Assignment) -> int | None:
    return assignment.hit.number if assignment.hit else None
