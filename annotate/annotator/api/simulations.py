"""The API operation that simulates annotators."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import JobShape

MOST_ANNOTATORS = 1_000


class SimulationDraft(serializers.Serializer):
    annotators = serializers.IntegerField(min_value=1, max_value=MOST_ANNOTATORS, default=10)
    careless = serializers.FloatField(
        min_value=0, max_value=1, default=0, help_text="Share of annotators who answer at random."
    )
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1)
    hits = serializers.IntegerField(
        min_value=1,
        allow_null=True,
        default=None,
        help_text="Number of HITs. By default, annotators submit as many HITs as possible.",
    )


class SimulationsView(ResearchView):
    @extend_schema(tags=["studies"], request=SimulationDraft, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Simulate annotators who answer the HITs of an open study. A background job simulates the annotators."""
        target = self.study(study, may=Action.ADD_AUTOMATIC_ANNOTATORS)
        return self.started(request_job(target, "simulate", parameters=self.validated(SimulationDraft), user=self.user))
