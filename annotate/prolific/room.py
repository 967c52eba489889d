"""Prolific: settings, submissions, their statuses and payments, and jobs that use Prolific's API."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.selectors.limits import prolific_settings
from annotate.core.services.jobs import requester
from annotate.core.setting_steps import setting_place
from annotate.models import Job, Study
from annotate.prolific.selectors.settings import PAUSE
from annotate.prolific.services.remote import (
    approve_submissions,
    create_draft,
    fetch_submissions,
    pause_places,
    pay_bonus_list,
)
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Way, Work, register
from annotate.templatetags.figures import with_noun


def _draft(job: Job, progress: Progress) -> None:
    sizes = {name: job.parameters[name] for name in ("minutes", "places")}
    create_draft(job.study_id, user=requester(job), **sizes)


def _pause(job: Job, progress: Progress) -> None:
    pause_places(job.study_id, user=requester(job))


def _submissions(job: Job, progress: Progress) -> None:
    fetch_submissions(job.study_id, user=requester(job))


def _approvals(job: Job, progress: Progress) -> None:
    approve_submissions(job.study_id, user=requester(job), progress=progress)


def _bonuses(job: Job, progress: Progress) -> None:
    pay_bonus_list(job.study_id, job.parameters["number"], user=requester(job), progress=progress)


def _recruits(study: Study) -> bool:
    return study.recruitment == Study.Recruitment.PROLIFIC


def _could_recruit(study: Study) -> bool:
    return study.is_draft and study.admission != Study.Admission.NAMED and not _recruits(study)


def _sized(study: Study) -> str:
    hits = prolific_settings(study).hits_per_submission
    return f"{with_noun(hits, 'HIT')} per submission" if hits else "any number of HITs"


def _submitted(study: Study) -> str:
    return f"{study.prolific_submissions.count():,} in Accord"


register(
    "prolific",
    Extension(
        jobs={
            "prolific-draft": Work(_draft, Action.PAY),
            PAUSE: Work(_pause, Action.PAY),
            "prolific-submissions": Work(_submissions, Action.PAY),
            "prolific-approvals": Work(_approvals, Action.PAY),
            "prolific-bonuses": Work(_bonuses, Action.PAY),
        },
        ways=[
            Way(
                "Prolific",
                "Recruit participants on Prolific instead.",
                setting_place("recruitment"),
                Action.CHANGE_SETTINGS,
                offered=_could_recruit,
            ),
            Way(
                "Study on Prolific",
                "Enter the URL and the completion codes on Prolific.",
                "settings/prolific/",
                Action.CHANGE_SETTINGS,
                _sized,
                _recruits,
            ),
            Way(
                "Prolific submissions",
                "Approve, pay and compare the submissions of participants.",
                "submissions/",
                Action.SEE_PLATFORM_IDS,
                _submitted,
                _recruits,
            ),
        ],
    ),
)
