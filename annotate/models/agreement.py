"""Stored agreement figures for each question, so that the questions in large studies can be sorted by agreement."""

from __future__ import annotations

from django.db import models

from .question import Question
from .study import Study


class QuestionFigures(models.Model):
    """The most recently calculated agreement on one question."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="question_figures", db_index=False)
    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="figures")
    judgements = models.PositiveIntegerField()
    agreement = models.FloatField(
        null=True,
        help_text="The mean similarity of all pairs of answers to the question. This field is empty if the question "
        "has fewer than two answers.",
    )
    seconds = models.FloatField(
        null=True, help_text="The median time that annotators spent on the question, in seconds."
    )

    expected_repairs = models.FloatField(
        null=True,
        help_text="The number of labels or links that a decision is expected to change, according to the latest "
        "results report.",
    )
    repairs_per_minute = models.FloatField(
        default=0, help_text="The expected repairs divided by the expected minutes that a decision takes."
    )

    class Meta:
        verbose_name_plural = "question figures"
        indexes = [
            models.Index(fields=["study", "agreement", "question"], name="figures_by_agreement"),
            models.Index(fields=["study", "seconds", "question"], name="figures_by_seconds"),
            models.Index(fields=["study", "-repairs_per_minute", "question"], name="figures_by_repairs"),
        ]

    def __str__(self) -> str:
        return f"figures of {self.question}"


class FiguresState(models.Model):
    """The state of a study's answers at the time when its question figures were last calculated."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="figures_state")
    judgements = models.BigIntegerField(
        help_text="The study had this many judgements when the figures were last calculated."
    )
    gold_answers = models.BigIntegerField(
        help_text="The study had this many graded gold answers when the figures were last calculated."
    )
    event = models.BigIntegerField(help_text="The latest history entry that can change which answers count.")
    calculated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"figures of {self.study}"
