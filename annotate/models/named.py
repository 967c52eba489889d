"""Annotators chosen by name, each with a personal link."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .annotator import Participation
from .group import AnnotatorGroup
from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class NamedAnnotatorQuerySet(models.QuerySet["NamedAnnotator"]):
    """Queries for named annotators."""

    def ended(self) -> NamedAnnotatorQuerySet:
        """Return the annotators whose reservations have no effect, because they were stopped, have withdrawn, are
        finished or had their name removed.
        """
        standings = (Participation.Standing.STOPPED, Participation.Standing.WITHDRAWN, Participation.Standing.DONE)
        return self.filter(Q(name="") | Q(participation__standing__in=standings))


class NamedAnnotator(models.Model):
    """A person chosen by the researchers as an annotator for a study. The person joins through a personal link.

    The link contains the public ID and a signature (`core/services/credentials.py`), so that a copy of the database
    contains no working links. Only researchers see the name. When personal data is removed, the name and the e-mail
    address become empty, and the link no longer works.
    """

    class MailState(models.TextChoices):
        SENDING = "sending", "possibly sent"  # the server stopped while it was sending the e-mail
        SENT = "sent", "sent"
        FAILED = "failed", "not sent"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="named_annotators")
    name = models.CharField(max_length=80, blank=True)
    email = models.EmailField(blank=True, help_text="Accord sends the personal link to this address.")
    group = models.ForeignKey(AnnotatorGroup, null=True, blank=True, on_delete=models.PROTECT, related_name="named")
    mail_state = models.CharField(
        max_length=7,
        blank=True,
        choices=MailState,
        help_text="The delivery status of the e-mail with the personal link. This field is empty until Accord sends "
        "the e-mail.",
    )
    mail_fault = models.CharField(
        max_length=200, blank=True, help_text="The reason that the mail server gave for not delivering the e-mail."
    )
    mailed_at = models.DateTimeField(null=True, blank=True)
    participation = models.OneToOneField(
        Participation, null=True, blank=True, on_delete=models.PROTECT, related_name="named"
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    objects = NamedAnnotatorQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], condition=~Q(name=""), name="named_annotator_once")
        ]

    def __str__(self) -> str:
        return self.name or "removed name"
