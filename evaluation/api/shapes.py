"""Serializers for systems, leaderboards and splits."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.web.api.shapes import FileDraft, JobShape
from evaluation.models import Submission


class MeasureShape(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.FloatField(allow_null=True, help_text="The value is `null` if the measure is undefined.")
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the 95% interval.")
    note = serializers.CharField(help_text="The reason why the measure is undefined, or an empty string.")
    lower = serializers.BooleanField(help_text="Whether a lower value is better.")


class DifferenceShape(MeasureShape):
    """The difference between two systems in one measure (first minus second)."""

    p = serializers.FloatField(allow_null=True, help_text="Two-sided p-value of a permutation test.")


class BaselineShape(serializers.Serializer):
    name = serializers.CharField()
    measures = MeasureShape(many=True)
    kind = serializers.CharField(
        default="baseline", help_text="Kind of row: `baseline`, or `upper limit` for a noise ceiling."
    )


@extend_schema_field(
    {"type": "array", "items": {"type": "array", "items": {}}, "example": [["news", 120, 0.81], ["fiction", 115, 0.78]]}
)
class TableRowsField(serializers.JSONField):
    """The rows of a table. Each cell is a string, a number or `null`."""


class ScoreTableShape(serializers.Serializer):
    title = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = TableRowsField()


class PartShape(serializers.Serializer):
    name = serializers.CharField(help_text="Name of the part.")
    items = serializers.IntegerField(help_text="Number of items in the part.")
    sha256 = serializers.CharField(help_text="Checksum of the item IDs.")


class ScoreShape(serializers.Serializer):
    """A system's score. Some task types add further properties."""

    part = PartShape(required=False, help_text="The part on which the system was scored. Missing for all items.")

    measures = MeasureShape(many=True, help_text="The first measure is the main measure.")
    baselines = BaselineShape(many=True)
    notes = serializers.ListField(child=serializers.CharField(), help_text="Sentences about excluded data.")
    tables = ScoreTableShape(many=True)


class SystemRow(serializers.ModelSerializer):
    options = serializers.JSONField(source="parameters", help_text="The task type’s options for systems.")
    measures = MeasureShape(
        many=True, help_text="The measures from the latest scoring. The list is empty until the system has been scored."
    )

    class Meta:
        model = Submission
        fields = [
            "number",
            "system",
            "description",
            "filename",
            "size",
            "sha256",
            "options",
            "public",
            "created_at",
            "scored_at",
            "annotations",
            "measures",
        ]


class SystemShape(SystemRow):
    score = ScoreShape(
        source="result", allow_null=True, help_text="The latest score, or `null` if the system has not been scored yet."
    )
    job = serializers.SerializerMethodField()

    class Meta(SystemRow.Meta):
        fields = [*SystemRow.Meta.fields, "score", "job"]

    @extend_schema_field(JobShape(allow_null=True, help_text="The latest scoring job."))
    def get_job(self, submission: Submission) -> Any:
        job = submission.study.jobs.filter(kind=submission.job_kind).select_related("report").order_by("-pk").first()
        return JobShape(job).data if job else None


class SystemDraft(FileDraft):
    system = serializers.CharField(max_length=100, help_text="Name of the system.")
    description = serializers.CharField(
        max_length=2_000, default="", allow_blank=True, help_text="Notes for members of the study."
    )
    options = serializers.DictField(
        default=dict,
        help_text="The task type’s options for systems. In a multipart form, the fields are called `options.<name>`.",
    )


class SystemChange(serializers.Serializer):
    public = serializers.BooleanField(help_text="Whether the public leaderboard includes the system.")


class PairRequest(serializers.Serializer):
    first = serializers.IntegerField(min_value=1, help_text="Number of the first system.")
    second = serializers.IntegerField(min_value=1, help_text="Number of the second system.")


class LeaderboardDraft(serializers.Serializer):
    heading = serializers.CharField(max_length=200, help_text="Heading of the public leaderboard.")


class LeaderboardShape(serializers.Serializer):
    heading = serializers.CharField()
    url = serializers.URLField(help_text="The public URL of the leaderboard.")
    published_at = serializers.DateTimeField()


class SplitShape(serializers.Serializer):
    train = serializers.IntegerField(min_value=0, max_value=100, default=80, help_text="Percentage of train items.")
    dev = serializers.IntegerField(min_value=0, max_value=100, default=10, help_text="Percentage of dev items.")
    test = serializers.IntegerField(min_value=0, max_value=100, default=10, help_text="Percentage of test items.")
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1, help_text="Seed of the hash.")
    stratify = serializers.CharField(
        max_length=200,
        default="",
        allow_blank=True,
        help_text="Comma-separated metadata columns whose values keep the same proportions in every part.",
    )
    test_only = serializers.BooleanField(
        default=False, help_text="Whether systems are scored only on the items in the test part."
    )
