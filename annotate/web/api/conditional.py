"""Conditional writes: a change with `If-Match` is made only if the resource is still as the program read it."""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.services.locks import lock_study
from annotate.core.services.writing import write
from annotate.server.refusals import Refused

from .research import ResearchView

WRITES = ("PUT", "PATCH", "DELETE")
ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="Identifies this version of the resource. Send it as `If-Match` with a change.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` of the version that your program read. If the resource has changed since then, nothing is "
    "changed, and the response has status 412.",
)


class ConditionalView(ResearchView):
    """An endpoint for a resource that several people or programs can change. Responses to GET contain an `ETag`, and
    PUT, PATCH and DELETE accept it as `If-Match`.

    The check and the change are one transaction, which holds the lock on the study. Other changes to the study's
    settings therefore cannot happen in between.
    """

    conditional = True

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        for name, parameter in {"get": ETAG, "put": IF_MATCH, "patch": IF_MATCH, "delete": IF_MATCH}.items():
            if operation := cls.__dict__.get(name):
                extend_schema(parameters=[parameter])(operation)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        is_conditional = request.method in WRITES and "If-Match" in request.headers
        with write() if is_conditional else nullcontext():
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in WRITES and "If-Match" in request.headers:
            lock_study(self.study(kwargs["study"]).pk)
            current = etag(self.get(request, *args, **kwargs))  # type: ignore[attr-defined]
            # Compression makes a tag weak (`W/`), although it identifies the same version.
            wanted = [each.strip().removeprefix("W/") for each in request.headers["If-Match"].split(",")]
            if current is None or not {"*", current} & {*wanted}:
                message = "The resource has changed since your program read it, so nothing was changed. Read it again."
                raise Refused("changed", message, status=status.HTTP_412_PRECONDITION_FAILED)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if request.method in ("GET", "HEAD") and (tag := etag(response)):
            response["ETag"] = tag
        return super().finalize_response(request, response, *args, **kwargs)


def etag(response: Any) -> str | None:
    """Return the hash of a response's JSON as an entity tag, or None for any other response."""
    if not isinstance(response, Response) or response.status_code != status.HTTP_200_OK:
        return None
    return f'"{hashlib.sha256(JSONRenderer().render(response.data)).hexdigest()[:32]}"'
