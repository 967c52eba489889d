"""Summaries of annotators' activity on the work page, for studies with the setting `activity_summaries`."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .annotator import Participation
from .assignment import Answer


class ActivitySummary(models.Model):
    """A summary of an annotator's activity while one question was on the screen.

    A summary contains counts and timings, but no keys, positions or texts. Intervals are in milliseconds. A median and
    an interquartile range are empty if there were too few events.
    """

    class PastedLength(models.TextChoices):
        NONE = "", "no paste"
        SHORT = "short", "up to 20 characters"
        MEDIUM = "medium", "21 to 200 characters"
        LONG = "long", "more than 200 characters"

    answer = models.OneToOneField(Answer, on_delete=models.CASCADE, related_name="activity")
    untrusted_events = models.PositiveIntegerField(
        help_text="The number of input events that were created by a script."
    )
    webdriver = models.BooleanField(help_text="Whether the browser reports that a program controls it.")
    focus_losses = models.PositiveIntegerField(
        help_text="The number of times that the annotator switched to another window or tab."
    )
    unfocused_seconds = models.FloatField(
        help_text="The time in seconds during which another window or tab had the focus."
    )
    pastes = models.PositiveIntegerField()
    pasted_length = models.CharField(
        max_length=6,
        blank=True,
        choices=PastedLength,
        help_text="The length category of the longest text that the annotator pasted.",
    )
    keys = models.PositiveIntegerField(help_text="The number of times that the annotator pressed a key.")
    key_interval_median = models.FloatField(null=True)
    key_interval_iqr = models.FloatField(null=True)
    presses = models.PositiveIntegerField(
        help_text="The number of times that the annotator clicked with a mouse or tapped with a pen or finger."
    )
    press_interval_median = models.FloatField(null=True)
    press_interval_iqr = models.FloatField(null=True)
    pointer_paths = models.PositiveIntegerField(
        help_text="The number of separate pointer movements. Clicks, taps and pauses separate two movements."
    )
    straightness = models.FloatField(
        null=True,
        help_text="The median straightness of the pointer paths. The straightness of a path is the direct distance "
        "between its ends divided by its length.",
    )

    class Meta:
        verbose_name_plural = "activity summaries"
        constraints = [
            models.CheckConstraint(
                condition=Q(straightness__isnull=True) | Q(straightness__gte=0, straightness__lte=1),
                name="activity_straightness",
            ),
            models.CheckConstraint(
                condition=Q(pastes=0, pasted_length="") | (Q(pastes__gt=0) & ~Q(pasted_length="")),
                name="activity_pasted_length",
            ),
            models.CheckConstraint(condition=Q(unfocused_seconds__gte=0), name="activity_unfocused_seconds"),
        ]

    def __str__(self) -> str:
        return f"activity during answer {self.answer_id}"


class IntegrityFigures(models.Model):
    """An annotator's most recently calculated integrity indicators. `figures` maps each indicator to its value."""

    participation = models.OneToOneField(Participation, on_delete=models.CASCADE, related_name="integrity")
    answers = models.PositiveIntegerField(help_text="The indicators were calculated from this number of answers.")
    figures = models.JSONField()
    calculated_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "integrity figures"

    def __str__(self) -> str:
        return f"integrity indicators of {self.participation}"
