"""The API for decisions on questions to which annotators gave different answers."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Decision, Question, Study
from annotate.questions.api.answers_shapes import AdjudicationShape, DecisionDraft, DecisionShape
from annotate.questions.selectors.adjudication import Queue, Show
from annotate.questions.services.decisions import decide, keep_both, undo, withdraw
from annotate.questions.services.refresh import current_figures
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of


class AdjudicationView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="adjudication_list",
        parameters=[
            *PAGING,
            OpenApiParameter("show", str, enum=[each.value for each in Show], description="Questions in the list."),
            OpenApiParameter("search", str, description="Text to search for in the question's ref, items or metadata."),
        ],
        responses={200: pages_of(AdjudicationShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the questions on which annotators disagree, starting with the lowest agreement. By default, the list
        contains only undecided questions.
        """
        target = self.study(study, may=Action.DECIDE)
        current_figures(target)
        queue = Queue(target, request.query_params.get("show", ""), request.query_params.get("search", ""))
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
