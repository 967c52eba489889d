"""The API for programs that join a study as annotators, and for their comparison with people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accord_core.numerics.alternative_annotator import EPSILONS, FEWEST_QUESTIONS
from annotate.core.permissions import Action
from annotate.core.services.credentials import TOKEN_SECONDS, participation_token
from annotate.core.services.jobs import request_job
from annotate.programs.selectors import comparisons, programs
from annotate.programs.services.comparison import refuse_without_programs
from annotate.programs.services.joining import PLATFORMS, add_program
from annotate.results.api import ReportShape
from annotate.server import clock
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import JobShape


@extend_schema_field({"type": "string", "enum": list(PLATFORMS)}, component_name="ProgramPlatformEnum")
class PlatformField(serializers.ChoiceField):
    """The platform of a program, with a name for the schema."""

    def __init__(self, **options: Any) -> None:
        super().__init__(list(PLATFORMS), **options)


class ProgramDraft(serializers.Serializer):
    platform = PlatformField(
        help_text="`system` for a system that you are evaluating, or `simulated` for an annotator that a script "
        "simulates.",
    )
    name = serializers.CharField(
        max_length=200,
        help_text="Name of the program, such as a model name with its version. A program that joins again under the "
        "same name continues its earlier work.",
    )


class ProgramShape(serializers.Serializer):
    pseudonym = serializers.CharField()
    platform = PlatformField()
    name = serializers.CharField()
    token = serializers.CharField(
        help_text="The token for the annotation endpoints, in the `Authorization: Participation <token>` header."
    )
    token_expires_at = serializers.DateTimeField(help_text="Time at which the token expires. Add the program again.")


class ProgramRow(serializers.Serializer):
    pseudonym = serializers.CharField()
    platform = PlatformField(source="annotator.platform")
    name = serializers.CharField(source="annotator.external_id")
    joined_at = serializers.DateTimeField()
    submitted_hits = serializers.IntegerField(source="submitted")


class ComparisonRequest(serializers.Serializer):
    epsilon = serializers.FloatField(
        default=EPSILONS["crowd"],
        min_value=0,
        max_value=0.99,
        help_text="The value ε of the alternative annotator test: 0.2 for experts, 0.15 for trained annotators, and "
        "0.1 for crowd workers.",
    )
    fewest_questions = serializers.IntegerField(
        default=FEWEST_QUESTIONS,
        min_value=2,
        max_value=100_000,
        help_text="Minimum number of questions per annotator in the alternative annotator test.",
    )


class ComparisonShape(serializers.Serializer):
    report = ReportShape(
        allow_null=True, help_text="The latest comparison, or `null` if programs have not been compared with people."
    )


class ProgramsView(ResearchView):
    # The endpoint does not accept an Idempotency-Key, because the stored response would contain the token. A repeated
    # request with the same name adds nothing and returns a new token.
    @extend_schema(tags=["programs"], request=ProgramDraft, responses={201: ProgramShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Add a program to an open study as an annotator, and return its token for the annotation endpoints. A
        program's answers never count, and programs are not paid.
        """
        target = self.study(study, may=Action.ADD_AUTOMATIC_ANNOTATORS)
        draft = self.validated(ProgramDraft)
        participation = add_program(target.pk, platform=draft["platform"], name=draft["name"], user=self.user)
        body = {
            "pseudonym": participation.pseudonym,
            "platform": participation.annotator.platform,
            "name": participation.annotator.external_id,
            "token": participation_token(participation),
            "token_expires_at": clock.now() + timedelta(seconds=TOKEN_SECONDS),
        }
        return Response(ProgramShape(body).data, status=status.HTTP_201_CREATED)

    @extend_schema(tags=["programs"], responses={200: ProgramRow(many=True), **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the study's programs, in the order of joining."""
        return Response(ProgramRow(programs(self.study(study)), many=True).data)


class ProgramComparisonView(ResearchView):
    @extend_schema(tags=["programs"], responses={200: ComparisonShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the latest comparison of programs with people: the agreement between people and programs, and the
        alternative annotator test.
        """
        return Response(ComparisonShape({"report": comparisons(self.study(study)).first()}).data)

    @extend_schema(tags=["programs"], request=ComparisonRequest, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Request a new comparison of programs with people. A job calculates it."""
        target = self.study(study, may=Action.CALCULATE_REPORTS)
        parameters = dict(self.validated(ComparisonRequest))
        refuse_without_programs(target)
        return self.started(request_job(target, "programs", parameters=parameters, user=self.user))
