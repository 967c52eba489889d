"""Background jobs that use Prolific's API."""

from __future__ import annotations

from collections.abc import Callable

from annotate.core.permissions import SYSTEM, Action
from annotate.models import Job
from annotate.tasktypes.extensions import Work

from .prolific_remote import approve_submissions, create_draft, fetch_submissions, pay_bonus_list


def _draft(job: Job, progress: Callable[[float, str], None]) -> None:
    sizes = {name: job.parameters[name] for name in ("minutes", "places")}
    create_draft(job.study_id, user=job.created_by or SYSTEM, **sizes)


def _submissions(job: Job, progress: Callable[[float, str], None]) -> None:
    fetch_submissions(job.study_id, user=job.created_by or SYSTEM)


def _approvals(job: Job, progress: Callable[[float, str], None]) -> None:
    approve_submissions(job.study_id, user=job.created_by or SYSTEM, progress=progress)


def _bonuses(job: Job, progress: Callable[[float, str], None]) -> None:
    pay_bonus_list(job.study_id, job.parameters["number"], user=job.created_by or SYSTEM, progress=progress)


PROLIFIC_WORK = {
    "prolific-draft": Work(_draft, Action.PAY),
    "prolific-submissions": Work(_submissions, Action.PAY),
    "prolific-approvals": Work(_approvals, Action.PAY),
    "prolific-bonuses": Work(_bonuses, Action.PAY),
}
