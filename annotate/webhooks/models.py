"""Webhooks: addresses to which Accord sends a study's events, and the deliveries to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Study
from annotate.models.encrypted import EncryptedField
from annotate.models.ids import public_id
from annotate.models.times import DatabaseTimeField
from annotate.tasktypes import extensions


class Webhook(models.Model):
    """A URL to which Accord sends a study's events. The signing secret is encrypted in the database."""

    class Kind(models.TextChoices):
        HIT_SUBMITTED = extensions.HIT_SUBMITTED, "an annotator has submitted a HIT"
        ANNOTATOR_STOPPED = extensions.ANNOTATOR_STOPPED, "an annotator was stopped"
        PILOT_COMPLETE = "pilot.complete", "all HITs of the pilot are done"
        STUDY_COMPLETE = "study.complete", "all HITs of the study are done"

    in_study_backup = False  # a restored study must not send its events to the same servers

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(default=list, help_text="Accord sends these events to the address of the webhook.")
    secret = EncryptedField(max_length=500, help_text="The encrypted secret with which Accord signs deliveries.")
    active = models.BooleanField(default=True)
    reached = models.JSONField(
        default=list, blank=True, help_text="The completion events whose conditions were met at the last check."
    )
    sending_until = models.DateTimeField(
        null=True, blank=True, help_text="One worker has reserved the webhook's deliveries until this time."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One event that is sent to a webhook, with the result of the last attempt."""

    class State(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"

    in_study_backup = False

    TEST = "test"  # the kind of a delivery that a researcher requests to test the address

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    # Without a database constraint, a submission with a delivery succeeds even if a researcher deletes the webhook at
    # the same time. Deliveries without a webhook are never sent, and a periodic task deletes them.
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_constraint=False)
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(help_text="The next attempt can start at this time.")
    status = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="The HTTP status of the last response. This field is empty if there was no response.",
    )
    error = models.CharField(max_length=500, blank=True)
    created_at = DatabaseTimeField(auto_now_add=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["webhook", "-id"], name="delivery_latest"),
            models.Index(fields=["next_at"], condition=Q(state="waiting"), name="delivery_waiting"),
            models.Index(fields=["created_at"], name="delivery_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"
