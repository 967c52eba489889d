"""API operations that add items to the design of a study that has been opened."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.data.selectors.extension import file_ids, items_to_add
from annotate.data.services.extension import undo_extension
from annotate.data.services.extension_plans import current_plan
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
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
        job = request_job(self.study(study, may=Action.ADD_ITEMS), "extension", user=self.user)
        return Response(JobShape(job).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(tags=["studies"], responses={200: RemovedQuestions, **ERRORS})
    def delete(self, request: Request, study: str) -> Response:
        """Remove the most recently added questions, unless an annotator has started one of their HITs (status 409,
        `claimed`). The items stay imported.
        """
        removed = undo_extension(self.study(study, may=Action.ADD_ITEMS).pk, user=self.user)
        return Response({"removed": removed})
