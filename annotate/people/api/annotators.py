"""The API for annotators: the list, stops and restorations."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.core.services.standing import restore, stop
from annotate.models import Participation, Study
from annotate.people.api.people_shapes import AnnotatorShape, RestoredShape
from annotate.server.refusals import Refused
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import CURSOR, ResearchView, cursor_pages_of
from annotate.web.api.shapes import ReasonShape


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
    participation = study.participations.filter(pseudonym=pseudonym).first()
    if participation is None:
        raise Refused("unknown", "This study has no annotator with this pseudonym.", status=404)
    return participation
