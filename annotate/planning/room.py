"""Planning: predicted quality and cost of designs, and the plan of a study compared with its progress."""

from __future__ import annotations

from annotate.core.permissions import SYSTEM, Action
from annotate.core.services.jobs import request_job, requester
from annotate.models import Job, Plan, Report, Study
from annotate.planning.services.checks import check_plan, needs_check
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register
from annotate.tasktypes.personal import Table, declare, impersonal

from .services.plans import make_plan

GROWTH = 1.05  # of the judgements since the last comparison of an open study with its plan


def _plan(job: Job, progress: Progress) -> None:
    make_plan(job.study_id, job.parameters["plan"], user=requester(job), progress=progress)


def _check(job: Job, progress: Progress) -> Report | None:
    return check_plan(job.study_id, user=requester(job), progress=progress)


def _after_report(job: Job) -> None:
    if needs_check(job.study, growth=1.0):
        request_job(job.study, "check-plan", user=requester(job))


def _refresh(study: Study) -> None:
    if needs_check(study, GROWTH):
        request_job(study, "check-plan", user=SYSTEM)


register(
    "planning",
    Extension(
        jobs={
            "plan": Work(_plan, Action.CALCULATE_PLANS, is_long=True),
            "check-plan": Work(_check, Action.CALCULATE_REPORTS, is_long=True),
        },
        after_report=_after_report,
        refresh=_refresh,
    ),
)

declare(Table(Plan, {"public_id key parameters versions result chosen": impersonal("a plan for the study")}))
