"""The API for named annotators, their personal links and the HITs reserved for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accord_core.exchange.people import LONGEST, Person
from annotate.core.permissions import Action
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.recruiting.selectors import NamedRow, named_rows
from annotate.recruiting.services.link_mail import refuse_without_mail_server
from annotate.recruiting.services.named import MOST, add_people, remove_named, reserve, share_out, unreserve
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape


class NamedShape(serializers.Serializer):
    id = serializers.CharField(source="named.public_id")
    name = serializers.CharField(source="named.name")
    link = serializers.SerializerMethodField(
        help_text="The personal link. Anyone with the link can continue the work. The link is `null` if the request's "
        "token is read-only."
    )
    email = serializers.CharField(source="named.email", help_text="The e-mail address, or an empty string.")
    group = serializers.CharField(source="named.group.name", default=None, allow_null=True)
    mail_state = serializers.CharField(
        source="named.mail_state",
        help_text="Whether the link was sent by e-mail: `sent`, `failed`, `sending` if the server stopped while it was "
        "sending the e-mail, or an empty string.",
    )
    mail_fault = serializers.CharField(source="named.mail_fault", help_text="The reason why the e-mail was not sent.")
    pseudonym = serializers.CharField(
        source="named.participation.pseudonym", default=None, allow_null=True, help_text="`null` before joining."
    )
    reserved_hits = serializers.IntegerField(source="reserved")
    submitted_hits = serializers.IntegerField(source="submitted")
    expected_hits = serializers.IntegerField(
        source="expected",
        allow_null=True,
        help_text="Number of HITs expected from the annotator, or `null` if annotators share the same HITs.",
    )

    def get_link(self, row: NamedRow) -> str | None:
        if self.context["view"].is_read_only:
            return None
        return str(self.context["request"].build_absolute_uri(PERSONAL_LINKS.path(row.named.public_id)))


class PersonShape(serializers.Serializer):
    name = serializers.CharField(
        max_length=LONGEST, required=False, default="", allow_blank=True, help_text="The default is the address."
    )
    email = serializers.CharField(max_length=254, required=False, default="", allow_blank=True)
    group = serializers.CharField(max_length=LONGEST, required=False, default="", allow_blank=True)


class NamesShape(serializers.Serializer):
    names = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), max_length=MOST, required=False, default=list
    )
    people = serializers.ListField(
        child=PersonShape(),
        max_length=MOST,
        required=False,
        default=list,
        help_text="People with their e-mail addresses and groups. Missing groups are created.",
    )


def _people(sent: Mapping[str, Any]) -> list[Person]:
    """Return all people listed in the request."""
    names = [Person(name.strip()) for name in sent["names"]]
    return names + [Person(one["name"] or one["email"], one["email"], one["group"]) for one in sent["people"]]


class ReservationShape(serializers.Serializer):
    hits = serializers.ListField(child=serializers.IntegerField(min_value=1), required=False, max_length=10_000)
    questions = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        max_length=10_000,
        help_text="IDs of questions. The annotator gets the HITs that contain these questions.",
    )


class ReservedShape(serializers.Serializer):
    hits = serializers.IntegerField(help_text="Number of HITs whose reservation changed.")


class NamedListView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="named_annotators_list",
        parameters=PAGING,
        responses={200: pages_of(NamedShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the named annotators with their personal links and progress."""
        return self._rows(self.study(study, may=Action.NAME_ANNOTATORS))

    # The endpoint does not accept an Idempotency-Key, because the stored response would contain the personal links. A
    # repeated request is rejected, because names must be unique.
    @extend_schema(tags=["results"], request=NamesShape, responses={201: NamedShape(many=True), **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Add named annotators, each with a personal link, to a study whose setting `admission` is `named`."""
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        people = _people(self.validated(NamesShape))
        added = {one.pk for one in add_people(owner.pk, people, user=self.user)}
        rows = [row for row in named_rows(owner) if row.named.pk in added]
        shape = NamedShape(rows, many=True, context=self.context)
        return Response(shape.data, status=status.HTTP_201_CREATED)

    def _rows(self, study: Study) -> Response:
        return self.page(named_rows(study), NamedShape)


class LinkMailView(ResearchView):
    @extend_schema(tags=["results"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Start a job that e-mails personal links to all named annotators who have an address, have not joined and have
        not been sent their link.
        """
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        refuse_without_mail_server()
        return self.started(request_job(owner, "links", user=self.user))


class NamedView(ResearchView):
    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, named: str) -> Response:
        """Remove a named annotator who has not joined yet. The personal link no longer works."""
        remove_named(self.study(study, may=Action.NAME_ANNOTATORS).pk, named, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReservationsView(ResearchView):
    @extend_schema(tags=["results"], request=ReservationShape, responses={200: ReservedShape, **ERRORS})
    def post(self, request: Request, study: str, named: str) -> Response:
        """Reserve one open slot in each of these HITs for the annotator. The service skips HITs that the annotator
        already has and HITs without a free slot.
        """
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        return Response({"hits": reserve(owner.pk, named=named, user=self.user, **self.validated(ReservationShape))})

    @extend_schema(tags=["results"], responses={200: ReservedShape, **ERRORS})
    def delete(self, request: Request, study: str, named: str) -> Response:
        """End the annotator's reservations for HITs not yet started."""
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        return Response({"hits": unreserve(owner.pk, named=named, user=self.user)})


class SharesView(ResearchView):
    @extend_schema(tags=["results"], request=None, responses={200: ReservedShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Reserve all free slots for the named annotators, so that every annotator has about the same number of
        HITs.
        """
        owner = self.study(study, may=Action.NAME_ANNOTATORS)
        return Response({"hits": share_out(owner.pk, user=self.user)})
