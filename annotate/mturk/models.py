"""Results files from other hosts, such as Turkle, and the data in these files about each imported assignment."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotate.models import Assignment, Hit, Study
from annotate.models.ids import public_id
from annotate.models.times import DatabaseTimeField


class ResultImportQuerySet(models.QuerySet["ResultImport"]):
    """Queries for results files."""

    def stated(self) -> ResultImportQuerySet:
        """Return results files without their contents, but with a flag that shows whether the contents are stored."""
        stored = models.Q(content__isnull=False)
        return self.defer("content").annotate(is_stored=models.ExpressionWrapper(stored, models.BooleanField()))


class ResultImport(models.Model):
    """A results file, from its upload until its assignments have been removed again.

    The file contains worker IDs, so its contents are deleted when it has been imported or discarded.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="result_imports")
    batch = models.CharField(
        max_length=100,
        blank=True,
        help_text="The name of the batch. The same assignment ID can appear in two batches of a study.",
    )
    filename = models.CharField(max_length=255)
    size = models.BigIntegerField(help_text="The size of the file in bytes before compression.")
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField(
        null=True,
        help_text="The contents of the file, compressed with zlib. Accord deletes the contents when the file is "
        "imported or discarded.",
    )
    preview = models.JSONField(null=True, help_text="The expected effects of the import, as shown in its preview.")
    counts = models.JSONField(default=dict, help_text="The numbers that Accord reported after the import.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)
    imported_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = ResultImportQuerySet.as_manager()

    def __str__(self) -> str:
        return self.filename

    @property
    def state(self) -> str:
        """Return `waiting` (before the import), `imported`, `undone` or `discarded`."""
        if self.undone_at:
            return "undone"
        if self.imported_at:
            return "imported"
        stored = self.__dict__.get("is_stored", None)  # `stated` does not read the contents
        return "waiting" if (self.content is not None if stored is None else stored) else "discarded"


class HostedAssignment(models.Model):
    """The host's record of an assignment that was imported from a results file."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="hosted")
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="+", db_index=False)
    result_import = models.ForeignKey(ResultImport, on_delete=models.PROTECT, related_name="hosted")
    batch = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, help_text="The ID of the assignment on the host.")
    hit = models.ForeignKey(Hit, on_delete=models.PROTECT, related_name="+", db_index=False)
    status = models.CharField(
        max_length=20,
        blank=True,
        help_text="The status of the assignment on the host: Submitted or Approved. This field is empty if the status "
        "is unknown.",
    )
    digest = models.CharField(max_length=64, help_text="The SHA-256 hash of the answers.")
    cells = models.JSONField(
        default=dict,
        help_text="The other columns of the imported results file. Accord includes them when it writes a results file.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "batch", "external_id"], name="hosted_assignment_once")]

    def __str__(self) -> str:
        return self.external_id
