"""E-mail messages with new to-do list entries, sent at most once per day to each researcher who has turned them on."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from annotate.console.selectors.todo import Todo
from annotate.core.permissions import Action, require
from annotate.core.services.writing import write
from annotate.models import Membership, Study, User
from annotate.server import clock

from .todo import todo_of

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
