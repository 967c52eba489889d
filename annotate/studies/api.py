"""The API for members, invitations, copies and jobs of a study."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.jobs import action_of, request_job
from annotate.core.services.writing import write
from annotate.core.setting_steps import BY_SLUG
from annotate.models import Consent, Invitation, Job, Membership, Study, User
from annotate.server.refusals import Refused, existing
from annotate.studies.services.copies import copy_study
from annotate.studies.services.members import change_role, deliver, invite, remove_member, shown_link, withdraw
from annotate.studies.services.settings import LISTS, SETTINGS, setting_field
from annotate.studies.services.settings_import import import_settings
from annotate.studies.services.study import unarchive_study
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape
from annotate.web.api.typed import OptionsField


class JobsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="jobs_list",
        parameters=PAGING,
        responses={200: pages_of(JobShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return jobs, newest first."""
        return self.page(self.study(study).jobs.select_related("report").order_by("-pk"), JobShape)


class JobView(ResearchView):
    @extend_schema(tags=["results"], responses={200: JobShape, **ERRORS})
    def get(self, request: Request, study: str, job: str) -> Response:
        """Return a job with its progress."""
        return Response(JobShape(_job(self.study(study), job)).data)


class JobAgainView(ResearchView):
    @extend_schema(tags=["results"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str, job: str) -> Response:
        """Restart a failed job as a new job. Your role must allow the action that the job performs."""
        failed = _job(self.study(study), job)
        action, parameters = action_of(failed), dict(failed.parameters)
        if failed.state != Job.State.FAILED or action is None:
            raise Refused("not-failed", "Only a failed job can be restarted.")
        owner = self.study(study, may=action)
        return self.started(request_job(owner, parameters.pop("work"), parameters=parameters, user=self.user))


def _job(study: Study, public_id: str) -> Job:
    return existing(
        study.jobs.select_related("report").filter(public_id=public_id).first(), "This study has no job with this ID."
    )


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
    return existing(
        User.objects.filter(memberships__study=study, public_id=public_id).first(),
        "This study has no member with this ID.",
    )


SETTING_FIELDS = sorted(SETTINGS - {"title"})
LINKED = {
    name: {
        "required": False,
        "help_text": f"IDs of studies that have the same owner. {setting_field(name).help_text}",
    }
    for name in LISTS
}
PAYS_STOPPED = (
    "Whether the consent text promises to pay stopped annotators for the HIT in progress. `null` means that the text "
    "does not mention this case."
)

NAMES_ACTIVITY = "Whether the consent text states that the study collects activity summaries."


class StudyShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id", read_only=True)
    options = OptionsField(read_only=True, help_text="The task type's options.")
    join_token = serializers.SerializerMethodField(
        help_text="The token in the link for annotators. The token is `null` if your role cannot invite annotators, or "
        "if the request's token is read-only."
    )
    consent = serializers.SerializerMethodField(help_text="The current consent text.")
    consent_pays_stopped = serializers.SerializerMethodField(help_text=PAYS_STOPPED)
    consent_names_activity = serializers.SerializerMethodField(help_text=NAMES_ACTIVITY)

    class Meta:
        model = Study
        fields = [
            "id",
            "title",
            "task_type",
            "state",
            "created_at",
            "opened_at",
            "join_token",
            "options",
            "consent",
            "consent_pays_stopped",
            "consent_names_activity",
            "guidelines_version",
            *SETTING_FIELDS,
        ]
        read_only_fields = fields

    def get_join_token(self, study: Study) -> str | None:
        return study.join_token if self.context["view"].can_invite(study) else None

    def get_consent(self, study: Study) -> str:
        consent = _latest_consent(study)
        return consent.text if consent else ""

    def get_consent_pays_stopped(self, study: Study) -> bool | None:
        consent = _latest_consent(study)
        return consent.pays_stopped if consent else None

    def get_consent_names_activity(self, study: Study) -> bool:
        consent = _latest_consent(study)
        return consent is not None and consent.names_activity


def _latest_consent(study: Study) -> Consent | None:
    """Return the latest version of the consent text, using the prefetched versions."""
    versions = list(study.consents.all())
    return versions[-1] if versions else None


class StudyChange(serializers.ModelSerializer):
    """The settings to change. Settings that are missing from the request keep their values."""

    options = OptionsField(required=False, help_text="The task type's options.")
    consent = serializers.CharField(required=False, allow_blank=True, help_text="A new version of the consent text.")
    consent_pays_stopped = serializers.BooleanField(required=False, allow_null=True, help_text=PAYS_STOPPED)
    consent_names_activity = serializers.BooleanField(required=False, help_text=NAMES_ACTIVITY)

    class Meta:
        model = Study
        fields = ["title", "options", "consent", "consent_pays_stopped", "consent_names_activity", *SETTING_FIELDS]
        extra_kwargs = {name: {"required": False} for name in ["title", *SETTING_FIELDS]} | LINKED


# The example is empty, because the example of a study admits anyone with the link.
@extend_schema_field({"type": "array", "items": {"type": "string", "maxLength": 80}, "example": []})
class AnnotatorNames(serializers.ListField):
    child = serializers.CharField(max_length=80)


class StudyDraft(StudyChange):
    annotators = AnnotatorNames(
        required=False,
        help_text="Names of the annotators in a small team. Only these annotators can join, each through a personal "
        "link. By default, the study has no gold questions, and you are its contact.",
    )

    class Meta(StudyChange.Meta):
        fields = ["task_type", "annotators", *StudyChange.Meta.fields]
        extra_kwargs = {name: {"required": False} for name in SETTING_FIELDS} | LINKED


class StateShape(serializers.Serializer):
    state = serializers.ChoiceField(["open", "paused", "closed", "archived"])


class CopyRequest(serializers.Serializer):
    title = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="The default is “Copy of …”.")
    items = serializers.BooleanField(default=True)
    gold = serializers.BooleanField(
        default=True,
        help_text="Also copy gold and practice questions. If the items are not copied, no questions are copied.",
    )
    members = serializers.BooleanField(default=False, help_text="Also copy the other members, with their roles.")


