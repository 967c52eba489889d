"""The base class for researchers' endpoints, which handles permissions, rate limits and idempotent writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from annotate.core.permissions import Action, permitted_studies
from annotate.core.selectors.studies import studies_of, study_for
from annotate.core.services.idempotency import carry_out_once
from annotate.models import ApiToken, Job, Report, Study, User
from annotate.server.addresses import client_network
from annotate.server.refusals import existing, invalid
from annotate.tasktypes import RESULTS

from .authentication import TokenAuthentication, WithinScope
from .pagination import Cursors, Pages
from .plain import PlainView, validated
from .shapes import JobShape

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Any string. Within 24 hours, Accord carries out repeated requests with the same key only once.",
)

PAGING = [
    OpenApiParameter("page", int, description="Page number, starting at 1."),
    OpenApiParameter("page_size", int, description="Number of entries per page, at most 1,000."),
]

CURSOR = [
    OpenApiParameter("cursor", str, description=Cursors.cursor_query_description),
    PAGING[1],
]


def pages_of(shape: type[Serializer]) -> Serializer:
    """Return the schema's serializer for one page of a list."""
    return inline_serializer(
        f"{shape.__name__}Page",
        {
            "count": serializers.IntegerField(help_text="Number of entries on all pages."),
            "next": serializers.URLField(
                allow_null=True, help_text="URL of the next page, or `null` on the last page."
            ),
            "previous": serializers.URLField(
                allow_null=True, help_text="URL of the previous page, or `null` on the first page."
            ),
            "results": shape(many=True),
        },
    )


def cursor_pages_of(shape: type[Serializer]) -> Serializer:
    """Return the schema's serializer for one page of a list with cursors."""
    return inline_serializer(
        f"{shape.__name__}CursorPage",
        {
            "next": serializers.URLField(
                allow_null=True, help_text="URL of the next page, or `null` on the last page."
            ),
            "previous": serializers.URLField(
                allow_null=True, help_text="URL of the previous page, or `null` on the first page."
            ),
            "results": shape(many=True),
        },
    )


def boolean(request: Request, name: str) -> bool:
    """Return the value of a Boolean query parameter, or False if it is missing."""
    value = request.query_params.get(name, "false")
    if value not in ("true", "false"):
        raise invalid(name, f"The filter `{name}` must be true or false.")
    return value == "true"


def refuse_unknown(serializer: Serializer, data: Any) -> None:
    """Raise an error with status 400 if a JSON object contains unknown fields, which are probably misspelt."""
    if type(data) is dict and (unknown := data.keys() - serializer.fields.keys()):
        message = f"There is no field with this name. Fields: {', '.join(serializer.fields) or 'none'}."
        raise serializers.ValidationError({name: [message] for name in sorted(unknown)})


class ResearchThrottle(SimpleRateThrottle):
    scope = "research"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk or client_network(request)}


