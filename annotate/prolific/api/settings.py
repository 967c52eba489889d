"""The API for a study's Prolific settings."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.selectors.limits import prolific_settings
from annotate.models import Outcome, ProlificSettings
from annotate.prolific.selectors.settings import study_url
from annotate.prolific.services.settings import change_prolific
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS


class ProlificChange(serializers.ModelSerializer):
    """The Prolific settings to change. Settings that are missing from the request keep their values."""

    codes = serializers.DictField(
        child=serializers.CharField(max_length=40, allow_blank=True),
        required=False,
        help_text="Completion codes by outcome. An empty string removes the code. The outcomes are: "
        f"{', '.join(Outcome.values)}.",
    )

    class Meta:
        model = ProlificSettings
        fields = [
            "hits_per_submission",
            "submissions_per_participant",
            "codes",
            "failed_gold",
            "screenout_reward",
            "needs_computer",
            "secured",
        ]


class ProlificShape(ProlificChange):
    url = serializers.SerializerMethodField(
        help_text="The URL to enter on Prolific. The URL is `null` if the request's token is read-only."
    )

    class Meta(ProlificChange.Meta):
        fields = ["url", *ProlificChange.Meta.fields]

    def to_representation(self, instance: ProlificSettings) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(instance)
        if self.context["view"].is_read_only:
            shown["codes"] = {}  # with a code, anyone can complete a submission
        return shown

    def get_url(self, stored: ProlificSettings) -> str | None:
        if self.context["view"].is_read_only:
            return None
        join_path = reverse("annotator:join", args=[stored.study.join_token])
        return study_url(self.context["request"].build_absolute_uri(join_path))


class ProlificView(ConditionalView):
    @extend_schema(tags=["studies"], responses={200: ProlificShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return a study's Prolific settings, with the URL to enter on Prolific."""
        return self._shown(prolific_settings(self.study(study, may=Action.CHANGE_SETTINGS)))

    @extend_schema(tags=["studies"], request=ProlificChange, responses={200: ProlificShape, **ERRORS})
    def patch(self, request: Request, study: str) -> Response:
        """Change a study's Prolific settings."""
        pk = self.study(study, may=Action.CHANGE_SETTINGS).pk
        wanted: dict[str, Any] = self.validated(ProlificChange, partial=True)
        return self._shown(change_prolific(pk, user=self.user, **wanted))

    def _shown(self, stored: ProlificSettings) -> Response:
        return Response(ProlificShape(stored, context=self.context).data)
