"""Services that record Prolific participants' submissions and outcomes, including those from Prolific's webhooks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accord_core.exchange.prolific import Status
from annotate.core.selectors.limits import prolific_settings
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.slot_counts import note_opened_slots
from annotate.core.services.writing import write
from annotate.models import (
    Annotator,
    AnnotatorGroup,
    Participation,
    ProlificSubmission,
    ReportedSubmission,
    Study,
    SubmissionImport,
)
from annotate.prolific.selectors.settings import latest_submission
from annotate.recruiting.selectors import verified_id
from annotate.recruiting.services.join import join
from annotate.server import clock
from annotate.server.refusals import Refused

ID = re.compile(r"[A-Za-z0-9]{1,64}")


@dataclass(frozen=True)
class Arrival:
    """The IDs of a person arriving from Prolific. An ID that is missing from the link is an empty string.

    `verified` means that a token signed by Prolific confirmed the IDs. `group` is the code of the group in the link,
    which researchers add to the study URL on Prolific.

    For a person from another panel, `participant` is the ID from the panel, `parameter` is its name in the link, and
    `signature` confirms the ID. Such a person has no submission.
    """

    participant: str = ""
    prolific_study: str = ""
    submission: str = ""
    verified: bool = False
    group: str = ""
    parameter: str = ""
    signature: str = ""

    @property
    def platform(self) -> str:
        """The platform whose ID the link contains."""
        return Annotator.Platform.PANEL if self.parameter else Annotator.Platform.PROLIFIC

    @property
    def screened_id(self) -> str:
        """The ID under which the screening result is stored. Anyone can invent an unverified ID, so its result never
        counts for the participant with the verified ID.
        """
        return verified_id(self.participant) if self.verified else self.participant


def join_from_prolific(
    study: Study,
    arrival: Arrival,
    *,
    public_id: str | None = None,
    group: AnnotatorGroup | None = None,
    screening: str = "",
) -> Participation:
    """Return the participant's participation with a record of the submission, creating both if necessary.

    Raises `Refused` like `join` and `record_arrival`.
    """
    with write():
        participation = join(
            study,
            platform=Annotator.Platform.PROLIFIC,
            external_id=arrival.participant,
            verified=arrival.verified,
            public_id=public_id,
            group=group,
            screening=screening,
        )
        record_arrival(participation, arrival)
        return participation


def record_arrival(participation: Participation, arrival: Arrival) -> ProlificSubmission:
    """Record that the participant has arrived with this submission, and return the record of the submission.

    Raises `Refused` with the code `submissions` if the participant already has the maximum number of submissions,
    `prolific-id` if the submission belongs to another participant, `prolific-token` if the study needs a signed token,
    or `archived`.
    """
    with write():
        person = Participation.objects.locked().get(pk=participation.pk)
        submission = _submission_of(person, arrival)
        if submission.participation_id == person.pk:
            return submission
        submission.participation, submission.outcome, submission.outcome_at = person, "", None
        submission.participant_id = arrival.participant
        submission.prolific_study_id, submission.verified = arrival.prolific_study, arrival.verified
        submission.save()
        Annotator.objects.filter(pk=person.annotator_id, verified=False).update(verified=arrival.verified)
        note_opened_slots(person.study)  # the submission can raise the participant's limit on HITs
        return submission


def starts_submission(participation: Participation, arrival: Arrival) -> bool:
    """Return whether the participant arrives with a submission that is not recorded yet. Raises `Refused` like
    `record_arrival`.
    """
    return _submission_of(participation, arrival).participation_id != participation.pk


def record_outcome(participation: Participation, outcome: str) -> None:
    """Record the outcome of the participant's latest submission. Nothing changes if the outcome is already recorded or
    the study is archived.
    """
    latest = latest_submission(participation)
    if participation.study.state == Study.State.ARCHIVED or (latest and latest.outcome == outcome):
        return
    with write():
        person = Participation.objects.locked().get(pk=participation.pk)
        submission = latest_submission(person) or ProlificSubmission(
            study=person.study, participation=person, participant_id=person.annotator.external_id
        )
        _save_outcome(submission, outcome)


def record_refusal(study: Study, arrival: Arrival, outcome: str) -> None:
    """Record the outcome for a person from Prolific who has not joined. Nothing changes if the outcome is already
    recorded or the study is archived.

    Raises `Refused` with the code `prolific-id` if the submission belongs to another participant or to an annotator, or
    `prolific-token` if a signed token confirmed the submission, but not the IDs in this request.
    """
    if study.state == Study.State.ARCHIVED or not arrival.participant:
        return
    with write():
        submission = _refused_submission(study, arrival)
        submission.prolific_study_id, submission.verified = arrival.prolific_study, arrival.verified
        _save_outcome(submission, outcome)


def needs_refusal(study: Study, arrival: Arrival, outcome: str) -> bool:
    """Return whether `record_refusal` would change the submission. Raises `Refused` like `record_refusal`."""
    if study.state == Study.State.ARCHIVED or not arrival.participant:
        return False
    return _refused_submission(study, arrival).outcome != outcome


def _refused_submission(study: Study, arrival: Arrival) -> ProlificSubmission:
    submission = _stored(study, arrival) or ProlificSubmission(
        study=study, participant_id=arrival.participant, submission_id=arrival.submission
    )
    if submission.participation_id or submission.participant_id != arrival.participant:
        raise borrowed()
    if submission.verified and not arrival.verified:
        raise unconfirmed()
    return submission


def _save_outcome(submission: ProlificSubmission, outcome: str) -> None:
    if submission.outcome != outcome:
        submission.outcome, submission.outcome_at = outcome, clock.now()
        submission.save()


def borrowed() -> Refused:
    """Return the refusal for IDs that do not belong together."""
    message = _("This link does not contain a valid Prolific ID. Open the study again from its Prolific page.")
    return Refused("prolific-id", message, status=400)


def unconfirmed() -> Refused:
    """Return the refusal for IDs without a valid token."""
    message = _("This link is not valid in this browser. Open the study again from its Prolific page.")
    return Refused("prolific-token", message, status=403)


def _submission_of(person: Participation, arrival: Arrival) -> ProlificSubmission:
    """Return the participant's submission. It is new or has no participation if it is not recorded yet. Raises
    `Refused` like `record_arrival`.
    """
    refuse_if_archived(person.study_id)
    # A link without a submission ID cannot start another submission.
    submission = _stored(person.study, arrival) if arrival.submission else latest_submission(person)
    if submission and submission.participation_id == person.pk:
        return submission
    if submission and submission.participant_id != arrival.participant:
        raise borrowed()
    settings = prolific_settings(person.study)
    if settings.secured and not arrival.verified:
        raise unconfirmed()
    if person.prolific_submissions.count() >= settings.submissions_per_participant:
        raise Refused(
            "submissions",
            _("You have already taken part in this study, so you cannot start another submission."),
            status=403,
        )
    return submission or ProlificSubmission(study=person.study, submission_id=arrival.submission)


def _stored(study: Study, arrival: Arrival) -> ProlificSubmission | None:
    """Return the record of the submission or, for a person who has not joined, the record without a submission ID."""
    submissions = study.prolific_submissions.filter(submission_id=arrival.submission)
    if not arrival.submission:
        submissions = submissions.filter(participation=None, participant_id=arrival.participant)
    return submissions.first()


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


PREVIEW_KEPT = timedelta(days=1)


def delete_old_previews() -> int:
    """Delete previews that were not imported within a day, because they contain participant IDs. Return their
    number.
    """
    old = SubmissionImport.objects.filter(imported_at=None, created_at__lt=clock.now() - PREVIEW_KEPT)
    return old.delete()[0]
