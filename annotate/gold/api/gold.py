"""API operations that list gold questions with their wrong answers, and that change expected answers."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.regrading import change_expected_answer, preview_expected_answer
from annotate.gold.selectors.gold import gold_health, gold_rows
from annotate.gold.services import keep_expected_answer, reopen_disputes
from annotate.models import Question, Study
from annotate.server.refusals import existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of
from annotate.web.api.typed import AnswerField


class WrongAnswerShape(serializers.Serializer):
    words = serializers.CharField(help_text="The answer in words, with the items in the question’s original order.")
    annotators = serializers.IntegerField()


class GoldShape(serializers.Serializer):
    id = serializers.CharField(source="question.public_id")
    ref = serializers.CharField(source="question.ref")
    expected = serializers.CharField(help_text="The expected answer in words.")
    explanation = serializers.CharField(source="question.explanation", help_text="The text that annotators see.")
    explanation_warning = serializers.CharField(
        source="warning",
        help_text="A problem with the explanation, such as a reference to an item's position, or an empty string.",
    )
    version = serializers.IntegerField(
        source="question.gold_version", help_text="Version of the expected answer, starting at 1."
    )
    answered = serializers.IntegerField(help_text="Number of graded answers.")
    missed = serializers.FloatField(allow_null=True, help_text="Share of wrong answers.")
    disputes = serializers.IntegerField(
        help_text="Number of annotators who dispute the expected answer. Settled disputes are not included."
    )
    doubtful = serializers.BooleanField(
        help_text="Whether annotators dispute the expected answer, or at least five annotators answered the question "
        "and most of them answered incorrectly."
    )
    wrong_answers = WrongAnswerShape(many=True, source="wrong", help_text="The most frequent wrong answers.")


class ExpectedAnswerDraft(serializers.Serializer):
    """A new expected answer to a gold question."""

    value = AnswerField(help_text="The new expected answer, in the task type's answer format and in payload order.")
    reason = serializers.CharField(max_length=500, help_text="The reason for the change, which the history shows.")
    explanation = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=2_000,
        help_text="The new explanation for annotators. If this field is missing, the explanation does not change.",
    )
    restore = serializers.ListField(
        child=serializers.CharField(max_length=60),
        default=list,
        max_length=10_000,
        help_text="Pseudonyms of stopped annotators to restore if they reach the pass mark again.",
    )
    version = serializers.IntegerField(
        required=False,
        help_text="The version that the change replaces. If another version is current, the request is rejected with "
        "`changed`.",
    )
    dry_run = serializers.BooleanField(default=False, help_text="Return the effects without changing anything.")


class KeepRequest(serializers.Serializer):
    """The decision that the expected answer to a disputed gold question remains."""

    until = serializers.DateTimeField(
        required=False,
        help_text="Time of the latest dispute to settle. Later disputes remain open. By default, all disputes are "
        "settled.",
    )


class KeptShape(serializers.Serializer):
    settled = serializers.IntegerField(help_text="Number of settled disputes.")


class EffectsShape(serializers.Serializer):
    """The effects of a new expected answer."""

    version = serializers.IntegerField(help_text="Version of the expected answer after the change.")
    graded = serializers.IntegerField(help_text="Number of graded answers to the question.")
    changed = serializers.IntegerField(help_text="Number of grades that change.")
    now_correct = serializers.IntegerField(help_text="Number of wrong answers that become correct.")
    now_wrong = serializers.IntegerField(help_text="Number of correct answers that become wrong.")
    stopped = serializers.ListField(
        child=serializers.CharField(), help_text="Pseudonyms of the annotators that the quality rule stops."
    )
    restorable = serializers.ListField(
        child=serializers.CharField(), help_text="Stopped annotators who reach the pass mark again, by pseudonym."
    )
    restored = serializers.ListField(child=serializers.CharField(), help_text="Restored annotators, by pseudonym.")
    job = serializers.CharField(
        help_text="ID of the job that is still stopping and restoring these annotators. This field is empty if the "
        "request has stopped and restored them."
    )


class GoldView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="gold_list",
        parameters=PAGING,
        responses={200: pages_of(GoldShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the gold questions with their most frequent wrong answers, starting with doubtful questions."""
        owner = self.study(study)
        return self.page(gold_health(owner).keys, GoldShape, lambda keys: gold_rows(owner, keys))


class ExpectedAnswerView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="gold_change_expected_answer",
        request=ExpectedAnswerDraft,
        responses={200: EffectsShape, **ERRORS},
    )
    def post(self, request: Request, study: str, question: str) -> Response:
        """Change the expected answer to a gold question, and regrade all answers to that question. The quality rule
        then stops annotators whose accuracy has fallen below the pass mark. With `dry_run`, nothing changes.

        This operation does not accept the header `Idempotency-Key`. Send the current `version`, so that a repeated
        request is rejected with `changed`.
        """
        owner = self.study(study, may=Action.CHANGE_EXPECTED_ANSWERS)
        sent = self.validated(ExpectedAnswerDraft)
        target = _gold_question(owner, question)
        # With the `Idempotency-Key` header, the change would run in one transaction, but the quality rule needs more
        # than one.
        if sent["dry_run"]:
            effects = preview_expected_answer(target.pk, sent["value"], user=self.user)
        else:
            effects = change_expected_answer(
                target.pk,
                sent["value"],
                user=self.user,
                reason=sent["reason"],
                explanation=sent.get("explanation"),
                restore=sent["restore"],
                seen=sent.get("version"),
            )
        return Response(EffectsShape(effects).data)


class KeptAnswerView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="gold_keep_expected_answer",
        request=KeepRequest,
        responses={200: KeptShape, **ERRORS},
    )
    def post(self, request: Request, study: str, question: str) -> Response:
        """Settle the disputes about a gold question: its expected answer remains, and no grade changes."""
        target = _gold_question(self.study(study, may=Action.DECIDE), question)
        until = self.validated(KeepRequest).get("until")
        return Response({"settled": keep_expected_answer(target.pk, user=self.user, until=until)})

    @extend_schema(tags=["studies"], operation_id="gold_reopen_disputes", responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, question: str) -> Response:
        """Open the settled disputes about a gold question again."""
        target = _gold_question(self.study(study, may=Action.DECIDE), question)
        reopen_disputes(target.pk, user=self.user)
        return Response(status=204)


def _gold_question(study: Study, public_id: str) -> Question:
    return existing(study.questions.filter(public_id=public_id).first(), "This study has no question with this ID.")
