"""People who are waiting for a place in a study."""

from __future__ import annotations

from django.db import models

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class WaitingPerson(models.Model):
    """A person on a study's waiting list, which is in primary-key order.

    The person's link contains the public ID and a signature (`core/services/credentials.py`). The row is deleted when
    the person joins, leaves the list or does not use the offered place in time, and when nobody can join the study any
    more. The e-mail address is deleted as soon as the e-mail with the offer was sent.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="waiting")
    email = models.EmailField(blank=True)
    offered_at = models.DateTimeField(
        null=True, blank=True, help_text="The time at which Accord offered the person a place in the study."
    )
    mail_due_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Accord can send the e-mail with the offer from this time. This field is empty if there is no "
        "e-mail to send.",
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "waiting people"

    def __str__(self) -> str:
        return f"waiting person {self.pk}"
