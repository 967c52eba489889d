"""The API for annotators' messages, skipped questions and withdrawals, and for researchers' replies."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.remarks import reply_to
from annotate.messages.selectors import Kind, message_keys, messages, sent
from annotate.messages.services import LONGEST, send_to_all, send_to_annotator
from annotate.models import Annotator, Participation, Study
from annotate.server.refusals import existing, invalid
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, boolean, pages_of

FILTERS = [
    OpenApiParameter("kind", str, enum=list(Kind), description="Return only entries of this kind."),
    OpenApiParameter("unanswered", bool, description="Return only messages that have no reply."),
    OpenApiParameter("annotator", str, description="Return only entries from the annotator with this pseudonym."),
]


class MessageShape(serializers.Serializer):
    id = serializers.CharField(
        help_text="ID of the message, which you must send with a reply. The ID is empty for "
        "entries that are not messages."
    )
    kind = serializers.ChoiceField(list(Kind))
    annotator = serializers.CharField(source="participation.pseudonym")
    question = serializers.CharField(source="question.ref", default=None, allow_null=True)
    hit = serializers.IntegerField(allow_null=True)
    sent_at = serializers.DateTimeField(source="at")
    text = serializers.CharField()
    state = serializers.CharField()
    reply = serializers.CharField()
    replied_by = serializers.CharField()
    replied_at = serializers.DateTimeField(allow_null=True)


class ReplyShape(serializers.Serializer):
    text = serializers.CharField(max_length=2000)


class MessagesView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="messages_list",
        parameters=[*PAGING, *FILTERS],
        responses={200: pages_of(MessageShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return annotators' feedback, newest first: objections, problems, comments, skipped questions, disputed gold
        answers, returned HITs and withdrawals.
        """
        asked_study = self.study(study)
        keys = message_keys(asked_study, **_filters(asked_study, request))
        return self.page(keys, MessageShape, messages)


class ReplyView(ResearchView):
    @extend_schema(tags=["results"], request=ReplyShape, responses={200: MessageShape, **ERRORS})
    def post(self, request: Request, study: str, message: str) -> Response:
        """Reply to a message. A new reply replaces the previous one. Annotators see the reply on their overview page
        for the study.
        """
        owner = self.study(study, may=Action.REPLY)
        text = self.validated(ReplyShape)["text"]
        remark = reply_to(owner.pk, message, text=text, user=self.user)
        return Response(MessageShape(messages([(remark.kind, remark.pk, remark.sent_at)])[0]).data)


class TeamMessageShape(serializers.Serializer):
    id = serializers.CharField(source="public_id")
    annotator = serializers.CharField(
        source="participation.pseudonym",
        default=None,
        allow_null=True,
        help_text="Pseudonym of the annotator, or null for a message to all annotators.",
    )
    text = serializers.CharField()
    sent_by = serializers.CharField(source="sent_by.email")
    sent_at = serializers.DateTimeField()


class TeamMessageDraft(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST)
    annotator = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        help_text="Pseudonym of the annotator. If you give no pseudonym, the message is sent to all annotators.",
    )


class TeamMessagesView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="team_messages_list",
        parameters=PAGING,
        responses={200: pages_of(TeamMessageShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the research team's messages to annotators, newest first."""
        return self.page(sent(self.study(study)), TeamMessageShape)

    @extend_schema(
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=TeamMessageDraft,
        responses={201: TeamMessageShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Send a message to one annotator or to all annotators of the study. Annotators see the message on their
        overview page for the study.
        """
        owner = self.study(study, may=Action.REPLY)
        draft = self.validated(TeamMessageDraft)
        annotator = _annotator(owner, draft["annotator"])

        def send() -> Response:
            text = draft["text"]
            message = (
                send_to_annotator(annotator.pk, text=text, user=self.user)
                if annotator
                else send_to_all(owner.pk, text=text, user=self.user)
            )
            return Response(TeamMessageShape(message).data, status=status.HTTP_201_CREATED)

        return self.run_once(send)


def _filters(study: Study, request: Request) -> dict[str, Any]:
    """Return the filters from the query string. Raises `Refused` with the code `invalid` if a filter has an unknown
    value.
    """
    kind = request.query_params.get("kind", "")
    if kind and kind not in set(Kind):
        raise invalid("kind", f"There are no entries of kind {kind}. Kinds of entries: {', '.join(Kind)}.")
    return {
        "kind": kind,
        "unanswered": boolean(request, "unanswered"),
        "annotator": _annotator(study, request.query_params.get("annotator", "")),
    }


def _annotator(study: Study, pseudonym: str) -> Participation | None:
    if not pseudonym:
        return None
    people = study.participations.exclude(annotator__platform=Annotator.Platform.TRY)
    return existing(people.filter(pseudonym=pseudonym).first(), "This study has no annotator with this pseudonym.")
