"""Lease durations, which are short until the first draft or answer and then equal the study's full time limit.

Without the short lease, a person with many participations could hold every slot of a study without answering.
"""

from __future__ import annotations

from django.conf import settings

from annotate.models import Assignment, Study
from annotate.server import clock


def unstarted_minutes(study: Study) -> int:
    """Return the lease duration, in minutes, of an assignment without drafts or answers."""
    return min(study.lease_minutes, settings.UNSTARTED_MINUTES)


def keep_started(assignment: Assignment) -> None:
    """Extend the lease on a locked assignment to the study's full time limit, counted from the claim.

    An overdue lease is not extended, because another annotator can get its slot at any moment.
    """
    running = assignment.state == Assignment.State.LEASED and assignment.lease_until > clock.now()
    if running and assignment.lease_until < assignment.longest_lease:
        assignment.lease_until = assignment.longest_lease
        assignment.save(update_fields=["lease_until"])
