"""The to-do list of a study: its stored length, and e-mails with new entries, at most one per day for each researcher
who has turned them on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.template.loader import render_to_string
from django.urls import reverse

from annotate.console.selectors.todo import Todo, todo_list
from annotate.console.selectors.todo_counts import Counted, store_count, stored_counts
from annotate.core.permissions import Action, require
from annotate.core.selectors.pilot import Pilot, pilot_of
from annotate.core.selectors.progress import Progress, progress_of
from annotate.core.selectors.studies import studies_of
from annotate.core.services.writing import write
from annotate.models import Event, Membership, Study, User
from annotate.questions.selectors.adjudication import reviewers_decide
from annotate.questions.services.refresh import current_figures
from annotate.results.selectors.reports import people
from annotate.server import clock
from annotate.studies.services.study import missing_before_opening

MOST_RECOUNTED = 3  # studies in one request, so that the list stays fast with large studies
RECOUNTED_AFTER = timedelta(minutes=1)  # studies with active annotators get new log entries constantly


def current_todo(study: Study, progress: Progress, pilot: Pilot | None) -> list[Todo]:
    """Return the to-do list, most urgent entries first, and store its length in the cache. The agreement on questions
    is updated first if reviewers have to decide disagreements.
    """
    if reviewers_decide(study):
        current_figures(study)
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
    """Count the to-do lists of all studies that are not archived. Also store the counts in the studies' rows, in case
    the cache loses them. Return the number of studies.
    """
    studies = Study.objects.exclude(state=Study.State.ARCHIVED).select_related("design")
    for study in studies:
        entries = len(todo_of(study))
        if entries != study.todo_count:
            with write():
                Study.objects.filter(pk=study.pk).update(todo_count=entries)
    return len(studies)


BETWEEN_MAILS = timedelta(hours=24)
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StudyNews:
    """The new entries in one study's to-do list, with the URL of the study's overview."""

    study: Study
    url: str
    entries: list[Todo]


def set_todo_mail(study_id: int, *, user: User, wanted: bool) -> None:
    """Store whether the member receives the study's new to-do list entries by e-mail.

    The first e-mail contains all entries that exist at that time.
    """
    with write():
        require(Study.objects.get(pk=study_id), user, Action.LOOK)
        Membership.objects.filter(study_id=study_id, user=user).update(mails_todo=wanted, mailed_todo=[])


def send_todo_mails() -> int:
    """Send an e-mail message to each researcher whose studies have new to-do list entries, and return the number of
    messages. If no mail server is configured, send nothing.

    Two workers never send the same message, because the entries count as sent before the message is sent. If the mail
    server rejects the message, the entries count as new again, and the next run tries again. No transaction waits for
    the mail server.
    """
    if not settings.EMAIL_HOST:
        return 0
    due = User.objects.filter(_due(), is_active=True, memberships__mails_todo=True).order_by("pk").distinct()
    return sum(_send_to(user) for user in due.values_list("pk", flat=True))


def _due() -> Q:
    return Q(todo_mailed_at=None) | Q(todo_mailed_at__lte=clock.now() - BETWEEN_MAILS)


def _send_to(user_id: int) -> bool:
    """Send the new entries to one researcher. Return whether there were any."""
    with write():
        user = User.objects.select_for_update(skip_locked=True, no_key=True).filter(_due(), pk=user_id).first()
        if user is None:
            return False
        memberships = list(_memberships(user))
        earlier = {membership.pk: membership.mailed_todo for membership in memberships}
        news = _news(memberships)
        if not news:
            return False
        User.objects.filter(pk=user.pk).update(todo_mailed_at=clock.now())
    total = sum(len(each.entries) for each in news)
    subject = f"Accord: {total:,} new to-do {'entry' if total == 1 else 'entries'}"
    try:
        send_mail(subject, render_to_string("console/mail/todo.txt", {"news": news}), None, [user.email])
    except OSError as error:  # also the errors of smtplib
        log.warning("The e-mail with to-do entries for user %s could not be sent: %s", user_id, error)
        with write():
            User.objects.filter(pk=user.pk).update(todo_mailed_at=user.todo_mailed_at)
            for pk, entries in earlier.items():
                Membership.objects.filter(pk=pk).update(mailed_todo=entries)
        return False
    return True


def _memberships(user: User) -> QuerySet[Membership]:
    memberships = user.memberships.filter(mails_todo=True).exclude(study__state=Study.State.ARCHIVED)
    return memberships.select_related("study", "study__design").order_by("pk")


def _news(memberships: Iterable[Membership]) -> list[StudyNews]:
    """Return the new entries by study, and store the keys of all current entries. Purely informational entries are
    omitted.
    """
    news = []
    for membership in memberships:
        entries = [entry for entry in todo_of(membership.study) if entry.level != "info"]
        new = [entry for entry in entries if entry.key not in membership.mailed_todo]
        membership.mailed_todo = [entry.key for entry in entries]
        membership.save(update_fields=["mailed_todo"])
        if new:
            path = f"{reverse('console:studies')}{membership.study.public_id}/"
            news.append(StudyNews(membership.study, settings.SITE_URL + path, new))
    return news
