"""Serializers of jobs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.models import Job


class JobReportShape(serializers.Serializer):
    """The report that a job created."""

    kind = serializers.CharField()
    number = serializers.IntegerField()


class JobShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    report = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "state",
            "progress",
            "message",
            "error",
            "created_at",
            "started_at",
            "finished_at",
            "report",
        ]

    @extend_schema_field(JobReportShape(allow_null=True))
    def get_report(self, job: Job) -> dict[str, Any] | None:
        return {"kind": job.report.kind, "number": job.report.number} if job.report else None


class ReasonShape(serializers.Serializer):
    reason = serializers.CharField(max_length=500)
