"""The API for questions: the list, decisions on them, and one more judgement for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Answer, Assignment, Decision, Question, QuestionFigures, Study
from annotate.questions.selectors.adjudication import Order, Queue, Show
from annotate.questions.selectors.filters import SORTS, STATES, QuestionFilter, filtered_questions
from annotate.questions.selectors.more_judgements import (
    Scope,
    chosen_questions,
    disputed_questions,
    price_for_all,
    price_for_questions,
)
from annotate.questions.services.decisions import decide, keep_both, undo, withdraw
from annotate.questions.services.more_judgements import MOST_AT_ONCE, add_to_all, add_to_questions
from annotate.questions.services.refresh import current_figures
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import validated
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
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
        allow_null=True,
        help_text="Mean similarity over all pairs of answers, using the task type's measure, from 0 to 1. Null if "
        "fewer than two answers count.",
    )
    seconds = serializers.FloatField(allow_null=True, help_text="Median time per answer in seconds.")
    expected_repairs = serializers.FloatField(
        allow_null=True,
        help_text="Number of labels or links that a decision is expected to change, according to the latest results "
        "report. Null if the report does not estimate it.",
    )
    decided = serializers.SerializerMethodField()

    def get_decided(self, figures: QuestionFigures) -> bool:
        return hasattr(figures.question, "decision")


class JudgementsDraft(serializers.Serializer):
    """The questions that receive one more judgement."""

    scope = serializers.ChoiceField(
        [scope.value for scope in Scope],
        help_text="`disputed` selects the undecided questions on which annotators disagree.",
    )
    questions = serializers.ListField(
        child=serializers.CharField(max_length=200),
        default=list,
        max_length=10_000,
        help_text="The refs of the chosen questions, if the scope is `chosen`. Unknown refs are ignored.",
    )
    per_question = serializers.IntegerField(
        default=1, min_value=1, max_value=MOST_AT_ONCE, help_text="Number of judgements to add to each question."
    )
    group = serializers.CharField(
        default="", allow_blank=True, max_length=22, help_text="ID of the group that gives the judgements, with quotas."
    )
    dry_run = serializers.BooleanField(default=False, help_text="Return the price without adding judgements.")


class JudgementsShape(serializers.Serializer):
    questions = serializers.IntegerField(help_text="Number of questions that get more judgements.")
    assignments = serializers.IntegerField(help_text="Number of additional assignments.")
    cost = serializers.DecimalField(
        max_digits=20, decimal_places=4, help_text="The cost of the assignments, without platform fees."
    )


class JudgementsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=JudgementsDraft,
        responses={200: JudgementsShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Add judgements to every question, every disputed question or every chosen question, and return the
        price. With `dry_run`, nothing changes.
        """
        owner = self.study(study, may=Action.ADD_JUDGEMENTS)
        wanted = self.validated(JudgementsDraft)
        number = wanted["per_question"]

        def add() -> Response:
            if wanted["scope"] == Scope.ALL:
                price = price_for_all(owner, number)
                if not wanted["dry_run"]:
                    add_to_all(owner.pk, user=self.user, per_question=number, group=wanted["group"])
                return Response(JudgementsShape(price).data)
            if wanted["scope"] == Scope.DISPUTED:
                current_figures(owner)
                questions = disputed_questions(owner)
            else:
                questions = chosen_questions(owner, wanted["questions"], by="ref")
            if not wanted["dry_run"]:
                add_to_questions(owner.pk, questions, user=self.user, per_question=number, group=wanted["group"])
            return Response(JudgementsShape(price_for_questions(owner, len(questions), number)).data)

        return self.run_once(add)


class AdjudicationView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="adjudication_list",
        parameters=[
            *PAGING,
            OpenApiParameter("show", str, enum=[each.value for each in Show], description="Questions in the list."),
            OpenApiParameter("search", str, description="Text to search for in the question's ref, items or metadata."),
            OpenApiParameter(
                "order",
                str,
                enum=[each.value for each in Order],
                default=Order.AGREEMENT.value,
                description="`likely` starts with the most expected repairs per minute, if a results report has "
                "estimated them. It adds questions on which annotators agree but whose labels are probably wrong.",
            ),
        ],
        responses={200: pages_of(AdjudicationShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the questions on which annotators disagree. By default, the list contains only undecided questions and
        starts with the lowest agreement.
        """
        target = self.study(study, may=Action.DECIDE)
        current_figures(target)
        show, search, order = (request.query_params.get(name, "") for name in ("show", "search", "order"))
        queue = Queue(target, show, search, order or Order.AGREEMENT)
        return self.page(queue.ordered.select_related("question", "question__decision"), AdjudicationShape)


class DecisionsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="decisions_list",
        parameters=PAGING,
        responses={200: pages_of(DecisionShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the current decisions in question order."""
        decisions = Decision.objects.filter(question__study=self.study(study)).select_related("question", "user")
        return self.page(decisions.order_by("question"), DecisionShape)


class DecisionView(ResearchView):
    @extend_schema(tags=["results"], request=DecisionDraft, responses={200: DecisionShape, **ERRORS})
    def put(self, request: Request, study: str, ref: str) -> Response:
        """Record the decision on a question. The order of items in the decision must match the order in the question's
        payload. With `keep_both`, the decision records that all answers are acceptable, and the results use the
        annotators' answers. The new decision replaces any previous decision.
        """
        question = _question(self.study(study, may=Action.DECIDE), ref)
        sent = self.validated(DecisionDraft)
        if sent["keep_both"]:
            decision = keep_both(question.pk, user=self.user, note=sent["note"])
        else:
            decision = decide(question.pk, sent["value"], user=self.user, note=sent["note"])
        return Response(DecisionShape(decision).data)

    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, ref: str) -> Response:
        """Withdraw the decision on a question, if any."""
        withdraw(_question(self.study(study, may=Action.DECIDE), ref).pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class UndoView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="decisions_undo",
        request=None,
        responses={200: DecisionShape, 204: None, **ERRORS},
    )
    def post(self, request: Request, study: str, ref: str) -> Response:
        """Undo the latest decision on a question. If the latest decision replaced an earlier one, the earlier decision
        is restored with its reason and author, and is returned. If there was no earlier decision, the question has no
        decision again.
        """
        restored = undo(_question(self.study(study, may=Action.DECIDE), ref).pk, user=self.user)
        if restored is None:
            return Response(status=status.HTTP_204_NO_CONTENT)
        return Response(DecisionShape(restored).data)


def _question(study: Study, ref: str) -> Question:
    question = study.questions.filter(ref=ref).first()
    if question is None:
        raise Http404
    return question


class QuestionsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="questions_list",
        parameters=[*PAGING, QuestionFilterShape],
        responses={200: pages_of(QuestionShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's questions, with the same filters and sort orders as the console. Without a filter, the
        list contains all kinds of questions in design order. Gold questions include their expected answers.
        """
        listed = self.study(study)
        parameters = validated(QuestionFilterShape(data=request.query_params))
        wanted = QuestionFilter(**{"kind": "", **parameters})
        if wanted.needs_figures:
            current_figures(listed)
        return self.page(filtered_questions(listed, wanted), QuestionShape, lambda keys: in_order(listed, keys))


def in_order(study: Study, keys: Sequence[int]) -> list[Question]:
    """Return the questions with these primary keys, in the same order."""
    questions = study.questions.in_bulk(keys)
    return [questions[key] for key in keys if key in questions]
