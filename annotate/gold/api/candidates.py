"""The API for gold candidates and for excluding gold questions."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.gold.selectors.gold import CandidateRow, candidate_rows, candidates_of
from annotate.gold.services import MOST_AT_ONCE, draw_candidates, exclude_gold, judge_candidate, promote
from annotate.models import Question, Study
from annotate.server.refusals import existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import ReasonShape
from annotate.web.api.typed import AnswerField, PayloadField


class OtherAuthorShape(serializers.Serializer):
    user = serializers.CharField()
    words = serializers.CharField(help_text="The answer in words.")
    explanation = serializers.CharField(allow_blank=True)


class CandidateShape(serializers.Serializer):
    """A gold candidate. Other authors' answers are hidden until you have answered the candidate."""

    id = serializers.CharField(source="question.public_id")
    ref = serializers.CharField(source="question.ref")
    payload = PayloadField(source="question.payload")
    authors = serializers.IntegerField(help_text="Number of authors who have answered the candidate.")
    own = serializers.CharField(help_text="Your answer in words, or an empty string.")
    own_explanation = serializers.CharField(help_text="Your reason for the answer.")
    others = serializers.SerializerMethodField()
    agreed = serializers.BooleanField(
        help_text="Whether all authors agree. This value is false until you have answered the candidate."
    )

    @extend_schema_field(OtherAuthorShape(many=True, help_text="Other authors' answers."))
    def get_others(self, row: CandidateRow) -> list[dict[str, str]]:
        return [dict(zip(("user", "words", "explanation"), other, strict=True)) for other in row.others]


class DrawRequest(serializers.Serializer):
    count = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE, default=20)


class DrawnShape(serializers.Serializer):
    drawn = serializers.IntegerField(help_text="Number of new candidates.")


class CandidateAnswer(serializers.Serializer):
    value = AnswerField(help_text="The answer in the task type’s answer format, in payload order.")
    explanation = serializers.CharField(
        max_length=2_000,
        default="",
        allow_blank=True,
        help_text="The reason, which is shown to annotators who answer the question incorrectly.",
    )


class PromotionRequest(serializers.Serializer):
    authors = serializers.IntegerField(
        min_value=1, default=2, help_text="Minimum number of authors who must all agree."
    )


class PromotedShape(serializers.Serializer):
    promoted = serializers.IntegerField(help_text="Number of candidates that became gold questions.")


class ExcludedGoldShape(serializers.Serializer):
    annotators_to_review = serializers.IntegerField(
        help_text="Number of annotators stopped by the quality rule because of this question."
    )


class CandidatesView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="candidates_list",
        parameters=PAGING,
        responses={200: pages_of(CandidateShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the gold candidates, which become gold questions if their authors agree."""
        target = self.study(study)
        return self.page(
            candidates_of(target), CandidateShape, lambda candidates: candidate_rows(target, self.user, candidates)
        )

    @extend_schema(
        tags=["studies"], parameters=[IDEMPOTENCY_KEY], request=DrawRequest, responses={201: DrawnShape, **ERRORS}
    )
    def post(self, request: Request, study: str) -> Response:
        """Draw gold candidates at random. A candidate never duplicates a question in the study."""
        target = self.study(study, may=Action.DRAW_CANDIDATES)
        count = self.validated(DrawRequest)["count"]
        return self.create_once(lambda: {"drawn": len(draw_candidates(target.pk, count, user=self.user))})


class CandidateAnswerView(ResearchView):
    @extend_schema(tags=["studies"], request=CandidateAnswer, responses={200: CandidateShape, **ERRORS})
    def put(self, request: Request, study: str, question: str) -> Response:
        """Answer a gold candidate, or replace your earlier answer. The response contains the other authors' answers."""
        target = self.study(study, may=Action.ANSWER_CANDIDATES)
        candidate = _question(target, question)
        sent = self.validated(CandidateAnswer)
        judge_candidate(candidate.pk, sent["value"], user=self.user, explanation=sent["explanation"])
        [row] = candidate_rows(target, self.user, [candidate])
        return Response(CandidateShape(row).data)


class PromotionView(ResearchView):
    @extend_schema(tags=["studies"], request=PromotionRequest, responses={200: PromotedShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Turn candidates into gold questions if enough authors agree on them."""
        target = self.study(study, may=Action.PROMOTE_CANDIDATES)
        authors = self.validated(PromotionRequest)["authors"]
        keys = list(candidates_of(target).values_list("pk", flat=True))
        return Response({"promoted": promote(keys, study_id=target.pk, user=self.user, authors=authors)})


class GoldExclusionView(ResearchView):
    @extend_schema(tags=["studies"], request=ReasonShape, responses={200: ExcludedGoldShape, **ERRORS})
    def post(self, request: Request, study: str, question: str) -> Response:
        """Exclude a gold question whose expected answer is wrong. Annotators no longer get the question, and its
        grades no longer count. Stopped annotators are not restored.
        """
        target = _question(self.study(study, may=Action.EXCLUDE_GOLD), question)
        to_review = exclude_gold(target.pk, user=self.user, reason=self.validated(ReasonShape)["reason"])
        return Response({"annotators_to_review": len(to_review)})


def _question(study: Study, public_id: str) -> Question:
    return existing(study.questions.filter(public_id=public_id).first(), "This study has no question with this ID.")
