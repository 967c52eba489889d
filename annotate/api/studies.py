"""The API for studies: settings, states, uploads, items, questions and the design."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.exchange.layout import Layout
from annotate.exchange.layout import as_json as layout_as_json
from annotate.models import Guidelines, Job, Study, Upload, User
from annotate.permissions import Action
from annotate.refusals import Refused
from annotate.selectors.own_studies import matching_studies
from annotate.services import study as services
from annotate.services.drafts import delete_draft, remove_import
from annotate.services.jobs import preview_job, request_job
from annotate.services.settings import change_settings, write_consent
from annotate.services.uploads import import_upload, is_large, preview, receive, set_layout, stored_preview
from annotate.services.writing import write
from annotate.upload_contents import Preview

from . import shapes
from .annotation_shapes import ERRORS
from .plain import PlainJSONParser
from .research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of

CONSENT = ("consent", "consent_pays_stopped", "consent_names_activity")
STATE_CHANGES = {
    "open": (Action.OPEN, services.open_study),
    "paused": (Action.PAUSE, services.pause_study),
    "closed": (Action.CLOSE, services.close_study),
    "archived": (Action.ARCHIVE, services.archive_study),
}


class StudiesView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="studies_list",
        parameters=[
            *PAGING,
            OpenApiParameter("state", str, enum=Study.State.values, description="Return only studies in this state."),
            OpenApiParameter(
                "search", str, description="Return only studies whose title or task type contains this text."
            ),
        ],
        responses={200: pages_of(shapes.StudyShape), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Return your studies, newest first."""
        state, search = (request.query_params.get(name, "") for name in ("state", "search"))
        if state and state not in Study.State.values:
            message = f"There is no state {state}. States: {', '.join(Study.State.values)}."
            raise Refused("invalid", message, status=400, fields={"state": [message]})
        studies = matching_studies(self.studies(), state=state, search=search)
        return self.page(studies.prefetch_related("consents"), shapes.StudyShape)

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=shapes.StudyDraft,
        responses={201: shapes.StudyShape, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Create a draft study. You become its owner."""
        settings = self.validated(shapes.StudyDraft)

        def create() -> Response:
            study = services.create_study(user=self.user, **settings)
            return Response(shapes.StudyShape(study).data, status=status.HTTP_201_CREATED)

        return self.once(create)


class StudyView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: shapes.StudyShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return a study with its settings."""
        return Response(shapes.StudyShape(self.study(study)).data)

    @extend_schema(tags=["studies"], request=shapes.StudyChange, responses={200: shapes.StudyShape, **ERRORS})
    def patch(self, request: Request, study: str) -> Response:
        """Change settings. Settings that affect answers are locked after the study has been opened (status 409,
        `locked`).
        """
        found = self.study(study, may=Action.CHANGE_SETTINGS)
        wanted = self.validated(shapes.StudyChange, partial=True)
        consent = {name: wanted.pop(name) for name in CONSENT if name in wanted}
        with write():
            if consent:  # stored first, because some settings require terms in the consent text
                self._write_consent(found, **consent)
            changed = change_settings(found.pk, user=self.user, **wanted)
        return Response(shapes.StudyShape(changed).data)

    @extend_schema(tags=["studies"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str) -> Response:
        """Delete a draft with its items, questions and files. You cannot undo the deletion."""
        delete_draft(self.study(study, may=Action.DELETE_DRAFT).pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _write_consent(self, study: Study, **sent: Any) -> None:
        """Store a new version of the consent text, using the fields in the request. If the text changes, statements
        about the earlier text do not apply to the new text.
        """
        latest = study.consents.order_by("-version").first()
        text = sent.get("consent", latest.text if latest else "")
        stays = latest is not None and text == latest.text
        promise = sent.get("consent_pays_stopped", latest.pays_stopped if latest and stays else None)
        names_activity = sent.get("consent_names_activity", latest is not None and stays and latest.names_activity)
        write_consent(study.pk, text, user=self.user, pays_stopped=promise, names_activity=names_activity)


class StateView(ResearchView):
    @extend_schema(tags=["studies"], request=shapes.StateShape, responses={200: shapes.StudyShape, **ERRORS})
    def put(self, request: Request, study: str) -> Response:
        """Open, pause, close or archive the study. The error `not-ready` lists all requirements that are not met."""
        self.study(study)
        action, change_state = STATE_CHANGES[self.validated(shapes.StateShape)["state"]]
        pk = self.study(study, may=action).pk
        return Response(shapes.StudyShape(change_state(pk, user=self.user)).data)


class ItemsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="items_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.ItemShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the items of the study, in the order of their import."""
        items = self.study(study).items.visible().order_by("pk")
        return self.page(items, shapes.ItemShape)


class UploadsView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=shapes.UploadDraft,
        responses={201: shapes.UploadShape, 202: shapes.PendingUpload, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Upload a file and preview its import. Nothing is imported yet. A background job reads large files (status
        202).
        """
        target = self.study(study, may=Action.IMPORT_FILES)
        sent = self.validated(shapes.UploadDraft)
        data = sent["file"].chunks() if "file" in sent else sent["content"].encode()

        def store() -> Response:
            upload = receive(target, purpose=sent["purpose"], filename=sent["filename"], data=data, user=self.user)
            return _preview_or_job(upload, self.user, status.HTTP_201_CREATED)

        return self.once(store)


class UploadView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: shapes.UploadShape, 202: shapes.PendingUpload, **ERRORS})
    def get(self, request: Request, study: str, upload: str) -> Response:
        """Return the preview of an upload, or the job that reads the file if the preview is not ready (status 202)."""
        return _preview_or_job(
            _upload(self.study(study, may=Action.IMPORT_FILES), upload), self.user, status.HTTP_200_OK
        )

    @extend_schema(
        tags=["studies"],
        request=shapes.LayoutShape,
        responses={200: shapes.UploadShape, 202: shapes.PendingUpload, **ERRORS},
    )
    def put(self, request: Request, study: str, upload: str) -> Response:
        """Change the settings for reading a table, and return the new preview. The list of errors includes the lines
        that you can skip.
        """
        stored_upload = _upload(self.study(study, may=Action.IMPORT_FILES), upload)
        wanted = self.validated(shapes.LayoutShape)
        layout = Layout(**{**wanted, "skipped": frozenset(wanted["skipped"])})
        changed = set_layout(stored_upload.pk, layout, user=self.user)
        return _preview_or_job(changed, self.user, status.HTTP_200_OK)


class ImportView(ResearchView):
    @extend_schema(
        tags=["studies"], request=None, responses={200: shapes.UploadShape, 202: shapes.PendingUpload, **ERRORS}
    )
    def post(self, request: Request, study: str, upload: str) -> Response:
        """Import all rows of an upload, or no rows if it contains errors (status 400, `faults`). A background job
        imports large files (status 202).
        """
        stored_upload = _upload(self.study(study, may=Action.IMPORT_FILES), upload)
        if not is_large(stored_upload):
            shown = _previewed(stored_upload, preview(stored_upload))
            import_upload(stored_upload.pk, user=self.user)
            return Response(shown)
        summary = stored_preview(stored_upload)
        if summary is None:
            raise Refused(
                "not-read",
                "Accord has not read the file yet. Request the upload, then wait until its job has finished.",
            )
        if not summary.importable:
            raise Refused(
                "faults",
                f"No rows were imported, because {stored_upload.filename} has {summary.fault_count:,} errors.",
                status=400,
            )
        job = request_job(
            stored_upload.study,
            f"import:{stored_upload.purpose}",
            parameters={"upload": stored_upload.public_id},
            user=self.user,
        )
        return _pending(stored_upload, job)

    @extend_schema(tags=["studies"], responses={200: shapes.RemovedShape, **ERRORS})
    def delete(self, request: Request, study: str, upload: str) -> Response:
        """Remove the items or questions that were imported from the upload. The upload can be imported again.

        Items and questions can be removed only from a draft. Removing items also removes the design.
        """
        stored_upload = _upload(self.study(study, may=Action.REMOVE_IMPORT), upload)
        return Response({"removed": remove_import(stored_upload.pk, user=self.user)})


class GuidelinesShape(serializers.ModelSerializer):
    class Meta:
        model = Guidelines
        fields = ["version", "instructions", "examples", "created_at"]


class GuidelinesView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="guidelines_list",
        parameters=PAGING,
        responses={200: pages_of(GuidelinesShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the versions of the guidelines, newest first. Versions are stored starting with the first change after
        the study is opened.
        """
        return self.page(self.study(study).guidelines.order_by("-version"), GuidelinesShape)


class DesignView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: shapes.ReportShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the report on the current design."""
        design = self.study(study).design
        if design is None:
            raise Refused("no-design", "This study has no design yet. Build the design first.", status=404)
        return Response(shapes.ReportShape(design).data)

    @extend_schema(tags=["studies"], request=None, responses={202: shapes.JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Rebuild the questions from the items. A background job builds the questions."""
        job = request_job(self.study(study, may=Action.BUILD_DESIGN), "design", user=self.user)
        return Response(shapes.JobShape(job).data, status=status.HTTP_202_ACCEPTED)


def _upload(study: Study, public_id: str) -> Upload:
    # Only jobs read the content of large files, so that the web process needs little memory.
    uploads = Upload.objects.select_related("study").defer("content")
    upload = uploads.filter(study=study, public_id=public_id).first()
    if upload is None:
        raise Refused("unknown", "This study has no upload with this ID.", status=404)
    return upload


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
        "job": shapes.JobShape(job).data,
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
        "faults": [fault._asdict() for fault in summary.faults],
        "warnings": [warning._asdict() for warning in summary.warnings],
    }
