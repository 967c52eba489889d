"""The API for program-assisted figures."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.results.api import ReportShape
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import JobShape
from evaluation.selectors.assisted import KIND, latest
from evaluation.services.assisted import refuse_incomplete


class AssistedRequest(serializers.Serializer):
    program = serializers.CharField(help_text="Pseudonym of a program that has answered all questions.")


class AssistedShape(serializers.Serializer):
    report = ReportShape(allow_null=True, help_text="The latest program-assisted figures, or `null`.")


class AssistedView(ResearchView):
    @extend_schema(tags=["systems"], responses={200: AssistedShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the latest program-assisted figures of a study in which people answer a random part of the questions
        (option `people_share`).
        """
        return Response(AssistedShape({"report": latest(self.study(study))}).data)

    @extend_schema(tags=["systems"], request=AssistedRequest, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Request program-assisted figures of the study and of all its systems. A job calculates them."""
        target = self.study(study, may=Action.CALCULATE_REPORTS)
        program = self.validated(AssistedRequest)["program"]
        refuse_incomplete(target, program)
        return self.started(request_job(target, KIND, parameters={"program": program}, user=self.user))
