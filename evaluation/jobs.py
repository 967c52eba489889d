"""The job that calculates program-assisted figures."""

from __future__ import annotations

from annotate.core.services.jobs import requester
from annotate.models import Job, Report
from annotate.tasktypes import Progress
from evaluation.services.assisted import calculate_assisted


def assisted(job: Job, progress: Progress) -> Report:
    return calculate_assisted(job.study_id, program=job.parameters["program"], user=requester(job), progress=progress)
