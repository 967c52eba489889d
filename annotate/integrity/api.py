"""The API for integrity indicators, which reads each annotator's indicators and starts their calculation."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.integrity.selectors import integrity_signs
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape


class IntegritySignShape(serializers.Serializer):
    name = serializers.CharField(help_text="Name of the indicator. docs/integrity.md explains each indicator.")
    value = serializers.FloatField()
    less_unusual = serializers.IntegerField(help_text="Number of other annotators whose value is less unusual.")
    others = serializers.IntegerField(help_text="Number of other annotators for whom the value is known.")
    unusual = serializers.BooleanField(
        help_text="True if at least 99 other annotators have a value, and 99% of their values are less unusual."
    )


class AnnotatorSignsShape(serializers.Serializer):
    annotator = serializers.CharField(help_text="Pseudonym of the annotator.")
    answers = serializers.IntegerField(help_text="The indicators were calculated from this number of answers.")
    calculated_at = serializers.DateTimeField()
    signs = IntegritySignShape(many=True)
    agreement_over_time = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Agreement with other annotators in the first, middle and last thirds of the answers. The list is "
        "empty if the agreement cannot be calculated.",
    )


class IntegritySignsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="integrity_signs_list",
        parameters=PAGING,
        responses={200: pages_of(AnnotatorSignsShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return each annotator's most recently calculated integrity indicators, starting with the most unusual
        annotator. The list is empty if the study does not collect activity summaries.
        """
        target = self.study(study)
        signs = integrity_signs(target)
        names = dict(target.participations.filter(pk__in=signs).values_list("pk", "pseudonym"))
        rows = [
            {
                "annotator": names[key],
                "answers": own.answers,
                "calculated_at": own.calculated_at,
                "signs": own.signs,
                "agreement_over_time": own.over_time,
            }
            for key, own in signs.items()
        ]
        return self.page(rows, AnnotatorSignsShape)

    @extend_schema(
        tags=["results"],
        operation_id="integrity_signs_calculate",
        request=None,
        responses={202: JobShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Start the calculation of the integrity indicators. A background job calculates the indicators."""
        return self.started(request_job(self.study(study, may=Action.CALCULATE_REPORTS), "integrity", user=self.user))
