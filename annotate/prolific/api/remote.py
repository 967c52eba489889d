"""API operations that use Prolific's API. Background jobs perform these operations."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.prolific.services.remote import link_study, require_api
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import JobShape


class ProlificLinkShape(serializers.Serializer):
    prolific_id = serializers.CharField(max_length=64, help_text="Prolific's ID for the linked study.")


class DraftSizes(serializers.Serializer):
    minutes = serializers.IntegerField(min_value=1, max_value=1440, help_text="Estimated minutes per submission.")
    places = serializers.IntegerField(min_value=1, max_value=20_000, help_text="Number of participants.")


class LinkView(ResearchView):
    @extend_schema(tags=["prolific"], request=ProlificLinkShape, responses={200: ProlificLinkShape, **ERRORS})
    def put(self, request: Request, study: str) -> Response:
        """Store the ID of the linked study on Prolific, so that Accord can use Prolific's API."""
        target = self.study(study, may=Action.PAY)
        linked = link_study(target.pk, self.validated(ProlificLinkShape)["prolific_id"], user=self.user)
        return Response(ProlificLinkShape(linked).data)


class _JobView(ResearchView):
    def requested(self, study: str, kind: str, parameters: dict[str, Any] | None = None) -> Response:
        """Start a job, and return it with status 202."""
        target = self.study(study, may=Action.PAY)
        require_api(target)
        return self.started(request_job(target, kind, parameters=parameters, user=self.user))


class DraftView(_JobView):
    @extend_schema(tags=["prolific"], request=DraftSizes, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Create a draft of the study on Prolific, using a background job. The draft is not visible to participants."""
        self.study(study, may=Action.PAY)
        return self.requested(study, "prolific-draft", self.validated(DraftSizes))


class FetchView(_JobView):
    @extend_schema(tags=["prolific"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Import the submissions from Prolific, using a background job."""
        return self.requested(study, "prolific-submissions")


class ApproveView(_JobView):
    @extend_schema(tags=["prolific"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Approve all submissions whose next step is approval, using a background job."""
        return self.requested(study, "prolific-approvals")


class PayBonusListView(_JobView):
    @extend_schema(tags=["prolific"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Pay a bonus list on Prolific, using a background job. Accord sends the payment request at most once."""
        return self.requested(study, f"prolific-bonuses:{number}", {"number": number})
