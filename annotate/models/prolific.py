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
        verbose_name="HITs per submission",
        null=True,
        blank=True,
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text="Participants get their completion code after this number of HITs. The reward on Prolific must cover "
        "all of these HITs. Leave this field empty to let participants submit as many HITs as they can get.",
    )
    submissions_per_participant = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="Set the same maximum on Prolific.",
    )
    codes = models.JSONField(
        default=dict, blank=True, help_text="The completion code for each outcome of a submission."
    )
    failed_gold = models.CharField(
        verbose_name="instruction to participants whom the quality rule stops",
        max_length=6,
        choices=FailedGold,
        default=FailedGold.PAY,
        help_text="Prolific does not allow you to reject submissions because of failed comprehension checks, and gold "
        "questions count as such checks.",
    )
    screenout_reward = models.DecimalField(
        verbose_name="fixed payment for screened-out participants",
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="Enter the same amount on Prolific. Participants see this amount when they are screened out. Leave "
        "this field empty if they are not paid.",
    )
    needs_computer = models.BooleanField(
        verbose_name="participants need a computer",
        default=False,
        help_text="Participants on phones or tablets are asked to return their submission.",
    )
    secured = models.BooleanField(
        verbose_name="accept only secured URLs",
        default=False,
        help_text="Turn on secured URLs on Prolific first. A participant ID then works only in the browser that "
        "Prolific opened.",
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
