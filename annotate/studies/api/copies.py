"""API operations that copy studies, restore archived studies, and import settings from another study."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.core.services.writing import write
from annotate.studies.api.studies_shapes import (
    CopyRequest,
    CopyShape,
    SettingsImportRequest,
    SettingsImportShape,
    StudyShape,
)
from annotate.studies.services.copies import copy_study
from annotate.studies.services.settings_import import import_settings
from annotate.studies.services.study import unarchive_study
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, ResearchView
from annotate.web.api.shapes import JobShape


class CopiesView(ResearchView):
    creates_study = True

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=CopyRequest,
        responses={201: CopyShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Copy a study's settings and consent text to a new draft. You become the owner of the draft.

        A background job copies the items and the gold questions.
        """
        source = self.study(study, may=Action.COPY)
        wanted = self.validated(CopyRequest)

        def copy() -> Response:
            job = None
            with write():
                copied = copy_study(source.pk, user=self.user, title=wanted["title"], members=wanted["members"])
                if wanted["items"]:
                    contents = {"source": source.public_id, "gold": wanted["gold"]}
                    job = request_job(copied, "copy", parameters=contents, user=self.user)
            body = {
                "study": StudyShape(copied, context=self.context).data,
                "job": job and JobShape(job).data,
            }
            return Response(body, status=status.HTTP_201_CREATED)

        return self.once(copy)


class SettingsImportView(ResearchView):
    @extend_schema(
        tags=["studies"],
        request=SettingsImportRequest,
        responses={200: SettingsImportShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Import settings from another study with the same task type. The title and the random seed do not change.

        Settings that existing answers depend on do not change after the study has been opened. The response lists
        these settings under `locked`.
        """
        target = self.study(study, may=Action.CHANGE_SETTINGS)
        wanted = self.validated(SettingsImportRequest)
        source = self.study(wanted["from_study"], may=Action.COPY)
        result = import_settings(target.pk, source.pk, wanted["steps"], user=self.user)
        return Response({"changed": result.changed, "locked": result.locked})


class UnarchiveView(ResearchView):
    @extend_schema(tags=["studies"], request=None, responses={200: StudyShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Unarchive a study. The study returns to its previous state, which is draft or closed."""
        archived = self.study(study, may=Action.UNARCHIVE)
        return Response(StudyShape(unarchive_study(archived.pk, user=self.user), context=self.context).data)
