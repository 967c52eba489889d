"""Bodies that several rooms share: jobs, reasons, and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accord_core.exchange.encoding import ENCODINGS, detect_encoding, first_line_not_ascii, utf8_chunks
from accord_core.exchange.faults import TableError
from annotate.models import Job
from annotate.server.refusals import Refused


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


class FileDraft(serializers.Serializer):
    """A file in a request: its text in JSON, or the file itself in a multipart form."""

    filename = serializers.CharField(
        max_length=255,
        required=False,
        help_text="Name of the file. The default is the file name in the multipart form. Required with `content`.",
    )
    content = serializers.CharField(trim_whitespace=False, required=False, help_text="The text of the file.")
    file = serializers.FileField(
        required=False,
        error_messages={
            "invalid": "This part of the form is not a file, because it has no file name. Send a file, as "
            "“curl --form file=@items.csv” does.",
        },
        help_text="The file, as part of a multipart form. Send either `content` or `file`.",
    )
    encoding = serializers.ChoiceField(
        list(ENCODINGS),
        default=None,
        allow_null=True,
        help_text="The encoding of `file`. By default, Accord detects the encoding. `content` is always UTF-8.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either the text or the file in the request, but not both, and a name. Allow an encoding only with a
        file.
        """
        if ("content" in attrs) == ("file" in attrs):
            raise serializers.ValidationError({"content": "Send either `content` or `file`."})
        if attrs["encoding"] and "content" in attrs:
            raise serializers.ValidationError({"encoding": "Send an encoding only with a file."})
        if "filename" not in attrs and "content" in attrs:
            raise serializers.ValidationError({"filename": "Send the file name together with `content`."})
        return attrs if "filename" in attrs else {**attrs, "filename": attrs["file"].name[-255:]}

    @staticmethod
    def read(sent: Mapping[str, Any]) -> Iterable[bytes]:
        """Return the contents of the file, in UTF-8 if the request names an encoding. Raises `Refused` (`faults`), also
        if the request does not name an encoding and the detected one is not certain.
        """
        if "content" in sent:
            return [sent["content"].encode()]
        file, encoding = sent["file"], sent["encoding"]
        if not encoding:
            detected = detect_encoding(file.chunks())
            if not detected.is_sure:
                line, text = first_line_not_ascii(file.chunks(), detected.encoding)
                message = (
                    f"The encoding of {sent['filename']} is not certain, so nothing was imported. As "
                    f"{ENCODINGS[detected.encoding]}, line {line:,} is “{text}”. Send `encoding` with the file."
                )
                raise Refused("faults", message, status=400, fields={"encoding": [message]})
            return file.chunks()
        try:
            return list(utf8_chunks(file.chunks(), name=sent["filename"], encoding=encoding))
        except TableError as error:
            raise Refused("faults", str(error), status=400, fields={"encoding": [str(error)]}) from error
