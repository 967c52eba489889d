"""A study's Prolific settings, and the submissions through which participants come from Prolific."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from .annotator import Participation
from .study import Study
from .times import DatabaseTimeField


class Outcome(models.TextChoices):
    """The outcome of a submission, which determines the completion code."""

    COMPLETED = "completed", "completed"
    NO_CONSENT = "no_consent", "no consent"
    SCREENED_OUT = "screened_out", "screened out"
    FAILED_GOLD = "failed_gold", "stopped by the quality rule"
    INCOMPATIBLE_DEVICE = "incompatible_device", "incompatible device"


class ProlificSettings(models.Model):
    """The settings of a study that recruits annotators on Prolific. A study without a row has the default settings and
    no completion codes.
    """

    class FailedGold(models.TextChoices):
        PAY = "pay", "submit with a completion code and be paid"
        RETURN = "return", "return the submission"

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="prolific")
    hits_per_submission = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text="The number of HITs in a submission. Participants get their completion code after this number of "
        "HITs. If this field is empty, participants first complete every HIT that they can get.",
    )
    submissions_per_participant = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="The maximum number of submissions per participant.",
    )
    codes = models.JSONField(
        default=dict, blank=True, help_text="The completion code for each outcome of a submission."
    )
    failed_gold = models.CharField(
        max_length=6,
        choices=FailedGold,
        default=FailedGold.PAY,
        help_text="Accord asks participants to do this after the quality rule has stopped them. Do not reject "
        "submissions because of incorrect gold answers.",
    )
    screenout_reward = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="The fixed amount that screened-out participants are paid. The amount must be the same on Prolific. "
        "Leave this field empty if they are not paid.",
    )
    needs_computer = models.BooleanField(
        default=False, help_text="Whether Accord asks participants on phones and tablets to return their submission."
    )
    secured = models.BooleanField(
        default=False,
        help_text="Accept new participants only if they come through Prolific's secured URLs, which contain a signed "
        "token.",
    )

    class Meta:
        verbose_name_plural = "Prolific settings"

    def __str__(self) -> str:
        return f"Prolific settings of study {self.study_id}"

    def code(self, outcome: str) -> str:
        """Return the completion code for the outcome, or an empty string if none is set."""
        return str(self.codes.get(outcome, ""))


class ProlificSubmission(models.Model):
    """A submission through which a participant came from Prolific.

    The participation is empty for people who did not join, for example because they declined the consent text.
    `Participation` and exports do not contain Prolific's study and submission IDs. Removing personal data empties the
    participant ID and the submission ID.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="prolific_submissions")
    participation = models.ForeignKey(
        Participation, null=True, blank=True, on_delete=models.PROTECT, related_name="prolific_submissions"
    )
    participant_id = models.CharField(max_length=64, blank=True, help_text="The ID of the participant on Prolific.")
    prolific_study_id = models.CharField(max_length=64, blank=True, help_text="The ID of the study on Prolific.")
    submission_id = models.CharField(max_length=64, blank=True, help_text="The ID of the submission on Prolific.")
    verified = models.BooleanField(default=False, help_text="Whether a token signed by Prolific has confirmed the IDs.")
    token_expires_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The time at which the latest signed token expires. Accord accepts only tokens that expire later.",
    )
    outcome = models.CharField(
        max_length=20,
        blank=True,
        choices=Outcome,
        help_text="The outcome of the submission. This field is empty while the participant is still working.",
    )
    arrived_at = DatabaseTimeField(auto_now_add=True)
    outcome_at = models.DateTimeField(
        null=True, blank=True, help_text="The time at which the submission got its outcome."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "submission_id"], condition=~Q(submission_id=""), name="prolific_submission_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["study", "participant_id"], condition=~Q(participant_id=""), name="prolific_by_participant"
            )
        ]

    def __str__(self) -> str:
        return f"Prolific submission {self.pk}"
