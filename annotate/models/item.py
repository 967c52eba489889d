"""Uploaded files and imported items."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class UploadQuerySet(models.QuerySet["Upload"]):
    """Queries for uploads."""

    def imported(self) -> UploadQuerySet:
        """Return imported uploads, whose rows are visible."""
        return self.filter(revealed_at__isnull=False)


class ItemQuerySet(models.QuerySet["Item"]):
    """Queries for items."""

    def visible(self) -> ItemQuerySet:
        """Return the items from imported uploads, excluding the hidden rows of unfinished imports."""
        return self.filter(upload__revealed_at__isnull=False)


class Upload(models.Model):
    """An uploaded file, stored unchanged. The rows imported from the file remain hidden until `revealed_at` is set."""

    class Purpose(models.TextChoices):
        ITEMS = "items"
        GOLD = "gold"
        PRACTICE = "practice"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="uploads")
    purpose = models.CharField(max_length=8, choices=Purpose)
    filename = models.CharField(max_length=255)
    content = models.BinaryField(help_text="The contents of the uploaded file, compressed with zlib.")
    size = models.BigIntegerField(help_text="The size of the uploaded file in bytes before compression.")
    sha256 = models.CharField(max_length=64)
    rows = models.PositiveIntegerField(default=0)
    held_out = models.PositiveIntegerField(default=0, help_text="The number of held-out items in the file.")
    layout = models.JSONField(
        null=True,
        help_text="The settings for reading the file: the sheet, the encoding, the delimiter, the columns and the "
        "skipped lines. If this field is empty, Accord detects the settings.",
    )
    preview = models.JSONField(null=True, help_text="The preview of a large file, which a background job creates.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)

    objects = UploadQuerySet.as_manager()

    def __str__(self) -> str:
        return self.filename


class Item(models.Model):
    """An item that annotators judge, identified by the researcher's own ID."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="items", db_index=False)
    upload = models.ForeignKey(Upload, null=True, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    content = models.JSONField(help_text="The contents of the item, in the format of the task type.")
    metadata = models.JSONField(default=dict, blank=True)
    held_out = models.BooleanField(
        default=False, help_text="Whether the item is used only in gold and practice questions."
    )

    objects = ItemQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="item_key")]
        indexes = [models.Index(fields=["study", "id", "upload"], name="item_in_order")]

    def __str__(self) -> str:
        return self.key
