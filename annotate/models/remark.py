"""Messages from annotators to the researchers, and the replies."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from .annotator import Participation
from .assignment import Answer
from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class Remark(models.Model):
    """A comment on a question, a report of a problem with a question, or an objection to a stop."""

    class Kind(models.TextChoices):
        COMMENT = "comment"
        PROBLEM = "problem"
        OBJECTION = "objection"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="remarks")
    participation = models.ForeignKey(Participation, on_delete=models.PROTECT, related_name="remarks")
    answer = models.ForeignKey(Answer, null=True, blank=True, on_delete=models.PROTECT, related_name="remarks")
    kind = models.CharField(max_length=9, choices=Kind)
    text = models.CharField(max_length=2000)
    sent_at = DatabaseTimeField(auto_now_add=True)
    reply = models.CharField(max_length=2000, blank=True)
    replied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    replied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["comment", "problem", "objection"]), name="remark_kind"),
            models.CheckConstraint(
                condition=Q(kind="objection", answer__isnull=True) | ~Q(kind="objection"),
                name="remark_objection_is_about_the_study",
            ),
            models.CheckConstraint(
                condition=Q(reply="", replied_at__isnull=True) | (~Q(reply="") & Q(replied_at__isnull=False)),
                name="remark_reply_has_time",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "kind", "-sent_at"], name="remark_by_kind"),
            models.Index(fields=["study", "-sent_at"], condition=Q(reply=""), name="remark_unanswered"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.participation}"
