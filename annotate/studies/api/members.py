"""The API for a study's members and their invitations."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Invitation, Membership, Study, User
from annotate.server.refusals import Refused
from annotate.studies.services.invitations import deliver, invite, shown_link, withdraw
from annotate.studies.services.members import change_role, remove_member
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of


class MemberShape(serializers.Serializer):
    id = serializers.CharField(source="user.public_id")
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class RoleShape(serializers.Serializer):
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class InvitationDraft(serializers.Serializer):
    email = serializers.EmailField()
    role = serializers.ChoiceField(
        choices=Membership.Role.choices,
        allow_blank=True,
        help_text="Role of the new member. Leave the role empty to invite an annotator to a study that requires "
        "accounts.",
    )


class InvitationShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    link = serializers.SerializerMethodField(
        help_text="The personal link, which you must send to the invited person. The link is `null` if Accord sends "
        "invitations by e-mail, if the invitation has expired, or if the request's token is read-only."
    )

    class Meta:
        model = Invitation
        fields = ["id", "email", "role", "created_at", "expires_at", "has_expired", "link"]
        read_only_fields = fields

    def get_link(self, invitation: Invitation) -> str | None:
        return None if self.context["view"].is_read_only else shown_link(invitation) or None


class MembersView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="members_list",
        parameters=PAGING,
        responses={200: pages_of(MemberShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the members of the study with their roles."""
        return self.page(self.study(study).memberships.select_related("user").order_by("pk"), MemberShape)


class MemberView(ResearchView):
    @extend_schema(tags=["studies"], request=RoleShape, responses={200: MemberShape, **ERRORS})
    def patch(self, request: Request, study: str, member: str) -> Response:
        """Change a member's role. Only owners can change roles, and a study always needs an owner."""
        owned = self.study(study, may=Action.CHANGE_MEMBERS)
        role = self.validated(RoleShape)["role"]
        return Response(
            MemberShape(change_role(owned.pk, member=_member(owned, member), role=role, user=self.user)).data
        )

    @extend_schema(tags=["studies"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, member: str) -> Response:
        """Remove a member from the study. The history continues to show the member's actions."""
        owned = self.study(study, may=Action.CHANGE_MEMBERS)
        remove_member(owned.pk, member=_member(owned, member), user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class InvitationsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="invitations_list",
        parameters=PAGING,
        responses={200: pages_of(InvitationShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the invitations that have not been accepted, including expired ones."""
        owned = self.study(study, may=Action.CHANGE_MEMBERS)
        return self.page(owned.invitations.pending().order_by("pk"), InvitationShape)

    # The endpoint does not accept an Idempotency-Key, because the stored response would contain the personal link. A
    # repeated request replaces the pending invitation for the same address.
    @extend_schema(tags=["studies"], request=InvitationDraft, responses={201: InvitationShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Invite a colleague by e-mail. If no mail server is configured, the response contains the personal link, which
        you must send to the invited person yourself. A new invitation replaces a pending invitation for the same
        address.
        """
        owned = self.study(study, may=Action.CHANGE_MEMBERS)
        invitation = invite(owned.pk, user=self.user, **self.validated(InvitationDraft))
        deliver(invitation)
        return Response(InvitationShape(invitation, context=self.context).data, status=status.HTTP_201_CREATED)


class InvitationView(ResearchView):
    @extend_schema(tags=["studies"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, invitation: str) -> Response:
        """Withdraw an invitation that has not been accepted yet. The link in the invitation no longer works."""
        owned = self.study(study, may=Action.CHANGE_MEMBERS)
        if not owned.invitations.pending().filter(public_id=invitation).exists():
            raise Refused("unknown", "This study has no pending invitation with this ID.", status=404)
        withdraw(owned.pk, invitation=invitation, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _member(study: Study, public_id: str) -> User:
    member = User.objects.filter(memberships__study=study, public_id=public_id).first()
    if member is None:
        raise Refused("unknown", "This study has no member with this ID.", status=404)
    return member
