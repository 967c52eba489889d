"""The API for annotator groups with their links, and for the waiting list."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.selectors.limits import free_places
from annotate.core.selectors.waiting import waiting_rows
from annotate.core.services.credentials import group_code
from annotate.models import AnnotatorGroup
from annotate.recruiting.selectors import groups_of
from annotate.recruiting.services.groups import (
    LONGEST,
    MOST_JUDGEMENTS,
    MOST_PLACES,
    add_group,
    revoke_group,
    set_population,
    set_quota,
)
from annotate.recruiting.services.waiting import remove_waiting
from annotate.server.refusals import existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of


class GroupShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    link = serializers.SerializerMethodField(
        help_text="The link for the group. The link is `null` if it was revoked, or if the request's token is "
        "read-only."
    )
    joined = serializers.IntegerField(help_text="Number of annotators who have joined the group.")
    taken = serializers.IntegerField(help_text="Number of places taken.")
    given = serializers.IntegerField(help_text="Number of judgements from the group that count.")
    planned = serializers.IntegerField(
        help_text="Number of judgements that the quota of the group requires for all questions. 0 without a quota."
    )

    class Meta:
        model = AnnotatorGroup
        fields = [
            *("id", "name", "places", "joined", "taken", "judgements", "given", "planned", "population"),
            *("link", "created_at", "revoked_at"),
        ]

    def get_link(self, group: AnnotatorGroup) -> str | None:
        if self.context["view"].is_read_only or group.revoked_at:
            return None
        path = reverse("annotator:group", args=[group.study.join_token, group_code(group.public_id)])
        return str(self.context["request"].build_absolute_uri(path))


class GroupDraft(serializers.Serializer):
    name = serializers.CharField(max_length=LONGEST)
    places = serializers.IntegerField(
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
        allow_null=True,
        default=None,
        help_text="Maximum number of people who can join through the link. `null` means no limit.",
    )
    judgements = serializers.IntegerField(
        min_value=1,
        max_value=MOST_JUDGEMENTS,
        required=False,
        allow_null=True,
        default=None,
        help_text="Quota: the exact number of judgements that the group gives to each question. If any group has a "
        "quota, only annotators in groups with a quota can take part.",
    )


class GroupChange(serializers.Serializer):
    judgements = serializers.IntegerField(
        min_value=1,
        max_value=MOST_JUDGEMENTS,
        required=False,
        allow_null=True,
        help_text="The new quota. `null` removes the quota.",
    )
    population = serializers.FloatField(
        required=False,
        allow_null=True,
        help_text="The group's size or share in the population, in the same unit for all groups. `null` removes it.",
    )


class GroupListView(ResearchView):
    @extend_schema(
        tags=["results"], operation_id="groups_list", parameters=PAGING, responses={200: pages_of(GroupShape), **ERRORS}
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the annotator groups with their links."""
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        return self.page(groups_of(owner).select_related("study"), GroupShape)

    # The endpoint does not accept an Idempotency-Key, because the stored response would contain the link. A repeated
    # request is rejected, because names must be unique.
    @extend_schema(tags=["results"], request=GroupDraft, responses={201: GroupShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Add a group. People who join through its link become members of the group."""
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        added = add_group(owner.pk, user=self.user, **self.validated(GroupDraft))
        shape = GroupShape(groups_of(owner).get(pk=added.pk), context=self.context)
        return Response(shape.data, status=status.HTTP_201_CREATED)


class GroupView(ResearchView):
    @extend_schema(tags=["results"], request=GroupChange, responses={200: GroupShape, **ERRORS})
    def patch(self, request: Request, study: str, group: str) -> Response:
        """Change the quota of a group in a draft, or the group's share of the population. Build the design again after
        a change of the quota.
        """
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        changes = self.validated(GroupChange)
        if "judgements" in changes:
            set_quota(owner.pk, group, changes["judgements"], user=self.user)
        if "population" in changes:
            set_population(owner.pk, group, changes["population"], user=self.user)
        stored = existing(groups_of(owner).filter(public_id=group).first(), "This study has no group with this ID.")
        return Response(GroupShape(stored, context=self.context).data)

    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, group: str) -> Response:
        """Revoke the link for a group. Annotators in the group can continue."""
        revoke_group(self.study(study, may=Action.NAME_ANNOTATORS).pk, group, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


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
