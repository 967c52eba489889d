"""The API operations on adaptive rounds: list the rounds, choose the questions of the next round, and add them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.data.selectors.rounds import MOST_QUESTIONS, latest_plan, rounds_of
from annotate.data.services.rounds import add_round, choose_round
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, ResearchView
from annotate.web.api.shapes import JobShape


class RoundShape(serializers.Serializer):
    """An adaptive round that was added to the study."""

    number = serializers.IntegerField()
    report = serializers.IntegerField(help_text="Number of the report of kind `round` that chose the questions.")
    questions = serializers.IntegerField()
    first_hit = serializers.IntegerField()
    last_hit = serializers.IntegerField()
    judgements = serializers.IntegerField(help_text="Number of judgements of the round that count.")
    created_at = serializers.DateTimeField()


class RoundPlanShape(serializers.Serializer):
    """The next round, which was chosen but not added."""

    report = serializers.IntegerField(help_text="Number of the report used to choose the questions.")
    number = serializers.IntegerField(help_text="Number that the round would get.")
    questions = serializers.IntegerField(
        help_text="Number of new questions, or of questions that get additional judgements."
    )
    hits = serializers.IntegerField()
    assignments = serializers.IntegerField(help_text="Number of assignments of these HITs.")
    cost = serializers.DecimalField(max_digits=20, decimal_places=4, help_text="The rewards, without platform fees.")
    reason = serializers.CharField(
        help_text="The reason why no questions were chosen. The text is empty if questions were chosen."
    )
    outdated = serializers.BooleanField(
        help_text="Whether the study has new questions since the round was chosen, so that it cannot be added."
    )
    judgements = serializers.IntegerField(help_text="The questions were chosen based on this number of judgements.")
    created_at = serializers.DateTimeField()


class RoundsShape(serializers.Serializer):
    rounds = RoundShape(many=True)
    next = RoundPlanShape(allow_null=True)


class RoundDraft(serializers.Serializer):
    """The size of the next round."""

    questions = serializers.IntegerField(min_value=1, max_value=MOST_QUESTIONS)


class ChosenRound(serializers.Serializer):
    """The report with the chosen questions."""

    report = serializers.IntegerField(min_value=1, help_text="Number of the report of kind `round`.")


class RoundsView(ResearchView):
    @extend_schema(tags=["studies"], responses={200: RoundsShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the adaptive rounds of the study, and the chosen round that was not added yet."""
        owner = self.study(study, may=Action.ADD_JUDGEMENTS)
        body: dict[str, Any] = {"rounds": rounds_of(owner), "next": latest_plan(owner)}
        return Response(RoundsShape(body).data)

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=ChosenRound,
        responses={201: RoundShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Add the questions of a chosen round to the study, with new HITs after all others."""
        owner = self.study(study, may=Action.ADD_JUDGEMENTS)
        chosen = self.validated(ChosenRound)

        def add() -> Response:
            added = add_round(owner.pk, chosen["report"], user=self.user)
            row = next(each for each in rounds_of(owner) if each.number == added.number)
            return Response(RoundShape(row).data, status=status.HTTP_201_CREATED)

        return self.once(add)


class RoundPlanView(ResearchView):
    @extend_schema(tags=["studies"], request=RoundDraft, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Choose the questions of the next adaptive round from the answers so far. A background job chooses them, and
        nothing is added to the study.
        """
        owner = self.study(study, may=Action.ADD_JUDGEMENTS)
        job = choose_round(owner, self.validated(RoundDraft)["questions"], user=self.user)
        return Response(JobShape(job).data, status=status.HTTP_202_ACCEPTED)
