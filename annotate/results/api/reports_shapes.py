"""Serializers for reports, exports and the history."""

from __future__ import annotations

from rest_framework import serializers

from annotate.models import Event, Report


class ReportRow(serializers.ModelSerializer):
    class Meta:
        model = Report
        fields = ["kind", "number", "created_at", "parameters", "seed", "versions", "input_sha256"]


class ReportShape(ReportRow):
    result = serializers.JSONField()

    class Meta(ReportRow.Meta):
        fields = [*ReportRow.Meta.fields, "result"]


class ReportRequest(serializers.Serializer):
    kind = serializers.SlugField(default="results", max_length=30)
    splits = serializers.IntegerField(default=1000, min_value=1, max_value=100_000)


class ExportRow(serializers.Serializer):
    filename = serializers.CharField()
    content_type = serializers.CharField()
    description = serializers.CharField()
    note = serializers.CharField()


class EventShape(serializers.ModelSerializer):
    user = serializers.CharField(source="user.email", default=None, allow_null=True)
    annotator = serializers.CharField(source="participation.pseudonym", default=None, allow_null=True)

    class Meta:
        model = Event
        fields = ["at", "verb", "user", "annotator", "reason", "detail"]


class FigureValueShape(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the 95% interval.")


class ComparedFigureShape(serializers.Serializer):
    name = serializers.CharField(source="row.name")
    first = FigureValueShape()
    second = FigureValueShape()
    difference = serializers.FloatField(allow_null=True, help_text="The second value minus the first value.")


class ComparedTableShape(serializers.Serializer):
    title = serializers.CharField()
    rows = ComparedFigureShape(many=True)
