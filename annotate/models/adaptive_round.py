"""Adaptive rounds, which choose additional questions from the answers so far."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .report import Report
from .study import Study
from .times import DatabaseTimeField


class AdaptiveRound(models.Model):
    """One adaptive round that was added to a study. Its questions refer to the round.

    The report contains the answers from which the questions were chosen, the parameters and the seed, so the same
    questions can be chosen again.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(help_text="The number of the adaptive round in its study, starting at 1.")
    report = models.OneToOneField(Report, on_delete=models.PROTECT, related_name="+")
    first_hit = models.PositiveIntegerField()
    last_hit = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="adaptive_round_number")]

    def __str__(self) -> str:
        return f"round {self.number}"
