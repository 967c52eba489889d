"""Jobs of a study with their reports, for the job panel of the console."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.models import Job, Study


def jobs_with_reports(study: Study) -> QuerySet[Job]:
    """Return the jobs of a study, newest first, with their reports but without the contents of the reports."""
    contents = ("report__input", "report__result", "report__people")
    return study.jobs.select_related("created_by", "report").defer(*contents).order_by("-pk")
