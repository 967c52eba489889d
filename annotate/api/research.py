"""What all of the researchers' endpoints share: who may, how often, and writing once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from annotate.addresses import client_network
from annotate.models import ApiToken, Study, User
from annotate.selectors.studies import studies_of, study_for
from annotate.services.once import once

from .authentication import TokenAuthentication, WithinScope
from .pagination import Pages
from .plain import PlainView

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Any string of your own; the same request under the same key is carried out once in 24 hours.",
)

PAGING = [
    OpenApiParameter("page", int, description="From 1."),
    OpenApiParameter("page_size", int, description="At most 1,000."),
]


def pages_of(shape: type[Serializer]) -> Serializer:
    """The shape of one page of a list, for the documentation."""
    return inline_serializer(
        f"{shape.__name__}Page",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": shape(many=True),
        },
    )


class ResearchThrottle(SimpleRateThrottle):
    scope = "research"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk or client_network(request)}


class ResearchView(PlainView):
    """An endpoint for researchers: by token, or with the console's session."""

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes = [IsAuthenticated, WithinScope]
    throttle_classes = [ResearchThrottle]

    def study(self, study: str, *, may: str = "look") -> Study:
        """The study, or 404 for who is no member or whose role does not allow it."""
        return study_for(self.user, study, may=may)

    def studies(self) -> QuerySet[Study]:
        """The user's studies within the scope of the request's token, newest first."""
        token = self.request.auth
        own = studies_of(self.user)
        return own.filter(pk=token.study_id) if isinstance(token, ApiToken) and token.study_id else own

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def validated(self, kind: Callable[..., Serializer], **arguments: Any) -> dict[str, Any]:
        """The request's body in that shape, or a 400 that names the fields."""
        serializer = kind(data=self.request.data, **arguments)
        serializer.is_valid(raise_exception=True)
        return cast(dict[str, Any], serializer.validated_data)

    def page(self, queryset: Any, kind: Callable[..., Serializer]) -> Response:
        """One page of a list."""
        pages = Pages()
        rows: Any = pages.paginate_queryset(queryset, self.request, view=self)
        return pages.get_paginated_response(kind(rows, many=True).data)

    def once(self, deed: Callable[[], Response]) -> Response:
        """Carry out a write, once for each Idempotency-Key."""
        key = self.request.headers.get("Idempotency-Key", "")
        if not key:
            return deed()

        def remembered() -> tuple[int, Any]:
            response = deed()
            # As it will be told: dates and decimals as text.
            return response.status_code, json.loads(JSONRenderer().render(response.data) or b"null")

        status, body = once(self.user, key[:200], [self.request.method, self.request.path, self._body()], remembered)
        return Response(body, status=status)

    def _body(self) -> Any:
        """The request's body for comparison with a later one: JSON, or the fields of a form with its files' hashes."""
        hashes = {}
        for name, file in self.request.FILES.items():
            digest = hashlib.sha256()
            for chunk in file.chunks():
                digest.update(chunk)
            hashes[name] = digest.hexdigest()
        return {"form": dict(self.request.POST), "files": hashes} if hashes else self.request.data
