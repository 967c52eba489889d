"""People whom researchers exclude from or admit to a study, using lists of IDs or e-mail addresses."""

from __future__ import annotations

from django.db import models

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class ListedPerson(models.Model):
    """An entry in a study's list of excluded or admitted people.

    The row contains only a keyed hash of the ID or address, so that nobody can read the list. `source` and `line`
    identify the row in the researcher's own file.
    """

    class Kind(models.TextChoices):
        EXCLUDE = "exclude", "excluded"
        ADMIT = "admit", "admitted"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="listed")
    kind = models.CharField(max_length=7, choices=Kind)
    hash = models.CharField(
        max_length=64, help_text="A keyed hash of the study and of the person's ID or e-mail address."
    )
    source = models.CharField(
        max_length=80,
        blank=True,
        help_text="The name of the file that lists the person. This field is empty if a researcher entered the ID "
        "directly.",
    )
    line = models.PositiveIntegerField(help_text="The line of the file or of the entered text that lists the person.")
    matched_at = models.DateTimeField(
        null=True, blank=True, help_text="The latest time at which the person joined or tried to join the study."
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "kind", "hash"], name="listed_person_once")]

    def __str__(self) -> str:
        return f"{self.kind}, line {self.line}"
