"""API operations that upload, preview, import and undo results files from other hosts."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.mturk.api.batches import BatchResultsShape, ImportOptions, ResultFileDraft
from annotate.mturk.models import ResultImport
from annotate.mturk.services.result_imports import discard, receive_results
from annotate.mturk.services.result_steps import IMPORT, PREVIEW, UNDO, carry_out, latest_job
from annotate.server.refusals import Refused, existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainJSONParser
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import FileDraft, JobShape


class ChangedColumnShape(serializers.Serializer):
    column = serializers.ChoiceField(choices=["status", "worker", "HIT", "answers"])
    imported = serializers.CharField()
    in_file = serializers.CharField()


class ChangeShape(serializers.Serializer):
    line = serializers.IntegerField()
    assignment = serializers.CharField()
    differences = ChangedColumnShape(many=True)


class ResultPreviewShape(serializers.Serializer):
    counts = BatchResultsShape()
    has_statuses = serializers.BooleanField(
        help_text="Whether the file has the column AssignmentStatus. If the file does not "
        "have this column, all assignments count as submitted."
    )
    changes = ChangeShape(many=True, help_text="The first few assignments that have changed since they were imported.")
    unreadable = serializers.ListField(
        child=serializers.CharField(), help_text="The first few assignments whose answers cannot be read."
    )


class ResultImportShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    state = serializers.ChoiceField(choices=["waiting", "imported", "undone", "discarded"])
    preview = ResultPreviewShape(
        allow_null=True, help_text="Predicted effects of the import, available until the file is imported."
    )
    counts = serializers.SerializerMethodField()
    job = serializers.SerializerMethodField()

    class Meta:
        model = ResultImport
        fields = [
            *("id", "filename", "batch", "size", "sha256", "state", "preview", "counts", "job", "created_at"),
            *("imported_at", "undone_at"),
        ]

    @extend_schema_field(BatchResultsShape(allow_null=True))
    def get_counts(self, result_import: ResultImport) -> dict[str, int] | None:
        return result_import.counts or None

    @extend_schema_field(JobShape(allow_null=True))
    def get_job(self, result_import: ResultImport) -> Any:
        job = latest_job(result_import)
        return JobShape(job).data if job else None


class ResultImportsView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    @extend_schema(
        tags=["studies"],
        operation_id="result_imports_list",
        parameters=PAGING,
        responses={200: pages_of(ResultImportShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's results files without their contents, newest first."""
        target = self.study(study, may=Action.IMPORT_RESULTS)
        return self.page(target.result_imports.stated().select_related("study").order_by("-pk"), ResultImportShape)

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=ResultFileDraft,
        responses={201: ResultImportShape, 202: ResultImportShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Upload a results file and preview its import. Nothing is imported yet. If a file is large, a background job
        reads it, and the response has status 202. If the file contains errors, the error `faults` lists them, and the
        file is not stored.
        """
        target = self.study(study, may=Action.IMPORT_RESULTS)
        sent = self.validated(ResultFileDraft)
        data = FileDraft.read(sent)

        def store() -> Response:
            stored = receive_results(target, filename=sent["filename"], data=data, batch=sent["batch"], user=self.user)
            try:
                job = carry_out(stored, PREVIEW, user=self.user)
            except Refused:
                discard(stored.pk, user=self.user)
                raise
            return _response(target, stored.public_id, status.HTTP_202_ACCEPTED if job else status.HTTP_201_CREATED)

        return self.run_once(store)


class ResultImportView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: ResultImportShape, **ERRORS})
    def get(self, request: Request, study: str, result_import: str) -> Response:
        """Return the preview of a results file or the outcome of its import, together with its latest job."""
        target = self.study(study, may=Action.IMPORT_RESULTS)
        return _response(target, result_import, status.HTTP_200_OK)

    @extend_schema(
        tags=["studies"],
        operation_id="result_imports_import",
        request=ImportOptions,
        responses={200: ResultImportShape, 202: ResultImportShape, **ERRORS},
    )
    def post(self, request: Request, study: str, result_import: str) -> Response:
        """Import all assignments in a results file, or none. If a file is large, a background job imports it, and the
        response has status 202.

        If assignments have changed since they were imported, the error `changes` lists them. Choose `take` or `keep`.
        """
        target = self.study(study, may=Action.IMPORT_RESULTS)
        options = self.validated(ImportOptions)
        return self._carry_out(target, result_import, IMPORT, **options)

    @extend_schema(tags=["studies"], responses={200: ResultImportShape, 202: ResultImportShape, **ERRORS})
    def delete(self, request: Request, study: str, result_import: str) -> Response:
        """Undo an import, which removes all its assignments and answers, or delete a file that has not been imported.

        If a worker has already been paid for the assignments, the error `paid` names the annotator. A background job
        undoes imports of large files (status 202).
        """
        target = self.study(study, may=Action.IMPORT_RESULTS)
        chosen = _found(target, result_import)
        if chosen.state == "waiting":
            discard(chosen.pk, user=self.user)
            return _response(target, result_import, status.HTTP_200_OK)
        return self._carry_out(target, result_import, UNDO)

    def _carry_out(self, target: Study, result_import: str, step: str, **options: Any) -> Response:
        job = carry_out(_found(target, result_import), step, user=self.user, **options)
        return _response(target, result_import, status.HTTP_202_ACCEPTED if job else status.HTTP_200_OK)


def _found(study: Study, public_id: str) -> ResultImport:
    return existing(
        study.result_imports.stated().select_related("study").filter(public_id=public_id).first(),
        "This study has no results file with this ID.",
    )


def _response(study: Study, public_id: str, status_code: int) -> Response:
    return Response(ResultImportShape(_found(study, public_id)).data, status=status_code)
