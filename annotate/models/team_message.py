"""Messages from the researchers to annotators."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from .annotator import Participation
from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class TeamMessage(models.Model):
    """A message from the research team to one annotator, or to all annotators of a study if `participation` is
    empty.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="team_messages")
    participation = models.ForeignKey(
        Participation, null=True, blank=True, on_delete=models.PROTECT, related_name="team_messages"
    )
    text = models.CharField(max_length=2000)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    sent_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="team_message_has_text")]
        indexes = [models.Index(fields=["study", "-sent_at"], name="team_message_by_time")]

    def __str__(self) -> str:
        return f"message to {self.participation or 'all annotators'}"
