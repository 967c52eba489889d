"""The format of all API errors: {"code", "message", "fields": {path: [messages]}}."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler

from annotate.server import metrics, outages
from annotate.server.refusals import Refused
from annotate.server.unavailable import BODY, RETRY_AFTER, is_unavailable


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to a request error. For any other error, return None, so that Django returns status 500.

    Django REST framework calls this function as its exception handler.
    """
    if isinstance(error, Refused):
        metrics.REFUSALS.labels(error.code).inc()
        body = {"code": error.code, "message": error.message, "fields": error.fields}
        return Response(body, status=error.status)
    if isinstance(error, RequestDataTooBig):
        message = _("The request is larger than the limit. Send large files as multipart forms.")
        return Response({"code": "too-large", "message": message, "fields": {}}, status=413)
    if is_unavailable(error):
        outages.database.failed(error)
        return Response(BODY, status=503, headers={"Retry-After": str(RETRY_AFTER)})
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    response = exception_handler(error, context)
    if response is None or not isinstance(error, exceptions.APIException):
        return response
    fields = _by_path(error.detail) if isinstance(error, exceptions.ValidationError) else {}
    code = "invalid" if fields else str(getattr(error, "default_code", "error"))
    response.data = {"code": code, "message": _sentence(fields) or str(error.detail), "fields": fields}
    return response


class UnknownView(APIView):
    """The endpoint for unknown API paths. This endpoint returns status 404 as JSON. Without this endpoint, Django would
    return an HTML page for an unknown path.
    """

    schema = None
    authentication_classes = ()
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise exceptions.NotFound


def _by_path(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Convert the nested error details of Django REST framework into a mapping from paths, such as `answers.2.value`,
    to messages.
    """
    if isinstance(detail, dict):
        items = ((f"{path}.{name}" if path else str(name), part) for name, part in detail.items())
        return {where: text for name, part in items for where, text in _by_path(part, name).items()}
    if isinstance(detail, list) and any(isinstance(part, dict | list) for part in detail):
        numbered = ((f"{path}.{number}" if path else str(number), part) for number, part in enumerate(detail))
        return {where: text for name, part in numbered if part for where, text in _by_path(part, name).items()}
    texts = [str(part) for part in (detail if isinstance(detail, list) else [detail])]
    return {path or "request": texts}


def _sentence(fields: dict[str, list[str]]) -> str:
    return " ".join(f"{path}: {' '.join(texts)}" for path, texts in fields.items())
