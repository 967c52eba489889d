"""Submission statuses reported by Prolific's webhooks."""

from __future__ import annotations

from datetime import datetime

from annotate.core.services.writing import write
from annotate.exchange.prolific import Status
from annotate.models import ProlificSubmission, ReportedSubmission, Study

# Prolific changes these statuses only at a person's request.
FINAL = (Status.APPROVED, Status.REJECTED, Status.RETURNED, Status.SCREENED_OUT, Status.PARTIALLY_APPROVED)


def store_status(submission_id: str, participant_id: str, status: Status, *, at: datetime) -> None:
    """Store a submission's status in each study in which the submission has arrived or was imported. Anyone can open
    the link of another study with the IDs of their submission, so a submission can have arrived in several studies.

    A workspace's hooks report the submissions of all its studies. Unknown submissions are ignored, and so are events
    that are older than the stored status.
    """
    ids = {"submission_id": submission_id, "participant_id": participant_id}
    known = {
        study
        for model in (ReportedSubmission, ProlificSubmission)
        for study in model.objects.filter(**ids).values_list("study", flat=True)
    }
    with write():
        # The locks make simultaneous events and imports wait, also for a submission without a stored status.
        studies = Study.objects.filter(pk__in=known).exclude(state=Study.State.ARCHIVED)
        for study in studies.order_by("pk").select_for_update(no_key=True):
            _store(study, submission_id, participant_id, status, at)


def _store(study: Study, submission_id: str, participant_id: str, status: Status, at: datetime) -> None:
    stored, added = ReportedSubmission.objects.select_for_update().get_or_create(
        study=study,
        submission_id=submission_id,
        defaults={"participant_id": participant_id, "status": status, "reported_at": at},
    )
    if added or stored.participant_id != participant_id or stored.reported_at >= at or stored.status == status:
        return
    if stored.status in FINAL and status not in FINAL:
        return
    stored.status, stored.reported_at = status, at
    stored.save(update_fields=["status", "reported_at"])
