"""The API operation that describes a quality rule as a statistical test of annotators."""

from __future__ import annotations

from dataclasses import replace

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.gold.selectors.rule import MOST_ANSWERS, MOST_HITS, current_rule, operating_figures
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import validated
from annotate.web.api.research import ResearchView


class GoldRuleQuery(serializers.Serializer):
    """A quality rule, which can differ from the study's own rule, and the assumptions for the calculation."""

    threshold = serializers.FloatField(required=False, min_value=0, max_value=1, help_text="Pass mark.")
    minimum = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_ANSWERS, help_text="Minimum number of gold answers."
    )
    window = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_ANSWERS,
        help_text="Number of most recent gold answers used to calculate the accuracy. 0 uses all gold answers.",
    )
    hits = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_HITS, help_text="Number of HITs per annotator."
    )
    accuracy = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="Accuracy of careful annotators. By default, the accuracy is estimated from the answers.",
    )
    false_stops = serializers.FloatField(
        required=False,
        min_value=0.001,
        max_value=0.499,
        help_text="Highest acceptable probability of stopping a careful annotator.",
    )
    survivors = serializers.FloatField(
        required=False,
        min_value=0.001,
        max_value=0.499,
        help_text="Highest acceptable probability of not stopping a careless annotator.",
    )


class RuleShape(serializers.Serializer):
    threshold = serializers.FloatField()
    minimum = serializers.IntegerField()
    window = serializers.IntegerField()


class SequentialShape(serializers.Serializer):
    """The result of Wald's sequential test for one kind of annotator."""

    stopped = serializers.FloatField()
    accepted = serializers.FloatField()
    undecided = serializers.FloatField()
    gold_answers = serializers.FloatField(help_text="Expected number of gold answers.")


class KindShape(serializers.Serializer):
    name = serializers.CharField(help_text="Kind of annotator, such as `careful` or `guesser`.")
    accuracy = serializers.FloatField(help_text="Accuracy on the gold questions, using the study's measure.")
    stopped = serializers.FloatField(help_text="Probability that the rule stops the annotator.")
    standard_error = serializers.FloatField(help_text="Monte Carlo standard error, or 0 for an exact probability.")
    gold_answers = serializers.FloatField(help_text="Expected number of gold answers.")
    judgements_discarded = serializers.FloatField(
        allow_null=True, help_text="Mean number of judgements discarded per stopped annotator."
    )
    judgements_left = serializers.FloatField(help_text="Mean number of counted judgements per annotator.")
    stopped_by = serializers.ListField(
        child=serializers.FloatField(), help_text="Probability of a stop at or before each gold answer."
    )
    sprt = SequentialShape(allow_null=True)


class CurvePointShape(serializers.Serializer):
    care = serializers.FloatField(help_text="Share of careful answers. The annotator guesses all other answers.")
    accuracy = serializers.FloatField()
    stopped = serializers.FloatField()
    standard_error = serializers.FloatField()


class MinimumShape(serializers.Serializer):
    """The smallest minimum for a given number of gold questions per HIT."""

    gold_per_hit = serializers.IntegerField()
    gold_answers = serializers.IntegerField()
    minimum = serializers.IntegerField()
    false_stops = serializers.FloatField(help_text="Probability of stopping a careful annotator.")
    survivor = serializers.CharField(help_text="The kind of careless annotator that the rule misses most often.")
    survivors = serializers.FloatField(help_text="Probability of not stopping this kind of annotator.")
    meets_targets = serializers.BooleanField()


class RuleFiguresShape(serializers.Serializer):
    rule = RuleShape()
    hits = serializers.IntegerField()
    questions_per_hit = serializers.IntegerField()
    gold_per_hit = serializers.IntegerField()
    gold_questions = serializers.IntegerField()
    gold_answers = serializers.IntegerField(help_text="Number of gold answers per annotator.")
    simulated_annotators = serializers.IntegerField(
        help_text="Number of annotators per kind, or 0 for exact probabilities."
    )
    annotators = KindShape(many=True)
    curve = CurvePointShape(many=True, help_text="The operating curve.")
    false_stops = serializers.FloatField()
    survivors = serializers.FloatField()
    choices = MinimumShape(many=True)
    advice = serializers.CharField(help_text="The lowest minimum that meets the targets, or the reason why none does.")
    estimated_from = serializers.IntegerField(
        help_text="Number of gold answers used to estimate the accuracy of a careful annotator."
    )


class GoldRuleShape(serializers.Serializer):
    reason = serializers.CharField(help_text="The reason why no figures could be calculated, or an empty string.")
    rule_test = RuleFiguresShape(allow_null=True, help_text="The properties of the rule as a statistical test.")


class GoldRuleView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="gold_rule",
        parameters=[GoldRuleQuery],
        responses={200: GoldRuleShape, **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return how often the quality rule stops careful and careless annotators on the study's gold questions. By
        default, this is the study's own rule. Use the query parameters to describe another rule.
        """
        owner = self.study(study)
        query = validated(GoldRuleQuery(data=request.query_params))
        figures = operating_figures(owner, replace(current_rule(owner), **query))
        reason = figures.pop("reason")
        return Response(GoldRuleShape({"reason": reason, "rule_test": figures or None}).data)
