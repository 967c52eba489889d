"""The settings of a study's target."""

from __future__ import annotations

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models


class StudyTarget(models.Model):
    """The part of a study with the target at which it can stop. See studies/services/target.py."""

    target_figure = models.CharField(
        verbose_name="figure with a target",
        max_length=40,
        blank=True,
        help_text=(
            "The name of the figure that has a target, such as `reliability`. The study has no target if this field is "
            "empty."
        ),
    )
    target_value = models.DecimalField(
        max_digits=6,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.0001")), MaxValueValidator(Decimal(1))],
        help_text=(
            "Enter a number between 0 and 1. A reliability must be at least this number, and the width of an interval "
            "must be at most this number."
        ),
    )
    target_minimum = models.PositiveSmallIntegerField(
        verbose_name="minimum judgements per question",
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="The study has not reached its target until each question has this number of judgements.",
    )
    target_pauses = models.BooleanField(
        verbose_name="pause the study when it reaches the target",
        default=False,
        help_text=(
            "Annotators then get no new HITs, but can finish open HITs and are paid for them. You can open the study "
            "again at any time."
        ),
    )
    target_paused_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Accord paused the study at this time because it had reached its current target. Accord pauses a "
        "study only once per target.",
    )
    target_missing = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="At the time of the latest report, the study needed this many more judgements to reach the minimum "
        "per question.",
    )

    class Meta:
        abstract = True
