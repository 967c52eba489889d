"""Serializers for releases."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.studies.api import StudyShape
from releases.contents.seal import OPEN, SEALED


class ReleaseDraft(serializers.Serializer):
    version = serializers.CharField(max_length=40, default="1.0")
    licence = serializers.CharField(
        max_length=200, default="CC-BY-4.0", help_text="SPDX identifier or URL of the licence."
    )
    creators = serializers.CharField(
        max_length=1_000, default="", allow_blank=True, help_text="Authors, separated by semicolons."
    )
    citation = serializers.CharField(max_length=2_000, default="", allow_blank=True)
    url = serializers.URLField(
        max_length=500,
        default="",
        allow_blank=True,
        help_text="The URL at which the release will be published. Without a URL, the metadata states none.",
    )
    gold = serializers.ChoiceField(
        choices=[SEALED, OPEN],
        default=SEALED,
        help_text="`sealed` encrypts gold and practice questions. The header `Release-Key` of the response contains "
        "the key, which Accord does not store.",
    )
    statement = serializers.DictField(
        child=serializers.CharField(max_length=10_000, allow_blank=True),
        default=dict,
        help_text="Answers to the questions of the report form, by name, for this release only. They replace the "
        "study’s stored answers to these questions.",
    )


class ReleaseShape(serializers.Serializer):
    version = serializers.CharField()
    report = serializers.IntegerField(help_text="Number of the results report.")
    sha256 = serializers.CharField(help_text="Checksum of the release’s list of checksums.")
    released_at = serializers.DateTimeField()
    user = serializers.CharField(allow_null=True)


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ChangesField(serializers.JSONField):
    """Settings by name, as a JSON object."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        try:
            value = super().to_internal_value(data)
        except RecursionError as error:
            raise serializers.ValidationError("The value is nested too deeply.") from error
        if not isinstance(value, dict):
            raise serializers.ValidationError("Send a JSON object with settings by name.")
        return value


class RepeatDraft(serializers.Serializer):
    file = serializers.FileField(help_text="The release as a zip file.")
    key = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="Key to the sealed gold questions."
    )
    title = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="The default is the title of the original."
    )
    changes = ChangesField(
        default=dict, help_text='Settings whose values differ from the original, such as `{"judgements": 5}`.'
    )


class RepeatDifferenceShape(serializers.Serializer):
    part = serializers.CharField(help_text="Name of a setting, or of another part of the study.")
    text = serializers.CharField()
    original = serializers.CharField(allow_null=True, help_text="Value in the original, for a setting.")
    repeat = serializers.CharField(allow_null=True, help_text="Value in the repeat, for a setting.")


class ReleaseOriginShape(serializers.Serializer):
    title = serializers.CharField()
    version = serializers.CharField()
    sha256 = serializers.CharField(help_text="Checksum of the release’s list of checksums.")


class RepeatShape(serializers.Serializer):
    release = ReleaseOriginShape(source="parameters.release")
    differences = RepeatDifferenceShape(many=True, source="result.differences")


class RepeatedStudyShape(RepeatShape):
    study = StudyShape()


class RepeatComparisonRequest(serializers.Serializer):
    other = serializers.CharField(max_length=22, default="", allow_blank=True, help_text="ID of the other study.")
    file = serializers.FileField(required=False, help_text="A release as a zip file, instead of the other study.")
    is_original = serializers.BooleanField(
        default=False, help_text="Whether the other study is the original, and this study the repeat."
    )


class RepeatComparisonShape(serializers.Serializer):
    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    conclusion = serializers.CharField(source="result.conclusion")
    result = serializers.JSONField(help_text="The same object as `accord compare --json` prints.")
