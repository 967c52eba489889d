"""Serializers for questions, answers and decisions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotate.models import Answer, Assignment, Decision, Question, QuestionFigures
from annotate.questions.selectors.question_filters import SORTS, STATES
from annotate.web.api.typed import AnswerField, PayloadField, ValueField


class QuestionFilterShape(serializers.Serializer):
    kind = serializers.ChoiceField(choices=Question.Kind.choices, required=False)
    search = serializers.CharField(required=False, help_text="Part of an ID, a text or the metadata.")
    state = serializers.ChoiceField(choices=[name for name in STATES if name], required=False)
    annotator = serializers.CharField(required=False, help_text="Pseudonym of an annotator who answered the question.")
    column = serializers.CharField(required=False, help_text="Name of a metadata column. Also send `value`.")
    value = serializers.CharField(required=False, help_text="Value of the metadata column.")
    sort = serializers.ChoiceField(choices=[name for name in SORTS if name], required=False)


class QuestionShape(serializers.ModelSerializer):
    payload = PayloadField()
    gold = ValueField(allow_null=True, help_text="Expected answer to a gold or practice question.")

    class Meta:
        model = Question
        fields = ["ref", "kind", "payload", "gold", "explanation"]


class AnswerShape(serializers.ModelSerializer):
    question = serializers.CharField(source="question.ref")
    kind = serializers.ChoiceField(Question.Kind.choices, source="question.kind")
    value = ValueField(allow_null=True, help_text="The answer, or null for a skipped question.")
    annotator = serializers.CharField(source="participation.pseudonym")
    assignment = serializers.CharField(source="assignment.public_id")
    state = serializers.ChoiceField(Assignment.State.choices, source="assignment.state")
    reason = serializers.CharField(source="assignment.reason")
    answered_at = serializers.DateTimeField(source="given_at", allow_null=True)

    class Meta:
        model = Answer
        fields = [
            "question",
            "kind",
            "annotator",
            "assignment",
            "position",
            "shown",
            "value",
            "answered_at",
            "seconds",
            "passed",
            "disputed",
            "dispute_note",
            "repeat",
            "excluded",
            "skipped",
            "skipped_at",
            "guidelines_version",
            "state",
            "reason",
        ]


class AnnotatorAnswerShape(AnswerShape):
    """An annotator's answer, with figures that help researchers to judge it."""

    words = serializers.CharField(
        help_text="The answer in words, with the items in the order on the annotator's screen."
    )
    counts = serializers.BooleanField(help_text="Whether the answer counts towards the results.")
    reason_not_counted = serializers.CharField(help_text="The reason why the answer does not count.")
    agreement = serializers.FloatField(
        allow_null=True, help_text="Mean similarity to other annotators' answers, from 0 to 1."
    )
    others = serializers.IntegerField(help_text="Number of other annotators' answers that count.")
    usual_seconds = serializers.FloatField(
        allow_null=True, help_text="Other annotators' median time on the question, in seconds."
    )

    class Meta(AnswerShape.Meta):
        fields = [
            *AnswerShape.Meta.fields,
            "words",
            "counts",
            "reason_not_counted",
            "agreement",
            "others",
            "usual_seconds",
        ]


class DecisionShape(serializers.ModelSerializer):
    question = serializers.CharField(source="question.ref")
    value = ValueField(allow_null=True)
    user = serializers.CharField(source="user.email")

    class Meta:
        model = Decision
        fields = ["question", "value", "keep_both", "note", "user", "decided_at"]


class DecisionDraft(serializers.Serializer):
    value = AnswerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The answer that the decision records, in the task type's answer format and in payload order.",
    )
    keep_both = serializers.BooleanField(
        default=False,
        help_text="Whether all answers are acceptable. A decision that accepts all answers must not contain a value.",
    )
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=2_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either a value or `keep_both`."""
        if attrs["keep_both"] and attrs["value"] is not None:
            raise serializers.ValidationError({"value": "A decision that keeps all answers has no value."})
        if not attrs["keep_both"] and attrs["value"] is None:
            raise serializers.ValidationError({"value": "This field is required."})
        return attrs


class AdjudicationShape(serializers.Serializer):
    """A question in the adjudication queue."""

    question = serializers.CharField(source="question.ref")
    judgements = serializers.IntegerField()
    agreement = serializers.FloatField(
        help_text="Mean similarity over all pairs of answers, using the task type's measure, from 0 to 1."
    )
    seconds = serializers.FloatField(allow_null=True, help_text="Median time per answer in seconds.")
    decided = serializers.SerializerMethodField()

    def get_decided(self, figures: QuestionFigures) -> bool:
        return hasattr(figures.question, "decision")
