"""The API for annotators: the list, stops and restorations, their answers, notes, and the removal of personal data."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.standing import restore, stop
from annotate.models import Annotator, Answer, Participation, Study
from annotate.people.selectors.annotators import needing_a_look
from annotate.people.selectors.answers import Show, answer_rows, answers_of
from annotate.people.services import (
    LONGEST,
    add_note,
    exclude_answer,
    include_answer,
    mark_reviewed,
    remove_personal_data,
)
from annotate.questions.api import AnnotatorAnswerShape, AnswerShape
from annotate.results.selectors.reports import people
from annotate.server.refusals import existing, invalid
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.pagination import Pages
from annotate.web.api.research import CURSOR, PAGING, ResearchView, cursor_pages_of, pages_of
from annotate.web.api.shapes import ReasonShape


class SignShape(serializers.Serializer):
    title = serializers.CharField()
    detail = serializers.CharField()
    p = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="The probability that a careful annotator's answers show this sign by chance.",
    )


class AnnotatorShape(serializers.ModelSerializer):
    platform = serializers.ChoiceField(Annotator.Platform.choices, source="annotator.platform")
    is_program = serializers.BooleanField(
        source="annotator.is_program",
        help_text="Whether the annotator is a program that joined through the API. A program's answers never count.",
    )

    class Meta:
        model = Participation
        fields = [
            "pseudonym",
            "platform",
            "is_program",
            "standing",
            "standing_reason",
            "graded",
            "tallies",
            "joined_at",
        ]


class NeedsLookShape(serializers.Serializer):
    pseudonym = serializers.CharField(source="participation.pseudonym")
    standing = serializers.ChoiceField(Participation.Standing.choices, source="participation.standing")
    signs = SignShape(many=True, help_text="The signs of careless answers, strongest evidence first.")
    agreement = serializers.FloatField(source="figures.agreement", allow_null=True, default=None)
    median_seconds = serializers.FloatField(source="figures.median_seconds", allow_null=True, default=None)


class RestoredShape(serializers.Serializer):
    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    resumable = serializers.IntegerField()


class AnnotatorsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="annotators_list",
        parameters=CURSOR,
        responses={200: cursor_pages_of(AnnotatorShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the annotators, including programs, with their standing and gold results. Programs have no gold
        results, because their answers are not graded.
        """
        people = self.study(study).participations.exclude(annotator__platform="try").select_related("annotator")
        return self.cursor_page(people.order_by("pk"), AnnotatorShape)


class StopView(ResearchView):
    @extend_schema(tags=["results"], request=ReasonShape, responses={204: None, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Stop an annotator. The annotator's answers no longer count, and the annotator's slots reopen for others."""
        participation = participation_of(self.study(study, may=Action.STOP_ANNOTATORS), pseudonym)
        stop(participation.pk, reason=self.validated(ReasonShape)["reason"], user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RestoreView(ResearchView):
    @extend_schema(tags=["results"], request=ReasonShape, responses={200: RestoredShape, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Restore a stopped annotator, and return the number of HITs that count again."""
        participation = participation_of(self.study(study, may=Action.RESTORE_ANNOTATORS), pseudonym)
        restored = restore(participation.pk, reason=self.validated(ReasonShape)["reason"], user=self.user)
        return Response(vars(restored))


def participation_of(study: Study, pseudonym: str) -> Participation:
    return existing(
        study.participations.filter(pseudonym=pseudonym).first(), "This study has no annotator with this pseudonym."
    )


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
            raise invalid("show", f"There is no filter {show}. Filters: {', '.join(filter(None, Show))}.")
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
    return existing(
        answers.exclude(assignment__kind="try").first(), "This study has no answer with this assignment and position."
    )
