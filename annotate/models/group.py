"""Groups of annotators, each with a link that marks the people who join through it."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class AnnotatorGroup(models.Model):
    """A group of annotators in one study, such as the students in a class. People join the group through its link.

    The link contains a code that is derived from the public ID and the secret key (`core/services/credentials.py`), so
    that a copy of the database contains no working links.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=80)
    places = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="The maximum number of people who can join through the group's link. Stopped and withdrawn "
        "annotators do not count. Leave this field empty for no limit.",
    )
    judgements = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="The group's quota: the exact number of judgements that its annotators give to each question. If any "
        "group of the study has a quota, only annotators in groups with a quota can take part.",
    )
    population = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1e-9)],
        help_text="The group's size or share in the population, in the same unit for all groups. The figures over all "
        "groups in a report are weighted by it.",
    )
    revoked_at = models.DateTimeField(
        null=True, blank=True, help_text="The time at which the group's link was revoked."
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="annotator_group_name")]

    def __str__(self) -> str:
        return self.name
