"""The API operation that lists gold questions with their wrong answers."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Study
from annotate.selectors.gold import GoldRow, gold_of, gold_rows

from .annotation_shapes import ERRORS
from .research import PAGING, ResearchView, pages_of


class WrongAnswerShape(serializers.Serializer):
    words = serializers.CharField(help_text="The answer in words, with the items in the question’s own order.")
    annotators = serializers.IntegerField()


class GoldShape(serializers.Serializer):
    id = serializers.CharField(source="question.public_id")
    ref = serializers.CharField(source="question.ref")
    expected = serializers.CharField(help_text="The expected answer in words.")
    answered = serializers.IntegerField(help_text="Number of graded answers.")
    missed = serializers.FloatField(allow_null=True, help_text="Share of wrong answers.")
    disputes = serializers.IntegerField(help_text="Number of annotators who dispute the expected answer.")
    doubtful = serializers.BooleanField(
        help_text="Whether annotators dispute the expected answer, or at least five annotators answered the "
        "question and most of them missed it."
    )
    wrong_answers = WrongAnswerShape(many=True, source="wrong", help_text="The most frequent wrong answers.")

    def to_representation(self, row: GoldRow) -> dict[str, object]:
        represented: dict[str, object] = super().to_representation(_Counted(row))
        return represented


class _Counted:
    """A gold question with its number of disputes. Dispute texts are omitted because they name annotators."""

    def __init__(self, row: GoldRow) -> None:
        self.__dict__.update(vars(row) | {"disputes": len(row.disputes)})


class GoldView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="gold_list",
        parameters=PAGING,
        responses={200: pages_of(GoldShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the gold questions with their most frequent wrong answers, starting with doubtful questions."""
        return self.page(GoldList(self.study(study)), GoldShape)


class GoldList:
    """The gold questions of a study. Only the rows on one page are read."""

    def __init__(self, study: Study) -> None:
        self.study, self.keys = study, gold_of(study)

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, part: slice) -> list[GoldRow]:
        return gold_rows(self.study, self.keys[part])
