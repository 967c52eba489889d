"""Links that let people outside the study read a report."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .ids import public_id
from .report import Report
from .times import DatabaseTimeField


class ReportShare(models.Model):
    """A link to a report, which expires and can be revoked. Only a hash of the link's token is stored. `with_items` is
    true if the linked page shows items and offers the main file.
    """

    in_study_backup = False  # a restored study has no links to its reports

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="shares")
    hash = models.CharField(max_length=64, unique=True)
    with_items = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = DatabaseTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link to {self.report}"
