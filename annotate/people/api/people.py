"""The API for actions on annotators and on individual answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Answer, Study
from annotate.people.api.annotators import participation_of
from annotate.people.api.people_shapes import NeedsLookShape
from annotate.people.selectors.annotator_answers import Show, answer_rows, answers_of
from annotate.people.selectors.annotators import needing_a_look
from annotate.people.services.exclusion import exclude_answer, include_answer
from annotate.people.services.notes import LONGEST, add_note, mark_reviewed
from annotate.people.services.personal_data import remove_personal_data
from annotate.questions.api.answers_shapes import AnnotatorAnswerShape, AnswerShape
from annotate.results.selectors.reports import people
from annotate.server.refusals import Refused
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.pagination import Pages
from annotate.web.api.research import PAGING, ResearchView, pages_of
from annotate.web.api.shapes import ReasonShape

SHOW = OpenApiParameter(
    "show",
    str,
    enum=[show.value for show in Show if show],
    description="Return only the answers that match this filter.",
)


class IncludedShape(serializers.Serializer):
    withdrawn = serializers.BooleanField(
        help_text="Whether the additional slot for the question was closed. If an annotator had already claimed the "
        "slot, the slot remains, and the question gets one more judgement."
    )


class ExcludeView(ResearchView):
    @extend_schema(tags=["results"], request=ReasonShape, responses={204: None, **ERRORS})
    def post(self, request: Request, study: str, assignment: str, position: int) -> Response:
        """Exclude one answer. The answer is kept but no longer counts, and another annotator gets the question."""
        answer = _answer(self.study(study, may=Action.EXCLUDE_ANSWERS), assignment, position)
        exclude_answer(answer.pk, reason=self.validated(ReasonShape)["reason"], user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class IncludeView(ResearchView):
    @extend_schema(tags=["results"], request=ReasonShape, responses={200: IncludedShape, **ERRORS})
    def post(self, request: Request, study: str, assignment: str, position: int) -> Response:
        """Include an excluded answer in the study again. The additional slot for the question is closed unless an
        annotator has already claimed it.
        """
        answer = _answer(self.study(study, may=Action.EXCLUDE_ANSWERS), assignment, position)
        included = include_answer(answer.pk, reason=self.validated(ReasonShape)["reason"], user=self.user)
        return Response(vars(included))


class NeedsLookView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="annotators_needing_a_look",
        parameters=PAGING,
        responses={200: pages_of(NeedsLookShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the annotators who show signs of careless answers, starting with the strongest evidence. These signs
        are based on the latest results report and on gold answers. The list excludes stopped annotators, and annotators
        whose answers a researcher has reviewed since that report.
        """
        owner = self.study(study)
        return self.page(needing_a_look(owner, people(owner)), NeedsLookShape)


class AnnotatorAnswersView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="annotator_answers_list",
        parameters=[*PAGING, SHOW],
        responses={200: pages_of(AnnotatorAnswerShape), **ERRORS},
    )
    def get(self, request: Request, study: str, pseudonym: str) -> Response:
        """Return one annotator's answers, newest first, with the agreement on each question and its usual answering
        time.
        """
        owner = self.study(study)
        participation, show = participation_of(owner, pseudonym), request.query_params.get("show", "")
        if show not in set(Show):
            message = f"There is no filter {show}. Filters: {', '.join(filter(None, Show))}."
            raise Refused("invalid", message, status=400, fields={"show": [message]})
        pages = Pages()
        page: Any = pages.paginate_queryset(answers_of(participation, show), request, view=self)
        rows = answer_rows(owner, participation, page)
        for row in rows:
            row.answer.participation = participation
        entries = [
            {
                **AnswerShape(row.answer).data,
                "words": row.words,
                "counts": row.counts,
                "reason_not_counted": row.reason,
                "agreement": row.agreement,
                "others": row.others,
                "usual_seconds": row.usual_seconds,
            }
            for row in rows
        ]
        return pages.get_paginated_response(entries)


class ErasedShape(serializers.Serializer):
    studies = serializers.IntegerField(help_text="Personal data was removed from this number of studies.")


class EraseView(ResearchView):
    @extend_schema(tags=["results"], request=ReasonShape, responses={200: ErasedShape, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Remove an annotator's personal data from this study and from your other studies in which the same person
        takes part. If you are an administrator, “your studies” are all studies on the server. If the token is limited
        to one study, the data is removed only from that study. The answers stay.
        """
        participation = participation_of(self.study(study, may=Action.REMOVE_PERSONAL_DATA), pseudonym)
        reason = self.validated(ReasonShape)["reason"]
        limited_to = self.token.study_id if self.token else None
        studies = remove_personal_data(participation.annotator_id, user=self.user, reason=reason, limited_to=limited_to)
        return Response({"studies": studies})


class NoteShape(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST)


class NoteView(ResearchView):
    @extend_schema(tags=["results"], request=NoteShape, responses={204: None, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Add a note about an annotator to the study's history. Annotators never see notes."""
        participation = participation_of(self.study(study, may=Action.REVIEW), pseudonym)
        add_note(participation.pk, text=self.validated(NoteShape)["text"], user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReviewView(ResearchView):
    @extend_schema(tags=["results"], request=NoteShape, responses={204: None, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Record that you have reviewed an annotator's answers. The annotator is removed from the list of annotators
        who need review, and is listed again only if a later results report shows signs of careless answers.
        """
        participation = participation_of(self.study(study, may=Action.REVIEW), pseudonym)
        mark_reviewed(participation.pk, text=self.validated(NoteShape)["text"], user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _answer(study: Study, assignment: str, position: int) -> Answer:
    answers = Answer.objects.filter(assignment__study=study, assignment__public_id=assignment, position=position)
    answer = answers.exclude(assignment__kind="try").first()
    if answer is None:
        raise Refused("unknown", "This study has no answer with this assignment and position.", status=404)
    return answer
