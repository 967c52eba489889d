"""API operations that update the unopened questions of an open study."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action, refuse_state
from annotate.core.services.jobs import request_job
from annotate.data.selectors.unopened import unopened_counts
from annotate.data.services.unopened import refuse_without_unopened
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import JobShape


class UnopenedShape(serializers.Serializer):
    unopened = serializers.IntegerField(help_text="Number of regular questions that an update would change.")
    opened = serializers.IntegerField(help_text="Number of regular questions that would not change.")
    finished = serializers.IntegerField(
        help_text="Number of regular questions with a final decision or at least one answer that counts."
    )


class UnopenedView(ResearchView):
    @extend_schema(tags=["studies"], operation_id="unopened_questions", responses={200: UnopenedShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the number of questions that an update would change, and the number that it would not change. Nothing
        changes.
        """
        updated = self.study(study, may=Action.UPDATE_UNOPENED)
        refuse_state(updated, Action.UPDATE_UNOPENED)
        refuse_without_unopened(updated)
        return Response(UnopenedShape(asdict(unopened_counts(updated))).data)

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
        updated = self.study(study, may=Action.UPDATE_UNOPENED)
        refuse_state(updated, Action.UPDATE_UNOPENED)
        refuse_without_unopened(updated)
        job = request_job(updated, "unopened", user=self.user)
        return Response(JobShape(job).data, status=status.HTTP_202_ACCEPTED)
