"""The API for uploads, including previews, table layouts and imports."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accord_core.exchange.faults import Fault
from accord_core.exchange.layout import Layout
from accord_core.exchange.layout import as_json as layout_as_json
from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.data.api.shapes import (
    GradesShape,
    ImportShape,
    LayoutShape,
    PendingUpload,
    RemovedShape,
    UploadDraft,
    UploadShape,
)
from annotate.data.known_rows import KnownRows
from annotate.data.services.imports import import_upload
from annotate.data.services.reading import preview_job
from annotate.data.services.removal import remove_import
from annotate.data.services.stored_questions import effects_on_grades
from annotate.data.services.uploads import is_large, preview, receive, set_layout, stored_preview
from annotate.data.upload_preview import Preview
from annotate.models import Job, Study, Upload, User
from annotate.server.refusals import Refused, existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainJSONParser
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape


class UploadRow(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    rows = serializers.IntegerField(help_text="Number of imported rows.")
    imported_at = serializers.DateTimeField(
        source="revealed_at", allow_null=True, help_text="The value is `null` if the file has not been imported."
    )

    class Meta:
        model = Upload
        fields = ["id", "purpose", "filename", "size", "sha256", "rows", "created_at", "imported_at"]


class UploadsView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    @extend_schema(
        tags=["studies"],
        operation_id="uploads_list",
        parameters=PAGING,
        responses={200: pages_of(UploadRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's uploads without their contents, newest first."""
        return self.page(self.study(study).uploads.defer("content", "preview").order_by("-pk"), UploadRow)

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=UploadDraft,
        responses={201: UploadShape, 202: PendingUpload, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Upload a file and preview its import. Nothing is imported yet. If a file is large, a background job reads it,
        and the response has status 202.
        """
        target = self.study(study, may=Action.IMPORT_FILES)
        sent = self.validated(UploadDraft)
        data = sent["file"].chunks() if "file" in sent else sent["content"].encode()

        def store() -> Response:
            upload = receive(
                target,
                purpose=sent["purpose"],
                filename=sent["filename"],
                data=data,
                user=self.user,
                encoding=sent["encoding"],
            )
            return _preview_or_job(upload, self.user, status.HTTP_201_CREATED)

        return self.run_once(store)


class UploadView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: UploadShape, 202: PendingUpload, **ERRORS})
    def get(self, request: Request, study: str, upload: str) -> Response:
        """Return the preview of an upload, or the job that reads the file if the preview is not ready (status 202)."""
        return _preview_or_job(
            _upload(self.study(study, may=Action.IMPORT_FILES), upload), self.user, status.HTTP_200_OK
        )

    @extend_schema(
        tags=["studies"],
        request=LayoutShape,
        responses={200: UploadShape, 202: PendingUpload, **ERRORS},
    )
    def put(self, request: Request, study: str, upload: str) -> Response:
        """Change the settings for reading a table, and return a new preview. The list of errors includes the lines that
        you can skip.
        """
        stored_upload = _upload(self.study(study, may=Action.IMPORT_FILES), upload)
        wanted = self.validated(LayoutShape)
        layout = Layout(**{**wanted, "skipped": frozenset(wanted["skipped"])})
        changed = set_layout(stored_upload.pk, layout, user=self.user)
        return _preview_or_job(changed, self.user, status.HTTP_200_OK)


class ImportView(ResearchView):
    parser_classes = [PlainJSONParser, MultiPartParser]  # forms without fields have always been accepted

    @extend_schema(
        tags=["studies"],
        request=ImportShape,
        responses={200: UploadShape, 202: PendingUpload, **ERRORS},
    )
    def post(self, request: Request, study: str, upload: str) -> Response:
        """Import all rows of an upload or, if it contains errors, import nothing (status 400, `faults`). If a file is
        large, a background job imports it, and the response has status 202.

        If the study already contains some of the items or questions, choose in `known` what to do with them.
        """
        stored_upload = _upload(self.study(study, may=Action.IMPORT_FILES), upload)
        known = KnownRows(self.validated(ImportShape)["known"])
        if not is_large(stored_upload):
            shown = _previewed(stored_upload, preview(stored_upload))
            import_upload(stored_upload.pk, user=self.user, known=known)
            return Response(shown)
        summary = stored_preview(stored_upload)
        if summary is None:
            raise Refused(
                "not-read",
                "Accord has not read the file yet. Query the upload until its job has finished.",
            )
        if not summary.allows(known):
            raise Refused(
                "faults",
                f"No rows were imported, because {stored_upload.filename} has {summary.fault_count:,} errors, or "
                "because `known` does not allow the import.",
                status=400,
            )
        job = request_job(
            stored_upload.study,
            f"import:{stored_upload.purpose}",
            parameters={"upload": stored_upload.public_id, "known": known},
            user=self.user,
        )
        return _pending(stored_upload, job)

    @extend_schema(tags=["studies"], responses={200: RemovedShape, **ERRORS})
    def delete(self, request: Request, study: str, upload: str) -> Response:
        """Remove the items or questions that were imported from the upload. The upload can be imported again.

        Items and questions can be removed only from a draft. Removing items also removes the design.
        """
        stored_upload = _upload(self.study(study, may=Action.REMOVE_IMPORT), upload)
        return Response({"removed": remove_import(stored_upload.pk, user=self.user)})


def _upload(study: Study, public_id: str) -> Upload:
    # Only jobs read the contents of large files, so that the web process needs little memory.
    uploads = Upload.objects.select_related("study").defer("content")
    return existing(uploads.filter(study=study, public_id=public_id).first(), "This study has no upload with this ID.")


def _preview_or_job(upload: Upload, user: User, status_code: int) -> Response:
    """Return the preview of an upload or, if a large file has not been read yet, the job that reads it."""
    if not is_large(upload):
        return Response(_previewed(upload, preview(upload)), status=status_code)
    if summary := stored_preview(upload):
        return Response(_previewed(upload, summary), status=status_code)
    return _pending(upload, preview_job(upload, user=user))


def _pending(upload: Upload, job: Job) -> Response:
    body = {
        "id": upload.public_id,
        "purpose": upload.purpose,
        "filename": upload.filename,
        "job": JobShape(job).data,
    }
    return Response(body, status=status.HTTP_202_ACCEPTED)


def _previewed(upload: Upload, summary: Preview) -> dict[str, Any]:
    return {
        "id": upload.public_id,
        "purpose": upload.purpose,
        "filename": upload.filename,
        "rows": summary.rows,
        "importable": summary.importable,
        "layout": summary.layout and layout_as_json(summary.layout),
        "first_row": summary.first_row,
        "known": _known(upload, summary),
        "faults": [fault._asdict() for fault in summary.faults],
        "warnings": [warning._asdict() for warning in summary.warnings],
    }


def _known(upload: Upload, summary: Preview) -> dict[str, Any] | None:
    """Return the known rows, and the effects of the choices about them as a list."""
    if summary.known is None:
        return None
    choices, grades = summary.known["choices"], effects_on_grades(upload, summary)
    return {
        **{name: summary.known[name] for name in ("new", "unchanged", "changed", "absent")},
        "choices": [
            {**effect, "known": name, "faults": [Fault(*fault)._asdict() for fault in effect["faults"]]}
            for name, effect in choices.items()
        ],
        "grades": grades and GradesShape(grades).data,
    }
