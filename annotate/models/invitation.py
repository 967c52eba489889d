"""Invitations for researchers to join a study or the installation."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from .ids import public_id
from .membership import Membership
from .study import Study
from .times import DatabaseTimeField


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def pending(self) -> InvitationQuerySet:
        """Return invitations that have not been accepted, including expired invitations."""
        return self.filter(accepted_at=None)


class Invitation(models.Model):
    """An invitation sent to one e-mail address. The personal link in an invitation works only once, and only until
    `expires_at`.

    The link contains the public ID and a signature (`core/services/credentials.py`), so that links cannot be forged
    from a copy of the database. Without a study, the invitation is for an account on this installation. With a study
    but no role, the invitation is for an annotator's account.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.CharField(max_length=8, choices=Membership.Role, blank=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )

    objects: ClassVar[models.Manager[Invitation]] = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "email"],
                condition=models.Q(accepted_at=None),
                name="invitation_pending_once",
            )
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def has_expired(self) -> bool:
        return self.expires_at <= timezone.now()
