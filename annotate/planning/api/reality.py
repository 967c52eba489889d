"""The API operation that compares a study so far with its plan."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.selectors.counts import hours
from annotate.core.selectors.pace import pace_of
from annotate.core.selectors.pilot import pilot_of
from annotate.core.selectors.progress import progress_of
from annotate.planning.selectors.reality import plan_reality
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView


class IntervalShape(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the 95% interval.")


class AmountsShape(serializers.Serializer):
    planned = serializers.FloatField(allow_null=True)
    so_far = serializers.FloatField(allow_null=True)
    expected = serializers.FloatField(allow_null=True, help_text="Expected amount at the end of the study.")


class PlanCheckShape(serializers.Serializer):
    """The main figure of the answers at one time, and the prediction of the plan for the same answers."""

    at = serializers.DateTimeField()
    judgements = serializers.IntegerField()
    measured = IntervalShape()
    predicted = IntervalShape(allow_null=True, help_text="`null` if there were too few answers.")
    position = serializers.ChoiceField(
        ["below", "inside", "above"],
        allow_null=True,
        help_text="Position of the measured figure relative to the predicted interval.",
    )
    reason = serializers.CharField(allow_blank=True, help_text="The reason for a missing prediction, otherwise empty.")


class PlanRealityShape(serializers.Serializer):
    """The study's plan, compared with the study so far."""

    plan = serializers.IntegerField(source="plan.number", help_text="Number of the plan.")
    figure = serializers.CharField(help_text="Name of the main figure, such as `reliability`.")
    checks = PlanCheckShape(many=True, help_text="Comparisons of the main figure, oldest first.")
    at_end = IntervalShape(
        allow_null=True, help_text="Predicted main figure of the finished study, or `null` if it is unknown."
    )
    judgements = AmountsShape()
    cost = AmountsShape(help_text="Cost including the plan's platform fee, in the study's currency.")
    days = AmountsShape(help_text="Days since the first judgement.")


COMPARISON = inline_serializer("PlanComparison", {"comparison": PlanRealityShape(allow_null=True)})


class PlanComparisonView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: COMPARISON, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the study's plan, compared with the study so far. `comparison` is null if the study uses no plan."""
        target = self.study(study)
        progress, pilot, worked = progress_of(target), pilot_of(target), hours(target)
        pace = pace_of(target, worked, progress.slots - progress.done, pilot)
        reality = plan_reality(target, progress, worked, None if pilot else pace.finish)
        return Response({"comparison": reality and PlanRealityShape(reality).data})
