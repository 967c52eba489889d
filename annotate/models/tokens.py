"""API tokens, and the stored responses that are returned for repeated requests."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class ApiToken(models.Model):
    """A researcher's key for scripts, with a scope and an expiry date. Only the hash of the key is stored."""

    class Scope(models.TextChoices):
        READ = "read"
        WRITE = "write"  # includes reading

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=5, choices=Scope)
    # The only study that the token can access, or None if it can access all of the researcher's studies.
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class IdempotencyKey(models.Model):
    """The stored response to a write request, deleted after 24 hours."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.JSONField(null=True, blank=True)
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
