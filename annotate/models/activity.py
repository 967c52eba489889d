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
        help_text="Number of input events that a script created instead of the browser."
    )
    webdriver = models.BooleanField(help_text="Whether the browser states that a program controls it.")
    focus_losses = models.PositiveIntegerField(help_text="How often the page lost focus to another window or tab.")
    unfocused_seconds = models.FloatField(help_text="Seconds during which another window or tab had the focus.")
    pastes = models.PositiveIntegerField()
    pasted_length = models.CharField(
        max_length=6, blank=True, choices=PastedLength, help_text="Length class of the longest pasted text."
    )
    keys = models.PositiveIntegerField(help_text="Number of pressed keys.")
    key_interval_median = models.FloatField(null=True)
    key_interval_iqr = models.FloatField(null=True)
    presses = models.PositiveIntegerField(help_text="Number of presses with a mouse, pen or finger.")
    press_interval_median = models.FloatField(null=True)
    press_interval_iqr = models.FloatField(null=True)
    pointer_paths = models.PositiveIntegerField(help_text="Number of pointer movements between two presses or pauses.")
    straightness = models.FloatField(
        null=True,
        help_text="Median ratio of the direct distance between the ends of a pointer path to its length.",
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
    answers = models.PositiveIntegerField(help_text="Number of answers from which the indicators were calculated.")
    figures = models.JSONField()
    calculated_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "integrity figures"

    def __str__(self) -> str:
        return f"integrity indicators of {self.participation}"
