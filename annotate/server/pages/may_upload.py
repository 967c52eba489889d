"""The proxy's check before it reads a large upload."""

from __future__ import annotations

from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView


class MayUploadView(APIView):
    """Return status 204 to researchers with a session or an API token, and status 401 to all other clients.

    deploy/nginx/nginx.conf sends the headers of a request with a large body here, without the body. The request itself
    is checked again, for the rights that it needs.
    """

    schema = None

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Ignore the `Accept` header, which applies to the reply to the upload."""
        return super().perform_content_negotiation(request, force=True)

    def get(self, request: Request) -> Response:
        return Response(status=status.HTTP_204_NO_CONTENT)
