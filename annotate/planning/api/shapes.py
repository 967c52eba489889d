"""The shapes of the comparison between a plan and the study that uses it."""

from __future__ import annotations

from rest_framework import serializers


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
    """The plan that the study uses, beside the study so far."""

    plan = serializers.IntegerField(source="plan.number", help_text="Number of the plan.")
    figure = serializers.CharField(help_text="Name of the main figure, such as `reliability`.")
    checks = PlanCheckShape(many=True, help_text="Comparisons of the main figure, oldest first.")
    at_end = IntervalShape(
        allow_null=True, help_text="Predicted main figure of the finished study, or `null` if it is unknown."
    )
    judgements = AmountsShape()
    cost = AmountsShape(help_text="Cost including the plan's platform fee, in the study's currency.")
    days = AmountsShape(help_text="Days since the first judgement.")
