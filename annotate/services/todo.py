"""A study's to-do list, whose length is stored for the list of studies."""

from __future__ import annotations

from annotate.models import Study
from annotate.selectors.pilot import Pilot, pilot_of
from annotate.selectors.progress import Progress, progress_of
from annotate.selectors.reports import people
from annotate.selectors.todo import Todo, todo_list

from .study import missing_before_opening
from .writing import write


def current_todo(study: Study, progress: Progress, pilot: Pilot | None) -> list[Todo]:
    """Return the to-do list, most urgent entries first, and store its length."""
    stale = missing_before_opening(study).get("design", "") if study.design_id and study.is_draft else ""
    entries = todo_list(study, people(study), progress, pilot, stale_design=stale)
    if len(entries) != study.todo_count:
        with write():
            Study.objects.filter(pk=study.pk).update(todo_count=len(entries))
        study.todo_count = len(entries)
    return entries


def todo_of(study: Study) -> list[Todo]:
    """Return the to-do list of a study whose progress has not been read yet."""
    return current_todo(study, progress_of(study), pilot_of(study))


def refresh_todo_counts() -> int:
    """Read the to-do lists of all studies that are not archived, so that the list of studies can show the lengths of
    these lists. Return the number of studies.
    """
    studies = Study.objects.exclude(state=Study.State.ARCHIVED).select_related("design")
    for study in studies:
        todo_of(study)
    return len(studies)