class ResearchView(PlainView):
    """An endpoint for researchers, who use a token or their session in the console."""

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes = [IsAuthenticated, WithinScope]
    throttle_classes = [ResearchThrottle]
    conditional = False  # see conditional.py
    file_methods: tuple[str, ...] = ()  # the methods that return a file instead of JSON

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if "If-Match" in request.headers and not self.conditional and request.method not in SAFE_METHODS:
            raise invalid(
                "If-Match", "This operation does not support the header If-Match. Send the request without the header."
            )

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Ignore the `Accept` header in requests for files, because each file has only one media type."""
        return super().perform_content_negotiation(request, force or request.method in self.file_methods)

    def study(self, study: str, *, may: Action = Action.LOOK) -> Study:
        """Return the study. Raise an error with status 404 if the user's role does not allow the action, or if the
        request's token is limited to another study.
        """
        permitted = study_for(self.user, study, may=may)
        if self.token and self.token.study_id not in (None, permitted.pk):
            raise Http404("no such study")
        return permitted

    def results_report(self, study: Study, number: int) -> Report:
        """Return one of the study's results reports. Raise `Refused` (404) if the study has no such report."""
        return existing(
            study.reports.select_related("study").defer("people").filter(kind=RESULTS, number=number).first(),
            "This study has no results report with this number.",
        )

    def studies(self) -> QuerySet[Study]:
        """Return the user's studies that the request's token can access, newest first."""
        own = studies_of(self.user)
        return own.filter(pk=self.token.study_id) if self.token and self.token.study_id else own

    @property
    def token(self) -> ApiToken | None:
        """The request's token, or None if the researcher uses a console session."""
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @property
    def context(self) -> dict[str, Any]:
        """The context for serializers that depend on the request."""
        return {"request": self.request, "view": self}

    @property
    def is_read_only(self) -> bool:
        """Whether the request's token is read-only. A read-only token must not reveal links that allow changes."""
        return self.token is not None and self.token.scope == ApiToken.Scope.READ

    def can_invite(self, study: Study) -> bool:
        """Return whether the user's role allows inviting annotators to the study and the request's token can change
        studies.
        """
        return not self.is_read_only and study.pk in self._invites_to

    @cached_property
    def _invites_to(self) -> set[int]:
        return set(permitted_studies(self.user, Action.NAME_ANNOTATORS).values_list("pk", flat=True))

    @property
    def is_limited(self) -> bool:
        """Whether the request's token can access only one study. Such a token must not read other studies."""
        return self.token is not None and self.token.study_id is not None

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def validated(self, kind: Callable[..., Serializer], **arguments: Any) -> dict[str, Any]:
        """Return the validated body of the request, or raise an error with status 400 that names the invalid fields and
        the unknown fields.
        """
        serializer = kind(data=self.request.data, **arguments)
        refuse_unknown(serializer, self.request.data)
        return cast(dict[str, Any], validated(serializer))

    def started(self, job: Job) -> Response:
        """Return the response to a request that has started a background job."""
        return Response(JobShape(job).data, status=HTTP_202_ACCEPTED)

    def page(
        self, entries: Any, kind: Callable[..., Serializer], rows_of: Callable[[list[Any]], Sequence[Any]] = list
    ) -> Response:
        """Return one page of a list as the response. `rows_of` returns the rows for the page's entries, so that only
        these are read from the database.
        """
        pages = Pages()
        part: Any = pages.paginate_queryset(entries, self.request, view=self)
        rows = rows_of(part)
        return pages.get_paginated_response(kind(rows, many=True, context=self.context).data)

    def cursor_page(self, queryset: QuerySet[Any], kind: Callable[..., Serializer]) -> Response:
        """Return one page of a list that can grow between requests. The order of the queryset must be unique."""
        pages = Cursors()
        rows: Any = pages.paginate_queryset(queryset, self.request, view=self)
        return pages.get_paginated_response(kind(rows, many=True).data)

    def run_once(self, action: Callable[[], Response]) -> Response:
        """Perform a write request only once for each value of the Idempotency-Key header."""
        key = self.request.headers.get("Idempotency-Key", "")
        if not key:
            return action()

        def carried_out() -> tuple[int, Any]:
            response = action()
            # The stored response contains dates and decimals as text, exactly as the response to the first request did.
            return response.status_code, json.loads(JSONRenderer().render(response.data) or b"null")

        status, body = carry_out_once(
            self.user, key[:200], [self.request.method, self.request.path, self._body()], carried_out
        )
        return Response(body, status=status)

    def create_once(self, create: Callable[[], Any]) -> Response:
        """Create something only once for each value of the Idempotency-Key header. The response has status 201 and the
        body that `create` returns.
        """
        return self.run_once(lambda: Response(create(), status=HTTP_201_CREATED))

    def _body(self) -> Any:
        """Return the request body in a form that can be compared with later requests. Uploaded files are represented by
        their hashes.
        """
        hashes = {}
        for name, file in self.request.FILES.items():
            digest = hashlib.sha256()
            for chunk in file.chunks():
                digest.update(chunk)
            hashes[name] = digest.hexdigest()
        return {"form": dict(self.request.POST), "files": hashes} if hashes else self.request.data
