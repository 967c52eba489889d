"""The check that the proxy makes before it reads a large upload."""

from __future__ import annotations

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

    def get(self, request: Request) -> Response:
        return Response(status=status.HTTP_204_NO_CONTENT)
