"""Studies: making, changing, opening; items and questions; the design."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Upload
from annotate.refusals import Refused
from annotate.services import study as services
from annotate.services.jobs import ask_for
from annotate.services.uploads import import_upload, preview, receive

from . import shapes
from .annotation import ERRORS
from .research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of

MOVES = {
    "open": services.open_study,
    "paused": services.pause_study,
    "closed": services.close_study,
    "archived": services.archive_study,
}


class StudiesView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="studies_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.StudyShape), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Your studies, newest first."""
        return self.page(self.studies(), shapes.StudyShape)

    @extend_schema(
        tags=["studies"], parameters=[IDEMPOTENCY_KEY], request=shapes.StudyDraft,
        responses={201: shapes.StudyShape, **ERRORS},
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Make a draft study, which you own."""
        wanted = self.validated(shapes.StudyDraft)

        def make() -> Response:
            study = services.create_study(user=self.user, **wanted)
            return Response(shapes.StudyShape(study).data, status=status.HTTP_201_CREATED)

        return self.once(make)


class StudyView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: shapes.StudyShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """A study with its settings."""
        return Response(shapes.StudyShape(self.study(study)).data)

    @extend_schema(tags=["studies"], request=shapes.StudyChange, responses={200: shapes.StudyShape, **ERRORS})
    def patch(self, request: Request, study: str) -> Response:
        """Change settings; those on which answers depend are locked once the study was opened (409 `locked`)."""
        found = self.study(study, may="manage")
        wanted = self.validated(shapes.StudyChange, partial=True)
        consent = wanted.pop("consent", None)
        changed = services.change_settings(found.pk, user=self.user, **wanted)
        if consent:
            services.write_consent(found.pk, consent, user=self.user)
        return Response(shapes.StudyShape(changed).data)


class StateView(ResearchView):
    @extend_schema(tags=["studies"], request=shapes.StateShape, responses={200: shapes.StudyShape, **ERRORS})
    def put(self, request: Request, study: str) -> Response:
        """Open, pause, close or archive; `not-ready` names everything that is missing."""
        found = self.study(study, may="manage")
        wanted = self.validated(shapes.StateShape)["state"]
        return Response(shapes.StudyShape(MOVES[wanted](found.pk, user=self.user)).data)


class ItemsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="items_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.ItemShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """The study's items, in the order in which they came."""
        items = self.study(study).items.filter(upload__revealed_at__isnull=False).order_by("pk")
        return self.page(items, shapes.ItemShape)


class QuestionsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="questions_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.QuestionShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Questions of all kinds, gold with its key."""
        return self.page(self.study(study).questions.order_by("pk"), shapes.QuestionShape)


class UploadsView(ResearchView):
    body_limit = "upload"

    @extend_schema(
        tags=["studies"], parameters=[IDEMPOTENCY_KEY], request=shapes.UploadDraft,
        responses={201: shapes.UploadShape, **ERRORS},
    )  # fmt: skip
    def post(self, request: Request, study: str) -> Response:
        """Bring a file and see what would come of it; nothing is imported yet."""
        found = self.study(study, may="manage")
        sent = self.validated(shapes.UploadDraft)

        def take() -> Response:
            upload = receive(
                found, purpose=sent["purpose"], filename=sent["filename"], data=sent["content"].encode(), user=self.user
            )
            return Response(_previewed(upload), status=status.HTTP_201_CREATED)

        return self.once(take)


class ImportView(ResearchView):
    @extend_schema(tags=["studies"], request=None, responses={200: shapes.UploadShape, **ERRORS})
    def post(self, request: Request, study: str, upload: str) -> Response:
        """Import an upload: all of its rows or, with any fault, none (400 `faults`)."""
        found = self.study(study, may="manage")
        kept = Upload.objects.filter(study=found, public_id=upload).first()
        if kept is None:
            raise Refused("unknown", "There is no such upload.", status=404)
        shown = _previewed(kept)
        import_upload(kept.pk, user=self.user)
        return Response(shown)


class DesignView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: shapes.ReportShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """The report on the present design."""
        design = self.study(study).design
        if design is None:
            raise Refused("no-design", "No design has been built yet.", status=404)
        return Response(shapes.ReportShape(design).data)

    @extend_schema(tags=["studies"], request=None, responses={202: shapes.JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Ask for the design to be built anew from the items; a job does it."""
        job = ask_for(self.study(study, may="manage"), "design", user=self.user)
        return Response(shapes.JobShape(job).data, status=status.HTTP_202_ACCEPTED)


def _previewed(upload: Upload) -> dict[str, Any]:
    seen = preview(upload)
    return {
        "id": upload.public_id,
        "purpose": upload.purpose,
        "filename": upload.filename,
        "rows": seen.rows,
        "importable": seen.importable,
        "faults": [fault._asdict() for fault in seen.faults],
        "warnings": [warning._asdict() for warning in seen.warnings],
    }
