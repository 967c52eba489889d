"""E-mails that contain named annotators' personal links. Each person receives the link at most once.

A link is marked as possibly sent before the message goes to the mail server. If Accord stops at that moment, the link
stays marked, and the researcher decides what to do. No transaction waits for the mail server.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from annotate.core.permissions import Action, Actor, permitted_study
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import NamedAnnotator, Study
from annotate.server import clock
from annotate.server.languages import FALLBACK, available
from annotate.server.refusals import Refused

State = NamedAnnotator.MailState
FAILURES_IN_A_ROW = 5
log = logging.getLogger(__name__)


def to_send(study: Study) -> QuerySet[NamedAnnotator]:
    """Return the named annotators who have an address, have not joined, and have not been sent their link."""
    unsent = Q(mail_state="") | Q(mail_state=State.FAILED)
    people = NamedAnnotator.objects.filter(unsent, study=study, participation=None)
    return people.exclude(name="").exclude(email="").order_by("pk")


def refuse_without_mail_server() -> None:
    """Raise `Refused` (`mail`) if this server cannot send e-mail."""
    if not settings.EMAIL_HOST:
        message = "This server cannot send e-mail. Download the links as a CSV file instead."
        raise Refused("mail", message)


def send_links(study_id: int, *, user: Actor, progress: Callable[[float, str], None]) -> int:
    """Send the personal links that have not been sent yet, and return the number of links sent. A job that was
    interrupted continues with the remaining people.

    Raises `Refused` (`mail`) if there is no mail server, or after several failures in a row.
    """
    study = permitted_study(study_id, user, Action.NAME_ANNOTATORS)
    refuse_without_mail_server()
    waiting = list(to_send(study).values_list("pk", flat=True))
    sent = failures = 0
    connection = get_connection()
    try:
        for number, pk in enumerate(waiting):
            progress(number / len(waiting), f"Sent {sent:,} of {len(waiting):,} links")
            fault = _send(study, pk, connection)
            sent, failures = (sent, failures + 1) if fault else (sent + 1, 0)
            if failures == FAILURES_IN_A_ROW:
                message = f"The mail server rejected {failures} e-mails in a row, most recently with: {fault}"
                raise Refused("mail", message, status=503)
    finally:
        connection.close()
    with write():
        record(study, "sent personal links", user=user, annotators=sent)
    return sent


def _send(study: Study, pk: int, connection: BaseEmailBackend) -> str:
    """Send one link. Return the reason why the mail server did not accept the e-mail, or an empty string if it did."""
    with write():
        person = to_send(study).select_for_update(of=("self",), no_key=True).filter(pk=pk).first()
        if person is None:
            return ""  # another job has sent the link, or the person was removed or has joined in the meantime
        NamedAnnotator.objects.filter(pk=pk).update(mail_state=State.SENDING, mailed_at=clock.now())
    try:
        _message(study, person, connection).send()
    except SMTPRecipientsRefused as error:
        state, fault = State.FAILED, _reason(error)
    except (OSError, ValueError) as error:  # includes smtplib errors and addresses that cannot be encoded
        connection.close()
        state, fault = State.FAILED, _reason(error)
    else:
        state, fault = State.SENT, ""
    with write():
        NamedAnnotator.objects.filter(pk=pk, mail_state=State.SENDING).update(mail_state=state, mail_fault=fault)
    return fault


def _message(study: Study, person: NamedAnnotator, connection: BaseEmailBackend) -> EmailMessage:
    """Return the e-mail in the study's language."""
    with translation.override(available(study.language) or FALLBACK):
        paragraphs = [
            _("You are invited to take part in the study “%(title)s”.") % {"title": study.title},
            _("This is your personal link. With this link, you can join the study and continue on any device:"),
            settings.SITE_URL + PERSONAL_LINKS.path(person.public_id),
            _("Keep the link to yourself: anyone who has it can continue in your place."),
            *([_("Contact: %(contact)s") % {"contact": study.contact}] if study.contact else []),
        ]
        subject = _("Invitation to the study “%(title)s”") % {"title": " ".join(study.title.split())}
    return EmailMessage(subject, "\n\n".join(paragraphs), None, [person.email], connection=connection)


def _reason(error: OSError | ValueError) -> str:
    """Return a short reason without the address. The page shows the address separately."""
    if isinstance(error, SMTPRecipientsRefused):
        reason = "the recipient was rejected"
    else:
        reason = "the address is invalid" if isinstance(error, ValueError) else str(error)
    log.warning("An e-mail with a personal link could not be sent: %s", type(error).__name__)
    return (reason or type(error).__name__)[:200]
