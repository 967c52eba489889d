"""Reviewers' decisions on questions that annotators disagree about."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .question import Question
from .times import DatabaseTimeField


class Decision(models.Model):
    """A reviewer's decision on a question: the chosen answer, or a statement that all answers are acceptable.

    The audit log contains earlier decisions.
    """

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="decision")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    keep_both = models.BooleanField(
        default=False,
        help_text="Whether the reviewer accepts all answers to the question. In this case, the decision does not "
        "contain an answer.",
    )
    value = models.JSONField(null=True, blank=True)
    note = models.TextField(blank=True)
    decided_at = DatabaseTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(keep_both=True, value__isnull=True) | models.Q(keep_both=False, value__isnull=False),
                name="decision_has_one_outcome",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.question}"