class CopyShape(serializers.Serializer):
    study = StudyShape()
    job = JobShape(allow_null=True, help_text="The job that copies the items, or `null` if no items are copied.")


class SettingsImportRequest(serializers.Serializer):
    from_study = serializers.CharField(help_text="ID of a study with the same task type that you manage.")
    steps = serializers.ListField(
        child=serializers.ChoiceField(choices=list(BY_SLUG)),
        allow_empty=False,
        help_text="Groups of settings to import. The possible values are the names of the settings pages in the "
        "console.",
    )


class SettingsImportShape(serializers.Serializer):
    changed = serializers.ListField(child=serializers.CharField(), help_text="Names of the changed settings.")
    locked = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of settings whose new values were not applied, because the study has already been opened.",
    )


class CopiesView(ResearchView):
    creates_study = True

    @extend_schema(
        tags=["studies"],
        parameters=[IDEMPOTENCY_KEY],
        request=CopyRequest,
        responses={201: CopyShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Copy a study's settings (except deadlines), consent text, groups and questionnaires to a new draft. You
        become the owner of the draft.

        A background job copies the items and the gold questions.
        """
        source = self.study(study, may=Action.COPY)
        wanted = self.validated(CopyRequest)

        def copy() -> Response:
            job = None
            with write():
                copied = copy_study(source.pk, user=self.user, title=wanted["title"], members=wanted["members"])
                if wanted["items"]:
                    contents = {"source": source.public_id, "gold": wanted["gold"]}
                    job = request_job(copied, "copy", parameters=contents, user=self.user)
            body = {
                "study": StudyShape(copied, context=self.context).data,
                "job": job and JobShape(job).data,
            }
            return Response(body, status=status.HTTP_201_CREATED)

        return self.run_once(copy)


class SettingsImportView(ResearchView):
    @extend_schema(
        tags=["studies"],
        request=SettingsImportRequest,
        responses={200: SettingsImportShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Import settings from another study with the same task type. The title, the random seed and the deadlines do
        not change.

        Settings that existing answers depend on do not change after the study has been opened. The response lists
        these settings under `locked`.
        """
        target = self.study(study, may=Action.CHANGE_SETTINGS)
        wanted = self.validated(SettingsImportRequest)
        source = self.study(wanted["from_study"], may=Action.COPY)
        result = import_settings(target.pk, source.pk, wanted["steps"], user=self.user)
        return Response({"changed": result.changed, "locked": result.locked})


class UnarchiveView(ResearchView):
    @extend_schema(tags=["studies"], request=None, responses={200: StudyShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Unarchive a study. The study returns to its previous state, which is draft or closed."""
        archived = self.study(study, may=Action.UNARCHIVE)
        return Response(StudyShape(unarchive_study(archived.pk, user=self.user), context=self.context).data)
