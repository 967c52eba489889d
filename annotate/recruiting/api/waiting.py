"""The API for a study's waiting list."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.selectors.limits import free_places
from annotate.core.selectors.waiting import waiting_rows
from annotate.recruiting.services.waiting import remove_waiting
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of


class WaitingShape(serializers.Serializer):
    id = serializers.CharField(source="person.public_id")
    position = serializers.IntegerField()
    email = serializers.CharField(
        source="person.email", help_text="The address, or an empty string if there is none or it was deleted."
    )
    created_at = serializers.DateTimeField(source="person.created_at")
    may_join = serializers.BooleanField(help_text="Whether a place is free for the person.")
    offer_ends_at = serializers.DateTimeField(
        allow_null=True, help_text="The time until which the person can use the offered place."
    )


class WaitingListView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="waiting_list",
        parameters=PAGING,
        responses={200: pages_of(WaitingShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the people on the waiting list, in order."""
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        return self.page(waiting_rows(owner, free_places(owner) or 0), WaitingShape)


class WaitingPersonView(ResearchView):
    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, person: str) -> Response:
        """Remove a person from the waiting list."""
        remove_waiting(self.study(study, may=Action.NAME_ANNOTATORS).pk, person, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
