"""Submission statuses reported by Prolific's webhooks."""

from __future__ import annotations

from datetime import datetime

from annotate.exchange.prolific import Status
from annotate.models import ProlificSubmission, ReportedSubmission, Study

from .writing import write

# Prolific changes these statuses only at a person's request.
FINAL = (Status.APPROVED, Status.REJECTED, Status.RETURNED, Status.SCREENED_OUT, Status.PARTIALLY_APPROVED)


def store_status(submission_id: str, participant_id: str, status: Status, *, at: datetime) -> bool:
    """Store a submission's status, and return whether the status has changed.

    A workspace's hooks report the submissions of all its studies. Submissions that neither came to Accord nor were
    imported are ignored, and so are events that are older than the stored status.
    """
    with write():
        stored = (
            ReportedSubmission.objects.select_for_update()
            .filter(submission_id=submission_id, participant_id=participant_id)
            .exclude(study__state=Study.State.ARCHIVED)
            .order_by("pk")
            .first()
        )
        if stored is None:
            return _add(submission_id, participant_id, status, at)
        if stored.reported_at >= at or stored.status == status:
            return False
        if stored.status in FINAL and status not in FINAL:
            return False
        stored.status, stored.reported_at = status, at
        stored.save(update_fields=["status", "reported_at"])
        return True


def _add(submission_id: str, participant_id: str, status: Status, at: datetime) -> bool:
    own = ProlificSubmission.objects.filter(submission_id=submission_id, participant_id=participant_id)
    arrived = own.exclude(study__state=Study.State.ARCHIVED).select_related("study").order_by("pk").first()
    if arrived is None:
        return False
    Study.objects.select_for_update(no_key=True).get(pk=arrived.study_id)  # an import may add the same submission
    _, added = ReportedSubmission.objects.get_or_create(
        study=arrived.study,
        submission_id=submission_id,
        defaults={"participant_id": participant_id, "status": status, "reported_at": at},
    )
    return added
