"""A study's audit log. The database rejects attempts to change or delete audit log entries."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from .annotator import Participation
from .study import Study
from .times import DatabaseTimeField

REMOVED_PERSONAL_DATA = "removed personal data"  # the verb of the log entry


class Event(models.Model):
    # the causes of a stop, in `detail`
    QUALITY_RULE, DECISION, QUALIFICATION = "quality rule", "decision", "qualification"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="events")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    participation = models.ForeignKey(Participation, null=True, on_delete=models.PROTECT, related_name="events")
    verb = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)
    reason = models.CharField(max_length=500, blank=True)
    at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["study", "-at"], name="event_by_time"),
            models.Index(
                fields=["study", "-at"], condition=Q(verb__in=["returned HIT", "withdrew"]), name="event_choice"
            ),
        ]

    def __str__(self) -> str:
        return self.verb

    @property
    def by_qualification(self) -> bool:
        """Whether the annotator was stopped for failing the qualification."""
        return self.verb == "stopped" and self.detail["cause"] == self.QUALIFICATION

    @property
    def by_quality_rule(self) -> bool:
        """Whether the quality rule stopped the annotator."""
        return self.verb == "stopped" and self.detail["cause"] == self.QUALITY_RULE
