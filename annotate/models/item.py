"""What a researcher brings in."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .ids import public_id
from .study import Study


class Upload(models.Model):
    """A file that was brought in, kept as it came. Its rows are seen by nobody until `revealed_at` is set."""

    class Purpose(models.TextChoices):
        ITEMS = "items"
        GOLD = "gold"
        PRACTICE = "practice"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="uploads")
    purpose = models.CharField(max_length=8, choices=Purpose)
    filename = models.CharField(max_length=255)
    content = models.BinaryField(help_text="The file, zlib-compressed.")
    size = models.BigIntegerField(help_text="Bytes before compression.")
    sha256 = models.CharField(max_length=64)
    rows = models.PositiveIntegerField(default=0)
    held_out = models.PositiveIntegerField(default=0, help_text="Items that stay out of the design.")
    preview = models.JSONField(null=True, help_text="The summary that a job made of a large file.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.filename


class Item(models.Model):
    """One thing to be judged, with the researcher's own id."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="items", db_index=False)
    upload = models.ForeignKey(Upload, null=True, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    content = models.JSONField(help_text="What is shown, as the task type reads it.")
    metadata = models.JSONField(default=dict, blank=True)
    held_out = models.BooleanField(default=False, help_text="Not in the design: for gold and practice only.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="item_key")]
        indexes = [models.Index(fields=["study", "id", "upload"], name="item_in_order")]

    def __str__(self) -> str:
        return self.key
