"""The API for repeats of released studies."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.server.refusals import existing
from annotate.studies.api import StudyShape
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, ResearchView
from releases.selectors.releases import repeat_report
from releases.services.repeat import read_upload, repeat_study

from . import shapes


class RepeatsView(ResearchView):
    body_limit = "upload"
    parser_classes = [MultiPartParser]

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=shapes.RepeatDraft,
        responses={201: shapes.RepeatedStudyShape, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Create a draft that repeats the study in a release. You become its owner. The draft has the same items,
        questions, HITs, gold sets, texts and settings, and the response lists the differences.
        """
        sent = self.validated(shapes.RepeatDraft)

        def repeat() -> Response:
            source = read_upload(sent["file"], sent["file"].name, sent["key"])
            repeated = repeat_study(source, user=self.user, title=sent["title"], changes=sent["changes"])
            body: dict[str, Any] = {
                "study": StudyShape(repeated.study, context=self.context).data,
                **shapes.RepeatShape(repeated.report).data,
            }
            return Response(body, status=status.HTTP_201_CREATED)

        return self.run_once(repeat)


class RepeatView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: shapes.RepeatShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the release that this study repeats, and the differences between the two studies."""
        report = existing(repeat_report(self.study(study)), "This study does not repeat a released study.")
        return Response(shapes.RepeatShape(report).data)
