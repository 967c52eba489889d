"""The API operation that lists a study's questions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Question, Study
from annotate.questions.api.answers_shapes import QuestionFilterShape, QuestionShape
from annotate.questions.selectors.question_filters import QuestionFilter, filtered_questions
from annotate.questions.services.refresh import current_figures
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import validated
from annotate.web.api.research import PAGING, ResearchView, pages_of


class QuestionsView(ResearchView):
    @extend_schema(
        tags=["studies"],
        operation_id="questions_list",
        parameters=[*PAGING, QuestionFilterShape],
        responses={200: pages_of(QuestionShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's questions, with the same filters and sort orders as the console. Without a filter, the
        list contains all kinds of questions in design order. Gold questions include their expected answers.
        """
        listed = self.study(study)
        parameters = validated(QuestionFilterShape(data=request.query_params))
        wanted = QuestionFilter(**{"kind": "", **parameters})
        if wanted.needs_figures:
            current_figures(listed)
        return self.page(QuestionList(listed, filtered_questions(listed, wanted)), QuestionShape)


class QuestionList:
    """The questions with the given primary keys, in the same order. Only the questions on the requested page are read
    from the database.
    """

    def __init__(self, study: Study, keys: Any) -> None:
        self.study, self.keys = study, keys

    def __len__(self) -> int:
        return len(self.keys) if isinstance(self.keys, list) else int(self.keys.count())

    def __getitem__(self, part: slice) -> list[Question]:
        keys = list(self.keys[part])
        questions = self.study.questions.in_bulk(keys)  # in any order
        return [questions[key] for key in keys if key in questions]
