"""The API for the lists of people that a study excludes or admits."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accord_core.exchange.identities import LONGEST, Identity
from annotate.core.permissions import Action
from annotate.models import ListedPerson
from annotate.recruiting.selectors import people_lists
from annotate.recruiting.services.listed import MOST, add_to_list, clear_list
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView


class MatchShape(serializers.ModelSerializer):
    class Meta:
        model = ListedPerson
        fields = ["source", "line", "matched_at"]


class PeopleListShape(serializers.Serializer):
    list = serializers.ChoiceField(ListedPerson.Kind.values, source="kind")
    rows = serializers.IntegerField(help_text="Number of people on the list.")
    matched = MatchShape(many=True, help_text="Entries for people who joined or tried to join, latest first.")


class ListedShape(serializers.Serializer):
    people = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST),
        min_length=1,
        max_length=MOST,
        help_text="Prolific IDs or e-mail addresses.",
    )


class AddedShape(serializers.Serializer):
    added = serializers.IntegerField(help_text="Number of new rows.")
    repeated = serializers.IntegerField(help_text="Number of people who were already on the list.")
    annotators = serializers.ListField(
        child=serializers.CharField(), help_text="Pseudonyms of annotators on the list who have joined the study."
    )


class PeopleListsView(ResearchView):
    @extend_schema(tags=["results"], responses={200: PeopleListShape(many=True), **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the lists of excluded and admitted people. The response contains no IDs or addresses, because only
        keyed hashes of them are stored.
        """
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        return Response(PeopleListShape(people_lists(owner), many=True).data)


KIND = OpenApiParameter(
    "kind", str, OpenApiParameter.PATH, enum=ListedPerson.Kind.values, description="Kind of list: `exclude` or `admit`."
)


class PeopleListView(ResearchView):
    @extend_schema(tags=["results"], parameters=[KIND], request=ListedShape, responses={201: AddedShape, **ERRORS})
    def post(self, request: Request, study: str, kind: str) -> Response:
        """Add people to the list `exclude` or `admit`. Annotators who have already joined are not stopped."""
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        identities = [
            Identity(line, value) for line, value in enumerate(self.validated(ListedShape)["people"], start=1)
        ]
        added = add_to_list(owner.pk, kind, identities, user=self.user)
        return Response(AddedShape(added).data, status=status.HTTP_201_CREATED)

    @extend_schema(tags=["results"], parameters=[KIND], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, kind: str) -> Response:
        """Delete all people from a list."""
        clear_list(self.study(study, may=Action.NAME_ANNOTATORS).pk, kind, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
