"""Request and response bodies of the annotation API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotate.models import Assignment
from annotate.web.api.typed import AnswerField, QuestionField

WHY_NOT = (
    "nothing",
    "finished",
    "limit",
    "paused",
    "closed",
    "over",
    "stopped",
    "withdrawn",
    "excluded",
    "practice",
    "consent",
)
MOST_ANSWERS = 1_000  # per request; the largest HIT has fewer questions


class FeedbackShape(serializers.Serializer):
    position = serializers.IntegerField()
    passed = serializers.BooleanField()
    expected = AnswerField(allow_null=True)
    given = AnswerField(allow_null=True)
    explanation = serializers.CharField()
    message = serializers.CharField()
    graded = serializers.IntegerField(
        help_text="Number of graded gold answers in submitted HITs without skipped questions."
    )
    right = serializers.IntegerField(help_text="Number of these gold answers that were correct.")


class ShownQuestion(serializers.Serializer):
    position = serializers.IntegerField()
    content = QuestionField()
    draft = serializers.JSONField(allow_null=True)
    revision = serializers.IntegerField()
    value = AnswerField(allow_null=True)
    skipped = serializers.CharField(help_text="Reason why the question was skipped, or an empty string.")
    final = serializers.BooleanField(
        help_text="True if the annotator has got feedback on the answer, which can no longer be changed."
    )
    feedback = FeedbackShape(allow_null=True)


class ShownStudy(serializers.Serializer):
    title = serializers.CharField()
    task_type = serializers.CharField()
    module = serializers.CharField(help_text="URL of the ES module that shows a question.")
    language = serializers.CharField()
    direction = serializers.CharField()
    skips = serializers.BooleanField(help_text="True if questions in this assignment can be skipped.")
    pass_mark = serializers.FloatField(
        help_text="Share of gold questions that annotators must answer as expected, "
        "or 0 if the study has no quality rule."
    )
    activity = serializers.CharField(
        allow_null=True,
        help_text="URL of the ES module that summarises the annotator's activity, or null if the study does not "
        "collect activity summaries from this annotator.",
    )
    break_minutes = serializers.IntegerField(
        allow_null=True, help_text="Minutes of work until the reminder to take a break, or null for no reminder."
    )


class GuidelinesState(serializers.Serializer):
    version = serializers.IntegerField(help_text="Current version of the guidelines.")
    read = serializers.IntegerField(help_text="Latest version that the annotator has read.")


class AssignmentShape(serializers.Serializer):
    id = serializers.CharField()
    kind = serializers.ChoiceField(Assignment.Kind.choices)
    state = serializers.ChoiceField(Assignment.State.choices)
    lease_until = serializers.DateTimeField()
    longest_lease = serializers.DateTimeField(help_text="End of the lease after the first saved draft or answer.")
    reward = serializers.CharField()
    currency = serializers.CharField()
    questions = ShownQuestion(many=True)
    study = ShownStudy()
    guidelines = GuidelinesState()


class ClaimedShape(serializers.Serializer):
    assignment = AssignmentShape(allow_null=True)
    why = serializers.ChoiceField(
        [*WHY_NOT, ""], help_text="The reason why there is no assignment, or an empty string if there is one."
    )
    resumed = serializers.BooleanField()
    free_by = serializers.DateTimeField(
        allow_null=True,
        help_text="If `why` is `nothing`: the latest time at which a HIT held by another annotator becomes available, "
        "or null if no suitable HIT is held.",
    )


class DraftShape(serializers.Serializer):
    draft = serializers.JSONField(allow_null=True)
    revision = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class RevisionShape(serializers.Serializer):
    revision = serializers.IntegerField()


class GiveShape(serializers.Serializer):
    value = AnswerField(required=False, help_text="The answer, required unless the question is skipped.")
    skipped = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=500,
        help_text="Reason for skipping the question. Send either a reason or a value.",
    )
    seconds = serializers.FloatField(min_value=0, max_value=86_400 * 30, required=False, allow_null=True)
    activity = serializers.JSONField(
        required=False,
        allow_null=True,
        help_text="Summary of the annotator's activity, if collected. Invalid summaries are ignored.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either a value or a reason for skipping the question."""
        if ("value" in attrs) == bool(attrs.get("skipped")):
            raise serializers.ValidationError({"value": ["Send either a value or a reason for skipping the question."]})
        return attrs


class GivenShape(serializers.Serializer):
    feedback = FeedbackShape(many=True)
    stopped = serializers.BooleanField()
    final = serializers.BooleanField(
        help_text="True if the annotator has got feedback on the answer, which can no longer be changed."
    )


class AcknowledgementShape(serializers.Serializer):
    disputed = serializers.BooleanField(default=False)
    note = serializers.CharField(default="", allow_blank=True, max_length=1000)


class RemarkShape(serializers.Serializer):
    kind = serializers.ChoiceField(["comment", "problem"], default="comment")
    text = serializers.CharField(max_length=2000)


class ReturnShape(serializers.Serializer):
    put_aside = serializers.BooleanField(
        default=False,
        help_text="True if the annotator must not get the HIT again. The number of such HITs is limited.",
    )


class VersionShape(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class SentShape(GiveShape):
    position = serializers.IntegerField(min_value=1, max_value=32_767)


class SubmissionShape(serializers.Serializer):
    answers = SentShape(
        many=True,
        required=False,
        max_length=MOST_ANSWERS,  # type: ignore[call-arg]  # of the list, which `many` makes
        help_text="Answers that have not been sent yet, at most one per position.",
    )
    next = serializers.BooleanField(default=False, help_text="Claim the next assignment in the same request.")
    left = serializers.BooleanField(default=False, help_text="Count the sets that the annotator can still submit.")
    feedback_first = serializers.BooleanField(
        default=False,
        help_text="Store the answers, but end the assignment only if all feedback on gold questions has been read. "
        "The receipt contains any unread feedback, and the assignment remains leased until the annotator has read it.",
    )


class ReceiptShape(serializers.Serializer):
    assignment = serializers.CharField()
    state = serializers.ChoiceField(Assignment.State.choices)
    credited = serializers.BooleanField()
    reward = serializers.CharField()
    currency = serializers.CharField()
    stopped = serializers.BooleanField()
    feedback = FeedbackShape(many=True)


class GoldCountsShape(serializers.Serializer):
    right = serializers.IntegerField(help_text="Number of correct gold answers.")
    graded = serializers.IntegerField(help_text="Number of graded gold answers.")


class SubmittedShape(serializers.Serializer):
    receipt = ReceiptShape()
    next = ClaimedShape(allow_null=True)
    left = serializers.IntegerField(
        allow_null=True,
        help_text="Number of sets that the annotator can still submit, including `next`, or `null` if there are more "
        "than 20, if no set was claimed, or if the request does not ask for the number.",
    )
    gold = GoldCountsShape(
        allow_null=True,
        help_text="The annotator's gold answers in submitted sets without skipped questions, or `null` if the study "
        "has no gold questions, or if the request does not ask for `left`.",
    )


class CodeShape(serializers.Serializer):
    code = serializers.CharField()
    expires_at = serializers.DateTimeField(
        allow_null=True, help_text="Time at which the code expires, or `null` if the study has not been closed."
    )
