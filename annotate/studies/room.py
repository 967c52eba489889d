"""Studies: their states, settings, members, copies and targets. This room builds on all others in its layer, because
opening a study asks each of them whether something is missing.
"""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job, Study
from annotate.studies.services.copies import copy_contents
from annotate.tasktypes import Progress
from annotate.tasktypes.extensions import Extension, Work, register

from .services.target import check_target, check_target_again


def _copy(job: Job, progress: Progress) -> None:
    source, gold = job.parameters["source"], job.parameters["gold"]
    copy_contents(job.study_id, source, gold=gold, user=requester(job), progress=progress)


def _after_report(job: Job) -> None:
    check_target(job.study_id)


def _refresh(study: Study) -> None:
    if study.target_pauses and study.target_paused_at is None:
        check_target_again(study)


register(
    "studies",
    Extension(
        jobs={"copy": Work(_copy, Action.IMPORT_FILES, is_long=True)},
        after_report=_after_report,
        refresh=_refresh,
    ),
)
