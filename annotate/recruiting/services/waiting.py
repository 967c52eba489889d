"""Services for the waiting list of a study that has a maximum number of annotators.

Places that become free go to the people on the list in order. Each person has 48 hours to use an offered place. All
services lock the study's row first, as joining does (`core/services/limits.py`).
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.utils import translation
from django.utils.translation import gettext as _

from accord_core.exchange.people import is_email
from annotate.core.permissions import Action, Actor, require
from annotate.core.selectors.limits import free_places, in_time_zone, joining_is_over
from annotate.core.selectors.waiting import OFFER, waiting_rows
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.credentials import WAITING_LINKS
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Study, WaitingPerson
from annotate.server import clock
from annotate.server.languages import FALLBACK, available
from annotate.server.refusals import Refused, invalid

MOST = 10_000  # people on a list
NEXT_TRY = timedelta(hours=1)  # after the mail server has rejected an e-mail
log = logging.getLogger(__name__)


def start_waiting(study_id: int, *, email: str = "") -> WaitingPerson:
    """Add a person to the waiting list. Each address is stored only once, so that nobody receives two e-mails.

    Raises `Refused` with the code `no-waiting-list`, `full` if the list is full, or `invalid` for an invalid address.
    """
    email = email.strip()
    if email and not is_email(email):
        raise invalid("email", _("Enter a valid e-mail address."))
    with write():
        study = _locked(study_id)
        if not study.is_open or not study.waiting_list or joining_is_over(study):
            raise Refused("no-waiting-list", _("This study has no waiting list at the moment."), status=403)
        refuse_if_archived(study_id)
        if study.waiting.count() >= MOST:
            raise Refused("full", _("The waiting list is full."), status=403)
        known = not settings.EMAIL_HOST or study.waiting.filter(email__iexact=email).exists()
        return WaitingPerson.objects.create(study=study, email="" if known else email)


def stop_waiting(public_id: str) -> None:
    """Remove a person from the waiting list at the person's own request. Repeated calls have no effect."""
    with write():
        WaitingPerson.objects.filter(public_id=public_id).delete()


def remove_waiting(study_id: int, public_id: str, *, user: Actor) -> None:
    """Remove a person from the waiting list. Raises `Refused` (`unknown`)."""
    with write():
        study = _locked(study_id)
        require(study, user, Action.NAME_ANNOTATORS)
        deleted, _counts = WaitingPerson.objects.filter(study=study, public_id=public_id).delete()
        if not deleted:
            raise Refused("unknown", "This person is not on the waiting list.", status=404)
        record(study, "removed from waiting list", user=user)


def offer_waiting_places() -> int:
    """Offer the free places in all studies to the people on their waiting lists, and send the e-mails that are due.
    Return the number of new offers.
    """
    studies = list(WaitingPerson.objects.order_by("study").values_list("study", flat=True).distinct())
    offered = sum(offer_places(study_id) for study_id in studies)
    _send_due_mails()
    return offered


def offer_places(study_id: int) -> int:
    """Offer the study's free places to the first people on its waiting list. Delete people who did not use an offered
    place, or everyone if nobody can join any more. Return the number of new offers.
    """
    with write():
        study = _locked(study_id)
        has_ended = study.state in (Study.State.CLOSED, Study.State.ARCHIVED)
        if has_ended or not study.waiting_list or joining_is_over(study):
            study.waiting.all().delete()
            return 0
        if not study.is_open:
            return 0
        now = clock.now()
        study.waiting.filter(offered_at__lte=now - OFFER).delete()
        rows = waiting_rows(study, free_places(study) or 0)
        new = [row.person for row in rows if row.may_join and row.person.offered_at is None]
        for person in new:
            person.offered_at, person.mail_due_at = now, now if person.email else None
        WaitingPerson.objects.bulk_update(new, ["offered_at", "mail_due_at"])
        return len(new)


def _send_due_mails() -> None:
    if settings.EMAIL_HOST:
        due = WaitingPerson.objects.filter(mail_due_at__lte=clock.now()).order_by("pk")
        for pk in list(due.values_list("pk", flat=True)):
            _send_to(pk)


def _send_to(pk: int) -> None:
    """Send the offer to one person, and delete the address. No transaction waits for the mail server, and two workers
    never send the same e-mail. If the mail server rejects the e-mail, it is sent again an hour later.
    """
    with write():
        people = WaitingPerson.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
        person = people.select_related("study").filter(pk=pk, mail_due_at__lte=clock.now()).first()
        if person is None:
            return
        WaitingPerson.objects.filter(pk=pk).update(mail_due_at=None)
    subject, text = _offer(person)
    try:
        send_mail(subject, text, None, [person.email])
    except (OSError, ValueError) as error:  # includes smtplib errors and addresses that cannot be encoded
        log.warning("An e-mail to a person on a waiting list could not be sent: %s", type(error).__name__)
        WaitingPerson.objects.filter(pk=pk).update(mail_due_at=clock.now() + NEXT_TRY)
    else:
        WaitingPerson.objects.filter(pk=pk).update(email="")


def _offer(person: WaitingPerson) -> tuple[str, str]:
    """Return the subject and text of the e-mail in the study's language."""
    study = person.study
    with translation.override(available(study.language) or FALLBACK):
        until = in_time_zone(study, person.offered_at + OFFER) if person.offered_at else ""
        paragraphs = (
            _("A place in the study “%(title)s” is free for you until %(time)s.")
            % {"title": study.title, "time": until},
            settings.SITE_URL + WAITING_LINKS.path(person.public_id),
            _("If you do not join until then, the next person on the waiting list gets the place."),
            _("Your address was entered on the waiting list. We have deleted the address after this e-mail."),
        )
        subject = _("A place in the study “%(title)s”") % {"title": " ".join(study.title.split())}
    return subject, "\n\n".join(paragraphs)


def _locked(study_id: int) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study_id)
