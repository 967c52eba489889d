"""The comparisons of a study with a repeat, and the studies with which it can be compared."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.core.permissions import Action, permitted_studies
from annotate.models import Report, Study, User

KIND = "compare"
UPLOADED = "compared-release"  # the kind of report whose input is an uploaded release


def comparisons(study: Study) -> QuerySet[Report]:
    """Return the study's comparisons, newest first."""
    return study.reports.filter(kind=KIND).order_by("-number")


def comparable_studies(study: Study, user: User) -> QuerySet[Study]:
    """Return the other studies of the same task type that the user can see and that have results."""
    reported = Report.objects.filter(kind="results").values("study")
    others = permitted_studies(user, Action.LOOK).filter(task_type=study.task_type, pk__in=reported)
    return others.exclude(pk=study.pk).order_by("title", "pk")


def has_results(study: Study) -> bool:
    """Return whether the study has a results report. A study that is not stored yet has none."""
    return study.pk is not None and study.reports.filter(kind="results").exists()
