"""Database tables for systems, which are scored on a study, and for public leaderboards."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotate.models import Study
from annotate.models.times import DatabaseTimeField

SCORING = "score-system"  # the kind of job, followed by the number of the system


class Submission(models.Model):
    """A system's original file and, after scoring, its score. The scoring job stores its progress."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField(help_text="The number of the system in its study, starting at 1.")
    system = models.CharField(max_length=100)
    description = models.TextField(max_length=2_000, blank=True)
    filename = models.CharField(max_length=255)
    content = models.BinaryField(help_text="The contents of the uploaded file, compressed with zlib.")
    size = models.PositiveBigIntegerField(help_text="The size of the uploaded file in bytes.")
    sha256 = models.CharField(max_length=64)
    parameters = models.JSONField(
        default=dict, blank=True, help_text="The settings that the task type offers for systems, with their values."
    )
    public = models.BooleanField(default=False, help_text="Whether the public leaderboard includes the system.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)

    result = models.JSONField(null=True, blank=True)
    annotations = models.CharField(
        max_length=64,
        blank=True,
        help_text="The SHA-256 hash of the annotations that were used to score the system. The hash equals "
        "the hash of the columns of a report on the same annotations.",
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
        """Return the kind of the system's scoring jobs, as stored in the jobs table."""
        return f"{SCORING}-{self.number}"

    @property
    def measures(self) -> list[dict[str, Any]]:
        """Return the system's figures for tables of systems. The list is empty if the system has not been scored."""
        return self.result["measures"] if self.result else []

    @property
    def part(self) -> dict[str, Any] | None:
        """Return the split on which the system was scored and its number of items, or None if all items were used."""
        return self.result.get("part") if self.result else None


class SplitSettings(models.Model):
    """The settings of a study's train, dev and test splits. A study without a row in this table has no splits."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="split_settings")
    seed = models.PositiveIntegerField(
        default=1, help_text="The seed for the hash that assigns items to the training, development and test parts."
    )
    train = models.PositiveSmallIntegerField(default=80, help_text="The percentage of items in the training part.")
    dev = models.PositiveSmallIntegerField(default=10, help_text="The percentage of items in the development part.")
    test = models.PositiveSmallIntegerField(default=10, help_text="The percentage of items in the test part.")
    stratify = models.CharField(
        max_length=200,
        blank=True,
        help_text="Names of metadata columns, separated by commas. Each value of these columns has the same share in "
        "every part.",
    )
    test_only = models.BooleanField(default=False, help_text="Whether systems are scored only on the test part.")
    earlier = models.JSONField(
        default=dict, blank=True, help_text="The part to which each item belonged in the latest release, by item ID."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(train=100 - F("dev") - F("test")), name="split_percentages"),
        ]

    def __str__(self) -> str:
        return f"{self.train}/{self.dev}/{self.test}"

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the metadata columns whose values keep the same proportions in every split."""
        return tuple(name.strip() for name in self.stratify.split(",") if name.strip())


class PublicTable(models.Model):
    """A study's public leaderboard. If a study has no row in this table, its leaderboard is private."""

    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="public_systems")
    heading = models.CharField(
        max_length=200, help_text="The heading of the public leaderboard, which replaces the title of the study."
    )
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    published_at = DatabaseTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.heading
