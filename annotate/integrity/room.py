"""Integrity: indicators from the activity summaries sent by the work page with each answer."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job, requester
from annotate.integrity.services import calculate_signs
from annotate.models import Job
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register


def _calculate(job: Job, progress: Progress) -> None:
    calculate_signs(job.study_id, user=requester(job), progress=progress)


def _after_report(job: Job) -> None:
    if job.study.activity_summaries:
        request_job(job.study, "integrity", user=requester(job))


register(
    "integrity",
    Extension(jobs={"integrity": Work(_calculate, Action.CALCULATE_REPORTS)}, after_report=_after_report),
)
