"""The API for the authors' answers about a study, and for the documents that contain them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from reporting.questions import LONGEST, QUESTIONS
from reporting.selectors.answers import author_answers
from reporting.selectors.documents import current_forms
from reporting.services.answers import save_answers


class AuthorAnswersShape(serializers.Serializer):
    answers = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST, allow_blank=True),
        help_text=f"Answers by the names of their questions: {', '.join(f'`{name}`' for name in QUESTIONS)}.",
    )


class OpenQuestionShape(serializers.Serializer):
    number = serializers.CharField(help_text="Number of the question in the document, or an empty string.")
    question = serializers.CharField()
    who = serializers.CharField(help_text="Who can answer the question.")


class ReportDocumentShape(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    questions = serializers.IntegerField()
    answered = serializers.IntegerField()
    open = OpenQuestionShape(many=True)
    markdown = serializers.CharField(help_text="The document in Markdown.")


class ReportFormView(ConditionalView):
    @extend_schema(tags=["results"], responses={200: AuthorAnswersShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the authors’ answers about the study, which documents and releases contain."""
        return Response({"answers": author_answers(self.study(study))})

    @extend_schema(tags=["results"], request=AuthorAnswersShape, responses={200: AuthorAnswersShape, **ERRORS})
    def patch(self, request: Request, study: str) -> Response:
        """Change some answers. All other answers stay, and an empty string removes an answer."""
        changed = self.study(study, may=Action.MANAGE)
        changes = self.validated(AuthorAnswersShape)["answers"]
        return Response({"answers": save_answers(changed.pk, changes, user=self.user)})


class ReportDocumentsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="report_documents_list",
        responses={200: ReportDocumentShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the checklists and datasheets about the study, with their open questions."""
        rows = [
            {
                "name": form.slug,
                "title": form.title,
                "questions": len(form.entries),
                "answered": form.answered,
                "open": [
                    {"number": entry.ask.number, "question": entry.ask.text, "who": entry.ask.who}
                    for entry in form.open
                ],
                "markdown": form.markdown(),
            }
            for form in current_forms(self.study(study))
        ]
        return Response(ReportDocumentShape(rows, many=True).data)
