"""Stored plans of studies, with the simulated figures of each design."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Study
from annotate.models.ids import public_id
from annotate.models.times import DatabaseTimeField


class Plan(models.Model):
    """The result of one simulation, with its parameters. The parameters and the result never change.

    `key` is a hash of the parameters and of the software versions, so a study has at most one plan with the same
    figures. `chosen` is the design that the study uses, and is null in all other plans of the study.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="plans")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=64)
    parameters = models.JSONField()
    versions = models.JSONField(default=dict)
    result = models.JSONField()
    chosen = models.JSONField(
        null=True,
        blank=True,
        help_text="The design that the study uses: the number of answers per question and the other fields of the "
        "design. This field is empty if the study does not use this plan.",
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="plan_number"),
            models.UniqueConstraint(fields=["study", "key"], name="plan_once"),
            models.UniqueConstraint(fields=["study"], condition=Q(chosen__isnull=False), name="plan_in_use_once"),
        ]

    def __str__(self) -> str:
        return f"plan {self.number}"
