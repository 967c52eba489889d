"""The API for systems, which are scored on the annotations of a study."""

from __future__ import annotations

import re

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.server.refusals import existing
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainJSONParser, validated
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape
from evaluation.models import Submission
from evaluation.selectors.systems import systems_of
from evaluation.services import systems as services

from . import shapes


class SystemsView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    @extend_schema(
        tags=["systems"],
        operation_id="systems_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.SystemRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's systems with their latest measures, newest first."""
        return self.page(systems_of(self.study(study)), shapes.SystemRow)

    @extend_schema(
        tags=["systems"],
        parameters=[IDEMPOTENCY_KEY],
        request=shapes.SystemDraft,
        responses={201: shapes.SystemShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Add a system with the file that contains its output. A background job scores the system. The error `faults`
        lists all errors in the file.
        """
        target = self.study(study, may=Action.REVIEW)
        sent = self.validated(shapes.SystemDraft)
        data = b"".join(shapes.SystemDraft.read(sent))

        def add() -> Response:
            submission = services.submit_system(
                target,
                system=sent["system"],
                description=sent["description"],
                filename=sent["filename"],
                data=data,
                parameters=sent["options"],
                user=self.user,
            )
            return Response(shapes.SystemShape(submission).data, status=status.HTTP_201_CREATED)

        return self.run_once(add)


class SystemView(ConditionalView):
    @extend_schema(tags=["systems"], responses={200: shapes.SystemShape, **ERRORS})
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return a system with its latest score and latest scoring job."""
        return Response(shapes.SystemShape(_system(self.study(study), number)).data)

    @extend_schema(tags=["systems"], request=shapes.SystemChange, responses={200: shapes.SystemShape, **ERRORS})
    def patch(self, request: Request, study: str, number: int) -> Response:
        """Add a system to the public leaderboard, or remove it."""
        submission = _system(self.study(study, may=Action.MANAGE), number)
        services.show_in_public(submission, self.validated(shapes.SystemChange)["public"], user=self.user)
        submission.refresh_from_db(fields=["public"])
        return Response(shapes.SystemShape(submission).data)


class SystemFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["systems"], responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **ERRORS})
    def get(self, request: Request, study: str, number: int) -> HttpResponse:
        """Return a system's file exactly as uploaded."""
        submission = _system(self.study(study), number)
        name = re.sub(r"[^\w.-]", "-", submission.filename, flags=re.ASCII)
        return HttpResponse(
            services.file_of(submission),
            content_type="application/octet-stream",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


class ScoreView(ResearchView):
    @extend_schema(tags=["systems"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Rescore a system on the current annotations. The previous score remains until the job has finished."""
        submission = _system(self.study(study, may=Action.REVIEW), number)
        return self.started(services.score_again(submission, user=self.user))


class SystemComparisonView(ResearchView):
    @extend_schema(
        tags=["systems"],
        operation_id="systems_compare",
        parameters=[shapes.PairRequest],
        responses={200: shapes.DifferenceShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the differences between two systems on the current annotations, with intervals and p-values."""
        compared = self.study(study)
        pair = validated(shapes.PairRequest(data=request.query_params))
        first, second = (_system(compared, pair[name]) for name in ("first", "second"))
        return Response(shapes.DifferenceShape(services.compare_systems(first, second), many=True).data)


def _system(study: Study, number: int) -> Submission:
    return existing(
        systems_of(study).select_related("study").filter(number=number).first(),
        "This study has no system with this number.",
    )
