"""Counts that triggers update when answers or assignments change, so that pages do not have to count the answers of a
large study.

Triggers only append rows with positive and negative numbers, and each figure is the sum of its rows. Concurrent
submissions therefore never wait for each other's counts. `core/services/counts.py` replaces many rows by their sum.
"""

from __future__ import annotations

from decimal import Decimal

from django.db import models

from .annotator import Participation
from .question import Question
from .study import Study


class HourCount(models.Model):
    """A change to one annotator's counts for one hour. `count_triggers.py` defines each figure.

    Foreign keys have no database constraint, because checking it would lock the study's row with each submission.
    """

    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, related_name="hour_counts", db_constraint=False, db_index=False
    )
    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="hour_counts", db_constraint=False
    )
    hour = models.DateTimeField(help_text="The time at which the hour starts, in UTC.")
    judgements = models.IntegerField(
        default=0, help_text="The number of answers from this hour that count towards the results."
    )
    hits = models.IntegerField(default=0, help_text="The number of HITs that annotators completed in this hour.")
    submitted = models.IntegerField(
        default=0,
        help_text="The number of assignments that annotators submitted in this hour, including those that do not "
        "count.",
    )
    credit = models.DecimalField(
        max_digits=16,
        decimal_places=4,
        default=Decimal(0),
        help_text="The total of the rewards that annotators earned in this hour.",
    )
    gold_given = models.IntegerField(
        default=0, help_text="The number of graded answers to gold questions from this hour."
    )
    gold_right = models.IntegerField(default=0)
    summed = models.BooleanField(
        default=False,
        help_text="Whether the row is the sum of several rows. Otherwise, the row records a single change.",
    )

    class Meta:
        indexes = [
            models.Index(fields=["study", "hour"], name="hour_count_by_study"),
            models.Index(fields=["id"], name="hour_count_single", condition=models.Q(summed=False)),
        ]

    def __str__(self) -> str:
        return f"{self.participation_id} at {self.hour:%Y-%m-%d %H}"


class GoldCount(models.Model):
    """A change to one gold question's counts. Answers from researchers' try-outs are not counted."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="gold_counts", db_constraint=False)
    given = models.IntegerField(default=0)
    missed = models.IntegerField(default=0)
    disputed = models.IntegerField(default=0)
    summed = models.BooleanField(
        default=False,
        help_text="Whether the row is the sum of several rows. Otherwise, the row records a single change.",
    )

    class Meta:
        indexes = [models.Index(fields=["id"], name="gold_count_single", condition=models.Q(summed=False))]

    def __str__(self) -> str:
        return f"gold question {self.question_id}"
