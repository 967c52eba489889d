"""Serializers for studies, their settings and copies."""

from __future__ import annotations

from rest_framework import serializers

from annotate.core.setting_steps import BY_SLUG
from annotate.models import Consent, Study
from annotate.studies.services.settings import SETTINGS
from annotate.web.api.shapes import JobShape
from annotate.web.api.typed import OptionsField

SETTING_FIELDS = sorted(SETTINGS - {"title"})
PAYS_STOPPED = (
    "Whether the consent text promises payment for the HIT that is open when an annotator is stopped. "
    "`null` means that the text does not mention this case."
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
        extra_kwargs = {name: {"required": False} for name in ["title", *SETTING_FIELDS]}


class StudyDraft(StudyChange):
    class Meta(StudyChange.Meta):
        fields = ["task_type", *StudyChange.Meta.fields]
        extra_kwargs = {name: {"required": False} for name in SETTING_FIELDS}


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
    from_study = serializers.CharField(help_text="ID of a study that you manage and that has the same task type.")
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
