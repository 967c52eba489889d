"""A study's to-do list. Its length is stored for the list of studies: in the cache and, less often, in the row."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import OuterRef, Subquery

from annotate.console.selectors.todo import Todo, todo_list
from annotate.console.selectors.todo_counts import Counted, store_count, stored_counts
from annotate.core.selectors.pilot import Pilot, pilot_of
from annotate.core.selectors.progress import Progress, progress_of
from annotate.core.selectors.studies import studies_of
from annotate.core.services.writing import write
from annotate.models import Event, Study, User
from annotate.results.selectors.reports import people
from annotate.server import clock
from annotate.studies.services.study import missing_before_opening

MOST_RECOUNTED = 3  # studies in one request, so that the list stays fast with large studies
RECOUNTED_AFTER = timedelta(minutes=1)  # studies with active annotators get new log entries constantly


def current_todo(study: Study, progress: Progress, pilot: Pilot | None) -> list[Todo]:
    """Return the to-do list, most urgent entries first, and store its length in the cache."""
    counted_at, latest_event = clock.now(), _latest_event(study)
    stale = missing_before_opening(study).get("design", "") if study.design_id and study.is_draft else ""
    entries = todo_list(study, people(study), progress, pilot, stale_design=stale)
    store_count(study, Counted(len(entries), counted_at, latest_event))
    return entries


def todo_of(study: Study) -> list[Todo]:
    """Return the to-do list of a study whose progress has not been read yet."""
    return current_todo(study, progress_of(study), pilot_of(study))


def recount_changed(user: User) -> None:
    """Update the to-do counts of the user's studies that have new log entries since the last count.

    Each call reads only the lists with the oldest counts, and skips lists that were counted in the last minute. Most
    events that change a to-do list are in the log. For all other events, `refresh_todo_counts` counts again.
    """
    latest = Event.objects.filter(study=OuterRef("pk")).order_by("-at").values("at")[:1]
    studies = studies_of(user).exclude(state=Study.State.ARCHIVED).select_related("design")
    with_events = list(studies.annotate(latest_event=Subquery(latest)))
    counts = stored_counts(with_events)
    newest = clock.now() - RECOUNTED_AFTER
    changed = []
    for study in with_events:
        counted = counts.get(study.pk)
        if counted and counted.at and counted.at <= newest and counted.latest_event != study.latest_event:
            changed.append((counted.at, study))
    for _, study in sorted(changed, key=lambda each: each[0])[:MOST_RECOUNTED]:
        todo_of(study)


def _latest_event(study: Study) -> datetime | None:
    return study.events.order_by("-at").values_list("at", flat=True).first()


def refresh_todo_counts() -> int:
    """Count the to-do lists of all studies that are not archived, and store the counts also in the studies' rows, which
    replace counts that are missing from the cache. Return the number of studies.
    """
    studies = Study.objects.exclude(state=Study.State.ARCHIVED).select_related("design")
    for study in studies:
        entries = len(todo_of(study))
        if entries != study.todo_count:
            with write():
                Study.objects.filter(pk=study.pk).update(todo_count=entries)
    return len(studies)
