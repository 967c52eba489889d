"""Somebody's systems, scored against a study, and whether the table of them is public."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Study

SCORING = "score-system"  # the kind of job, which the submission's number follows


class Submission(models.Model):
    """A file that a system made, as it came, with its score once there is one. How far the scoring is, its job says."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField(help_text="Of the study's submissions, from 1.")
    system = models.CharField(max_length=100)
    description = models.TextField(max_length=2_000, blank=True)
    filename = models.CharField(max_length=255)
    content = models.BinaryField(help_text="The file, compressed with zlib.")
    size = models.PositiveBigIntegerField(help_text="Bytes of the file as it came.")
    sha256 = models.CharField(max_length=64)
    parameters = models.JSONField(default=dict, blank=True, help_text="What the task type asks for beside the file.")
    public = models.BooleanField(default=False, help_text="In the public table, where there is one.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    result = models.JSONField(null=True, blank=True)
    annotations = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the annotations it was scored on, as of a report's input."
    )
    scored_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="submission_number"),
            models.CheckConstraint(
                condition=Q(result__isnull=True, scored_at__isnull=True, annotations="")
                | (Q(result__isnull=False, scored_at__isnull=False) & ~Q(annotations="")),
                name="submission_scored",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system} ({self.number})"

    @property
    def job_kind(self) -> str:
        """The kind of the jobs that score it, as it stands in their table."""
        return f"{SCORING}-{self.number}"

    @property
    def measures(self) -> list[dict[str, Any]]:
        """The figures that tables show; empty before it is scored."""
        return self.result["measures"] if self.result else []


class PublicTable(models.Model):
    """There is one for a study whose table of systems can be seen by everybody; without one nobody learns of it."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="public_systems")
    heading = models.CharField(max_length=200, help_text="What the page is called: the study's own title is not shown.")
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.heading
