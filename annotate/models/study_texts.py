"""The versions of a study's consent text and guidelines."""

from __future__ import annotations

from django.db import models

from .study import Study
from .times import DatabaseTimeField


class Consent(models.Model):
    """One version of the consent text. Versions never change. When the text is edited, a new version is stored."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="consents")
    version = models.PositiveIntegerField()
    text = models.TextField(help_text="The consent text that annotators accept, in Markdown.")
    pays_stopped = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether the consent text promises to pay stopped annotators for the HIT in progress. This field "
        "is empty if the text does not mention such payments.",
    )
    names_activity = models.BooleanField(
        default=False,
        help_text="Whether the consent text states that Accord collects a summary of the annotator's activity with "
        "each answer.",
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "version"], name="consent_version")]
        ordering = ["study", "version"]

    def __str__(self) -> str:
        return f"version {self.version}"


class Guidelines(models.Model):
    """One version of a study's instructions and worked examples. A version never changes.

    Versions are stored from the first change after the study was opened. Before that, the study has only version 1.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="guidelines")
    version = models.PositiveIntegerField()
    instructions = models.TextField(blank=True)
    examples = models.TextField(blank=True)
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "guidelines"
        constraints = [models.UniqueConstraint(fields=["study", "version"], name="guidelines_version")]
        ordering = ["study", "version"]

    def __str__(self) -> str:
        return f"version {self.version}"
