"""Planning: predicted quality and cost of designs, and the plan of a study compared with its progress."""

from __future__ import annotations

from annotate import tasktypes
from annotate.core.permissions import SYSTEM, Action
from annotate.core.services.jobs import request_job, requester
from annotate.models import Job, Report, Study
from annotate.planning.explanations import EXPLANATIONS
from annotate.planning.models import Plan
from annotate.planning.pages.panel import forecast, panel
from annotate.planning.pages.reality import overview_part
from annotate.planning.services.checks import check_plan, needs_check
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import ErrorCode, Extension, Tab, Work, register
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


def _delete_draft(study: Study) -> None:
    study.plans.all().delete()


register(
    "planning",
    Extension(
        jobs={
            "plan": Work(_plan, Action.MANAGE, is_long=True, title="Plan", page="plan/"),
            "check-plan": Work(
                _check, Action.CALCULATE_REPORTS, is_long=True, title="Comparison with the plan", page="plan/"
            ),
        },
        after_report=_after_report,
        refresh=_refresh,
        overview=overview_part,
        plan_panel=panel,
        forecast=forecast,
        console_urls="annotate.planning.urls",
        api_urls="annotate.planning.api_urls",
        further=lambda study: (
            [Tab("overview", "Plan", ("plan/",), Action.LOOK)] if tasktypes.get(study.task_type).planning else []
        ),
        guides={
            **dict.fromkeys(("plan", "stored-plan", "use-plan", "calculate-plan"), "planning#the-plan-page"),
            "estimate": "planning#the-slider-in-set-up",
        },
        explanations=EXPLANATIONS,
        error_codes=[
            ErrorCode("impossible-plan", (409,), "The study cannot be planned with these parameters."),
            ErrorCode("no-plans", (400,), "Accord cannot plan studies of this task type."),
            ErrorCode("unknown-design", (400,), "The plan does not contain this design."),
            ErrorCode(
                "unknown-pilot", (400,), "You are not a member of the pilot study, or it has a different task type."
            ),
            ErrorCode("too-few-answers", (409,), "The pilot has too few answers for estimates."),
        ],
        delete_draft=_delete_draft,
    ),
)

declare(Table(Plan, {"public_id key parameters versions result chosen": impersonal("a plan for the study")}))
