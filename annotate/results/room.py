"""Results: reports and their files, downloads, and links to reports for people outside the study."""

from __future__ import annotations

from annotate.core.permissions import Action
from annotate.core.services.jobs import requester
from annotate.models import Job, Report
from annotate.results.services import make_report
from annotate.tasktypes import Progress, extensions
from annotate.tasktypes.extensions import Extension, Work, register


def _report(job: Job, progress: Progress) -> Report:
    parameters = {name: value for name, value in job.parameters.items() if name != "work"}
    kind = job.parameters["work"].partition(":")[2] or "results"
    report = make_report(job.study_id, kind=kind, parameters=parameters, user=requester(job), progress=progress)
    extensions.after_report(job)
    return report


register("results", Extension(jobs={"report": Work(_report, Action.CALCULATE_REPORTS)}))
