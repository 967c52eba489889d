"""The API for programs that join a study as annotators, and for try-outs."""

from __future__ import annotations

from datetime import timedelta

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate import clock
from annotate.permissions import Action
from annotate.services.credentials import TOKEN_SECONDS, participation_token
from annotate.services.join import start_tryout
from annotate.services.programs import PLATFORMS, add_program

from .annotation_shapes import ERRORS
from .research import ResearchView


class ProgramDraft(serializers.Serializer):
    platform = serializers.ChoiceField(
        list(PLATFORMS),
        help_text="`system` for a system that you are evaluating, or `simulated` for an annotator simulated by a "
        "script.",
    )
    name = serializers.CharField(
        max_length=200,
        help_text="Name of the program, such as a model name with its version. A program that joins again under the "
        "same name continues its earlier work.",
    )


class ProgramShape(serializers.Serializer):
    pseudonym = serializers.CharField()
    platform = serializers.ChoiceField(list(PLATFORMS))
    name = serializers.CharField()
    token = serializers.CharField(
        help_text="The token for the annotation endpoints, in the header `Authorization: Participation <token>`."
    )
    token_expires_at = serializers.DateTimeField(help_text="Time at which the token expires. Add the program again.")


class TryOutShape(serializers.Serializer):
    token = serializers.CharField(help_text="The token for the annotation endpoints.")
    token_expires_at = serializers.DateTimeField(help_text="Time at which the token expires.")


class ProgramsView(ResearchView):
    # The endpoint does not accept an Idempotency-Key, because the stored response would contain the token. A repeated
    # request with the same name adds nothing and returns a new token.
    @extend_schema(tags=["programs"], request=ProgramDraft, responses={201: ProgramShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Add a program to an open study as an annotator, and return its token for the annotation endpoints. A
        program's answers never count, and programs are not paid.
        """
        target = self.study(study, may=Action.ADD_PROGRAMS)
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


class TryOutsView(ResearchView):
    @extend_schema(tags=["programs"], request=None, responses={201: TryOutShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Start a try-out, in which you answer the study's HITs like an annotator, even before the study is open. The
        answers never count.
        """
        participation = start_tryout(self.study(study, may=Action.TRY_OUT), user=self.user)
        expires_at = clock.now() + timedelta(seconds=TOKEN_SECONDS)
        body = {"token": participation_token(participation), "token_expires_at": expires_at}
        return Response(TryOutShape(body).data, status=status.HTTP_201_CREATED)
