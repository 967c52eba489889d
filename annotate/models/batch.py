"""Fixed batches of annotators of one group."""

from __future__ import annotations

from django.db import models

from .group import AnnotatorGroup
from .ids import public_id
from .times import DatabaseTimeField


class AnnotatorBatch(models.Model):
    """At least five finished annotators of one group. Figures by group are calculated from whole batches only
    (`accord_core/numerics/batches.py`).

    Triggers prevent changes to the members and the row. Only `removed_at` can be set, and only once.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    group = models.ForeignKey(AnnotatorGroup, on_delete=models.PROTECT, related_name="batches")
    number = models.PositiveIntegerField()
    answers_sha256 = models.CharField(
        max_length=64,
        help_text="The SHA-256 hash of the members' pseudonyms and the questions of their judgements. If it no longer "
        "matches, the batch is removed.",
    )
    created_at = DatabaseTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(
        null=True, blank=True, help_text="The time from which figures by group no longer contain the batch."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "number"], name="annotator_batch_number")]

    def __str__(self) -> str:
        return f"batch {self.number}"
