"""The API for preregistrations."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.questions.selectors.data import preregistrations
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from reporting.preregistration.registrations import LONGEST, freeze
from reporting.preregistration.template import FIELDS

NAMES = ", ".join(f"`{field.name}`" for field in FIELDS)


class PreregistrationDraft(serializers.Serializer):
    # `fields` is an attribute of serializers.
    texts = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST, allow_blank=True),
        help_text=f"Texts by field of the template: {NAMES}. Other fields get the text that follows from the settings.",
    )


class PreregistrationShape(serializers.Serializer):
    version = serializers.IntegerField()
    at = serializers.DateTimeField(help_text="When the preregistration was frozen.")
    sha256 = serializers.CharField(help_text="Checksum of the JSON file.")
    document = serializers.DictField(help_text="The frozen document, with its texts in `fields`.")


class PreregistrationsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="preregistrations_list",
        responses={200: PreregistrationShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's preregistrations, oldest first."""
        return Response(PreregistrationShape(preregistrations(self.study(study)), many=True).data)

    @extend_schema(tags=["studies"], request=PreregistrationDraft, responses={201: PreregistrationShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Freeze a preregistration. It cannot be changed, but later versions can be frozen."""
        found = self.study(study, may=Action.MANAGE)
        freeze(found.pk, self.validated(PreregistrationDraft)["texts"], user=self.user)
        return Response(PreregistrationShape(preregistrations(found)[-1]).data, status=201)
