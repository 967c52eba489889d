"""Serializers for releases."""

from __future__ import annotations

from rest_framework import serializers


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
    statement = serializers.DictField(
        child=serializers.CharField(max_length=10_000, allow_blank=True),
        default=dict,
        help_text="The authors’ sections of the data statement: `rationale`, `variety`, `speakers`, `annotators`, "
        "`situation`, `characteristics` and `limits`.",
    )


class ReleaseShape(serializers.Serializer):
    version = serializers.CharField()
    report = serializers.IntegerField(help_text="Number of the results report.")
    sha256 = serializers.CharField(help_text="Checksum of the release’s list of checksums.")
    released_at = serializers.DateTimeField()
    user = serializers.CharField(allow_null=True)
