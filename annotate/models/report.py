"""Stored reports, and the jobs that create them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class Report(models.Model):
    """The stored results of a calculation, with its parameters, seed and input. A report never changes."""

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="reports")
    number = models.PositiveIntegerField()
    kind = models.SlugField(max_length=40)
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    versions = models.JSONField(default=dict)
    input = models.BinaryField(
        null=True, help_text="The data from which the report was calculated, as columns in a NumPy .npz file."
    )
    input_sha256 = models.CharField(max_length=64, blank=True)
    columns_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="The SHA-256 hash of the columns without compression. Two reports on the same answers have the same "
        "hash, even if different versions of NumPy or zlib wrote their files.",
    )
    result = models.JSONField()
    by_group = models.JSONField(
        null=True, help_text="The figures by group of annotators, from whole batches only. Empty without groups."
    )
    # Pages that list reports load only these columns, because the result of a large study can be tens of megabytes.
    judgements = models.GeneratedField(
        expression=Cast(KeyTextTransform("judgements", "result"), models.IntegerField()),
        output_field=models.IntegerField(null=True),
        db_persist=True,
    )
    headline = models.GeneratedField(
        expression=KeyTransform("headline", "result"), output_field=models.JSONField(null=True), db_persist=True
    )
    people = models.GeneratedField(
        expression=KeyTransform("people", "result"), output_field=models.JSONField(null=True), db_persist=True
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "kind", "number"], name="report_number")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Job(models.Model):
    """A background job whose progress is visible. The database row, not the queue, defines the state of a job."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="jobs")
    kind = models.SlugField(max_length=40)
    parameters = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    progress = models.FloatField(default=0)
    message = models.CharField(max_length=500, blank=True)
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    interruptions = models.PositiveSmallIntegerField(
        default=0, help_text="The number of times that a fault in the installation interrupted the job."
    )
    report = models.ForeignKey(Report, null=True, blank=True, on_delete=models.SET_NULL, related_name="jobs")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The time at which the worker last renewed its lease on the job, or the time at which the job was "
        "interrupted.",
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(progress__gte=0, progress__lte=1), name="job_progress"),
            # A study has at most one unfinished job of each kind.
            models.UniqueConstraint(
                fields=["study", "kind"],
                condition=Q(state__in=["waiting", "running"]),
                name="job_one_at_a_time",
            ),
        ]
        indexes = [models.Index(fields=["state"], name="job_by_state", condition=Q(state__in=["waiting", "running"]))]

    def __str__(self) -> str:
        return f"{self.kind} ({self.state})"

    @property
    def unfinished(self) -> bool:
        return self.state in (self.State.WAITING, self.State.RUNNING)
