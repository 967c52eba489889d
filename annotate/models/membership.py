"""Researchers' roles in studies."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .study import Study


class Membership(models.Model):
    """A researcher's role in a study. Researchers who are not members cannot see the study."""

    class Role(models.TextChoices):
        OWNER = "owner"
        MANAGER = "manager"
        REVIEWER = "reviewer"
        VIEWER = "viewer"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role, default=Role.OWNER)
    mails_todo = models.BooleanField(
        default=False, help_text="Whether Accord sends the member an e-mail when the to-do list has new entries."
    )
    mailed_todo = models.JSONField(
        default=list,
        blank=True,
        editable=False,
        help_text="The keys of the to-do list entries that were in the latest e-mails to the member.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"
