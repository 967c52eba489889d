"""The API for a study's answers and assignments, which are returned in pages or as a stream."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.selectors.streamed import answers_in_batches, given_answers
from annotate.models import Assignment, Study
from annotate.questions.api.answers_shapes import AnswerShape
from annotate.questions.selectors.data import one_snapshot
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import CURSOR, ResearchView, boolean, cursor_pages_of

NDJSON = "application/x-ndjson"
PROGRAMS = OpenApiParameter(
    "programs",
    bool,
    description="Return only the rows of programs that joined through the API. By default, the endpoint returns only "
    "the rows of human annotators.",
)


class AnswersView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="answers_list",
        parameters=[*CURSOR, PROGRAMS],
        responses={200: cursor_pages_of(AnswerShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return people's answers and skipped questions with the annotators' pseudonyms, or programs' answers. For a
        skipped question, `skipped` contains the annotator's reason, and `value` is empty.
        """
        answers = given_answers(self.study(study), programs=boolean(request, "programs"))
        return self.cursor_page(answers, AnswerShape)


class AnswerStreamView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(
        tags=["results"],
        operation_id="answers_stream",
        parameters=[PROGRAMS],
        responses={(200, NDJSON): OpenApiTypes.STR, **ERRORS},
    )
    def get(self, request: Request, study: str) -> StreamingHttpResponse:
        """Return all answers as NDJSON, with one JSON object per line. The objects have the same fields as the list of
        answers. The server's memory use does not depend on the number of answers.
        """
        lines = _lines(self.study(study), programs=boolean(request, "programs"))
        disposition = 'attachment; filename="answers.ndjson"'
        return StreamingHttpResponse(lines, content_type=NDJSON, headers={"Content-Disposition": disposition})


def _lines(study: Study, *, programs: bool) -> Iterator[bytes]:
    render = JSONRenderer().render
    with one_snapshot():
        for batch in answers_in_batches(study, programs=programs):
            yield b"".join(render(row) + b"\n" for row in AnswerShape(batch, many=True).data)


class AssignmentRow(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    annotator = serializers.CharField(source="participation.pseudonym")
    hit = serializers.IntegerField(
        source="hit.number",
        allow_null=True,
        default=None,
        help_text="Number of the HIT, or null for practice questions.",
    )
    kind = serializers.ChoiceField(Assignment.Kind.choices)
    state = serializers.ChoiceField(Assignment.State.choices)
    source = serializers.ChoiceField(Assignment.Source.choices)  # type: ignore[assignment]  # not a field's own source

    class Meta:
        model = Assignment
        fields = [
            "id",
            "annotator",
            "hit",
            "kind",
            "state",
            "reason",
            "source",
            "claimed_at",
            "lease_until",
            "submitted_at",
            "seconds",
            "reward",
            "credited",
        ]


class AssignmentsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="assignments_list",
        parameters=[*CURSOR, PROGRAMS],
        responses={200: cursor_pages_of(AssignmentRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the assignments of people or of programs, except for try-outs, in the order in which they were
        claimed.
        """
        assignments = self.study(study).assignments.exclude(kind=Assignment.Kind.TRY)
        chosen = assignments.filter(participation__annotator__is_program=boolean(request, "programs"))
        return self.cursor_page(chosen.select_related("participation", "hit").order_by("pk"), AssignmentRow)
