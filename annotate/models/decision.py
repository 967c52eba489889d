"""Reviewers' decisions on questions with disagreement."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .question import Question


class Decision(models.Model):
    """The answer that a reviewer chose for a question. The audit log contains earlier decisions."""

    question = models.OneToOneField(Question, on_delete=models.PROTECT, related_name="decision")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    value = models.JSONField()
    note = models.TextField(blank=True)
    decided_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.user} on {self.question}"
