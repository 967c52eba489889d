"""The API operation that adds one more judgement to each selected question, or returns the price of doing so."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.questions.selectors.supply import (
    Scope,
    chosen_questions,
    disputed_questions,
    price_for_all,
    price_for_questions,
)
from annotate.questions.services.refresh import current_figures
from annotate.questions.services.supply import add_to_all, add_to_questions
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, ResearchView


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
    dry_run = serializers.BooleanField(default=False, help_text="Return the price without adding judgements.")


class JudgementsShape(serializers.Serializer):
    questions = serializers.IntegerField(help_text="Number of questions that get one more judgement.")
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
        """Add one more judgement to every question, every disputed question or every chosen question, and return the
        price. With `dry_run`, nothing changes.
        """
        owner = self.study(study, may=Action.ADD_JUDGEMENTS)
        wanted = self.validated(JudgementsDraft)

        def add() -> Response:
            if wanted["scope"] == Scope.ALL:
                price = price_for_all(owner)
                if not wanted["dry_run"]:
                    add_to_all(owner.pk, user=self.user)
                return Response(JudgementsShape(price).data)
            if wanted["scope"] == Scope.DISPUTED:
                current_figures(owner)
                questions = disputed_questions(owner)
            else:
                questions = chosen_questions(owner, wanted["questions"], by="ref")
            if not wanted["dry_run"]:
                add_to_questions(owner.pk, questions, user=self.user)
            return Response(JudgementsShape(price_for_questions(owner, len(questions))).data)

        return self.once(add)
