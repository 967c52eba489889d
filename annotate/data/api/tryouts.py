"""The API operation that starts a try-out."""

from __future__ import annotations

from datetime import timedelta

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.credentials import TOKEN_SECONDS, participation_token
from annotate.recruiting.services.join import start_tryout
from annotate.server import clock
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView


class TryOutShape(serializers.Serializer):
    token = serializers.CharField(help_text="The token for the annotation endpoints.")
    token_expires_at = serializers.DateTimeField(help_text="Time at which the token expires.")


class TryOutsView(ResearchView):
    @extend_schema(tags=["studies"], request=None, responses={201: TryOutShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Start a try-out, in which you answer the study's HITs like an annotator, even before the study is open. The
        answers never count.
        """
        participation = start_tryout(self.study(study, may=Action.TRY_OUT), user=self.user)
        expires_at = clock.now() + timedelta(seconds=TOKEN_SECONDS)
        body = {"token": participation_token(participation), "token_expires_at": expires_at}
        return Response(TryOutShape(body).data, status=status.HTTP_201_CREATED)
