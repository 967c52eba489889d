"""How long a HIT is kept: briefly until its first draft or answer, then for the study's whole lease.

Otherwise one stranger with many participations could hold every slot of a study without answering anything.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from annotate import clock
from annotate.models import Assignment, Study


def unstarted_minutes(study: Study) -> int:
    """How long a lease lasts if nothing is drafted or answered."""
    return min(study.lease_minutes, settings.UNSTARTED_MINUTES)


def keep_started(assignment: Assignment) -> None:
    """Extend a running lease to the study's whole lease, counted from the claim; the assignment is locked.

    An overdue lease stays overdue: its slot may be promised to somebody else at any moment.
    """
    whole = assignment.claimed_at + timedelta(minutes=assignment.study.lease_minutes)
    running = assignment.state == Assignment.State.LEASED and assignment.lease_until > clock.now()
    if running and assignment.lease_until < whole:
        assignment.lease_until = whole
        assignment.save(update_fields=["lease_until"])
