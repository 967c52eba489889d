"""Hashes of annotators' networks, stored for 30 days in studies with the setting `network_check`."""

from __future__ import annotations

from django.db import models

from .annotator import Participation


class NetworkSighting(models.Model):
    """A keyed hash of an annotator's network address. The network address itself is never stored."""

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="networks", db_index=False)
    hash = models.CharField(max_length=64)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["participation", "hash"], name="network_sighting_once")]
        indexes = [
            models.Index(fields=["hash"], name="network_sighting_hash"),
            models.Index(fields=["seen_at"], name="network_sighting_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.participation} on {self.seen_at:%Y-%m-%d}"
