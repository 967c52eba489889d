"""Services that mark submissions on Prolific for rejection. This needs a researcher's request and a reason that
Prolific accepts.
"""

from __future__ import annotations

from accord_core.exchange.prolific import RejectionCategory, Status
from annotate.core.permissions import Actor, researcher
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import ReportedSubmission
from annotate.pay.services import payable_study
from annotate.server.refusals import Refused, existing

SHORTEST = 100  # characters that Prolific requires in the message to the participant
LONGEST = 1000


def mark_rejection(
    study_id: int, submission_id: str, *, category: str, participant_message: str, user: Actor
) -> ReportedSubmission:
    """Mark a submission for rejection. Nothing is sent to Prolific.

    Raises `Refused` with the code `unknown`, `invalid` for a category or a message that Prolific does not accept, or
    `state` for a submission that does not await review.
    """
    message = participant_message.strip()
    _check(category, message)
    return _store(study_id, submission_id, category, message, user, "marked submission for rejection")


def unmark_rejection(study_id: int, submission_id: str, *, user: Actor) -> ReportedSubmission:
    """Remove the rejection mark from a submission. Raises `Refused` with the code `unknown` or `state`."""
    return _store(study_id, submission_id, "", "", user, "unmarked submission for rejection")


def _store(
    study_id: int, submission_id: str, category: str, message: str, user: Actor, verb: str
) -> ReportedSubmission:
    study = payable_study(study_id, user)
    with write():
        submission = existing(
            study.reported_submissions.select_for_update().filter(submission_id=submission_id).first(),
            "Prolific has not reported a submission with this ID for this study.",
        )
        if submission.status != Status.AWAITING_REVIEW:
            raise Refused(
                "state",
                f"Submission {submission_id} has the status {submission.status} on Prolific. You can reject only "
                "submissions that are awaiting review.",
            )
        submission.rejection_category, submission.rejection_message = category, message
        submission.rejected_by = researcher(user) if category else None
        submission.save(update_fields=["rejection_category", "rejection_message", "rejected_by"])
        record(study, verb, user=user, reason=message, category=category)
        return submission


def _check(category: str, message: str) -> None:
    errors = {}
    if category not in list(RejectionCategory):
        errors["category"] = f"Choose one of Prolific's reasons for rejections: {', '.join(RejectionCategory)}."
    if not SHORTEST <= len(message) <= LONGEST:
        errors["participant_message"] = (
            f"The message to the participant has {len(message)} characters. Prolific requires at least {SHORTEST}, and "
            f"Accord stores at most {LONGEST:,}."
        )
    if errors:
        text = " ".join(errors.values())
        raise Refused("invalid", text, status=400, fields={name: [error] for name, error in errors.items()})
