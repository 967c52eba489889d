"""Submissions as reported by Prolific, the imports of these reports, and lists of bonuses that are paid through
Prolific.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from accord_core.exchange.prolific import RejectionCategory, Status

from .annotator import Participation
from .ids import public_id
from .pay import Payment
from .study import Study
from .times import DatabaseTimeField


class ProlificStudy(models.Model):
    """The study on Prolific that is linked to a study. Only studies that use Prolific's API have a linked study."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="prolific_study")
    prolific_id = models.CharField(max_length=64, help_text="The ID of the study on Prolific.")

    class Meta:
        verbose_name_plural = "Prolific studies"

    def __str__(self) -> str:
        return self.prolific_id


class ReportedSubmission(models.Model):
    """A submission, with the status that Prolific last reported.

    `ProlificSubmission` contains the submissions with which participants came to Accord. Either of the two can be
    missing. Removing personal data deletes the participant's rows.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="reported_submissions")
    submission_id = models.CharField(max_length=64, help_text="The ID of the submission on Prolific.")
    participant_id = models.CharField(max_length=64, help_text="The ID of the participant on Prolific.")
    status = models.CharField(max_length=20, choices=[(status, status.lower()) for status in Status])
    code = models.CharField(
        max_length=128,
        blank=True,
        help_text="The completion code that the participant entered. The code is NOCODE if the participant entered "
        "none.",
    )
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)
    seconds = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The time that the participant spent on the submission, in seconds, as measured by Prolific.",
    )
    reported_at = models.DateTimeField(help_text="The time at which Prolific reported this status.")
    rejection_category = models.CharField(
        max_length=20, blank=True, choices=[(each, each) for each in RejectionCategory]
    )
    rejection_message = models.CharField(
        max_length=1000, blank=True, help_text="The participant sees this message when the submission is rejected."
    )
    rejected_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    payment = models.ForeignKey(
        Payment,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The record of the reward that was paid when the submission was approved.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "submission_id"], name="reported_submission_once"),
            models.CheckConstraint(
                condition=Q(rejection_category="", rejection_message="")
                | (~Q(rejection_category="") & ~Q(rejection_message="")),
                name="reported_submission_rejection",
            ),
        ]
        indexes = [models.Index(fields=["study", "participant_id"], name="reported_by_participant")]

    def __str__(self) -> str:
        return f"reported submission {self.pk}"


class SubmissionImport(models.Model):
    """An import of reported submissions, from a file or from Prolific's API.

    `rows` contains a file that is previewed and not imported yet. `before` maps the IDs of changed submissions to their
    earlier values, and the IDs of added submissions to null, so that the import can be undone. Removing personal data
    empties both.
    """

    class Source(models.TextChoices):
        FILE = "file", "file"
        API = "api", "Prolific's API"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="submission_imports")
    source = models.CharField(max_length=4, choices=Source)
    filename = models.CharField(max_length=255, blank=True)
    rows = models.JSONField(null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = DatabaseTimeField(auto_now_add=True)
    imported_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"import {self.public_id}"


class BonusList(models.Model):
    """A list of bonuses that researchers or Accord pay through Prolific.

    The amounts in a list that is not cancelled are not offered again in another list. Accord sends the request to pay a
    list at most once. If the result of this request is unknown, the list stays in the state `paying`.
    """

    class State(models.TextChoices):
        OPEN = "open", "not paid yet"
        PAYING = "paying", "payment requested, result unknown"
        PAID = "paid", "paid"
        CANCELLED = "cancelled", "cancelled"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="bonus_lists")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    prolific_id = models.CharField(max_length=64, blank=True, help_text="The ID of the bonus payments on Prolific.")
    error = models.CharField(
        max_length=500, blank=True, help_text="The reason why Prolific refused to pay the bonuses."
    )
    payment = models.ForeignKey(Payment, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="bonus_list_number"),
            models.CheckConstraint(
                condition=Q(state="paid", payment__isnull=False) | (~Q(state="paid") & Q(payment__isnull=True)),
                name="bonus_list_payment",
            ),
        ]

    def __str__(self) -> str:
        return f"bonus list {self.number}"


class BonusShare(models.Model):
    """One participant's amount on a bonus list."""

    bonus_list = models.ForeignKey(BonusList, on_delete=models.CASCADE, related_name="shares")
    participation = models.ForeignKey(Participation, on_delete=models.PROTECT, related_name="bonus_shares")
    amount = models.DecimalField(max_digits=12, decimal_places=4)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bonus_list", "participation"], name="bonus_share_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="bonus_share_amount"),
        ]

    def __str__(self) -> str:
        return f"bonus share {self.pk}"
