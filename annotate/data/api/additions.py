"""API operations on the design of an open study: add items, add an adaptive round, and update unopened questions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action, refuse_state
from annotate.core.services.jobs import request_job
from annotate.data.selectors.additions import (
    MOST_QUESTIONS,
    file_ids,
    items_to_add,
    latest_plan,
    rounds_of,
    unopened_counts,
)
from annotate.data.services.extension import current_plan, undo_extension
from annotate.data.services.rounds import add_round, choose_round
from annotate.data.services.unopened import refuse_without_unopened
from annotate.models import Study
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, ResearchView
from annotate.web.api.shapes import JobShape


class ExtensionShape(serializers.Serializer):
    items = serializers.IntegerField(help_text="Number of items to add.")
    questions = serializers.IntegerField()
    hits = serializers.IntegerField()
    slots = serializers.IntegerField(help_text="Number of assignments offered for the additional HITs.")
    judgements = serializers.IntegerField()
    cost = serializers.DecimalField(max_digits=14, decimal_places=4, help_text="Rewards for all additional slots.")
    currency = serializers.CharField()
    files = serializers.ListField(child=serializers.CharField(), help_text="IDs of the uploads that contain the items.")


class PendingExtension(serializers.Serializer):
    items = serializers.IntegerField(help_text="Number of items to add.")
    job = JobShape(help_text="The job that calculates the size. Repeat the request after the job has finished.")


class RemovedQuestions(serializers.Serializer):
    removed = serializers.IntegerField(help_text="Number of questions removed from the design.")


class ExtensionView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="extension_plan",
        responses={200: ExtensionShape, 202: PendingExtension, **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the number of questions, HITs and slots that the newly imported items would add, and the cost.

        Nothing is added yet. A background job calculates the size for large studies, and for word
        alignment studies whose built-in aligner learns from finished alignments (status 202).
        """
        extended = self.study(study, may=Action.ADD_ITEMS)
        plan = current_plan(extended)
        if plan is None:
            job = request_job(extended, "extension-plan", user=self.user)
            body = {"items": items_to_add(extended), "job": JobShape(job).data}
            return Response(body, status=status.HTTP_202_ACCEPTED)
        cost = plan["slots"] * extended.reward
        added = {"files": file_ids(extended), "cost": cost, "currency": extended.currency}
        return Response(ExtensionShape(plan | added).data)

    @extend_schema(tags=["studies"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Add questions, HITs and slots for items that were imported after the study was opened. A background job adds
        the questions. Existing questions remain unchanged.
        """
        return self.started(request_job(self.study(study, may=Action.ADD_ITEMS), "extension", user=self.user))

    @extend_schema(tags=["studies"], responses={200: RemovedQuestions, **ERRORS})
    def delete(self, request: Request, study: str) -> Response:
        """Remove the most recently added questions, unless an annotator has started one of their HITs (status 409,
        `claimed`). The items stay imported.
        """
        removed = undo_extension(self.study(study, may=Action.ADD_ITEMS).pk, user=self.user)
        return Response({"removed": removed})


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
    """The next round, whose questions have been chosen but not yet added."""

    report = serializers.IntegerField(help_text="Number of the report used to choose the questions.")
    number = serializers.IntegerField(help_text="Number that the round gets when it is added.")
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

        return self.run_once(add)


class RoundPlanView(ResearchView):
    @extend_schema(tags=["studies"], request=RoundDraft, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Choose the questions of the next adaptive round from the answers so far. A background job chooses them, and
        nothing is added to the study.
        """
        owner = self.study(study, may=Action.ADD_JUDGEMENTS)
        return self.started(choose_round(owner, self.validated(RoundDraft)["questions"], user=self.user))


class UnopenedShape(serializers.Serializer):
    unopened = serializers.IntegerField(help_text="Number of regular questions that an update would change.")
    opened = serializers.IntegerField(help_text="Number of regular questions that would not change.")
    finished = serializers.IntegerField(
        help_text="Number of regular questions with a final decision or at least one answer that counts."
    )


class UnopenedView(ResearchView):
    @extend_schema(tags=["studies"], operation_id="unopened_questions", responses={200: UnopenedShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the numbers of questions that an update would change and would not change. Nothing changes."""
        return Response(UnopenedShape(asdict(unopened_counts(self.updatable(study)))).data)

    @extend_schema(
        tags=["studies"],
        operation_id="update_unopened_questions",
        request=None,
        responses={202: JobShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Update the questions that no annotator has opened. In a word alignment study, the built-in aligner learns
        from the finished pairs and suggests new initial links. A background job updates the questions. Questions that
        have been opened do not change.
        """
        return self.started(request_job(self.updatable(study), "unopened", user=self.user))

    def updatable(self, study: str) -> Study:
        """Return the study. Raise `Refused` if it has no unopened questions that can be updated."""
        updated = self.study(study, may=Action.UPDATE_UNOPENED)
        refuse_state(updated, Action.UPDATE_UNOPENED)
        refuse_without_unopened(updated)
        return updated
