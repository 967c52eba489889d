"""The API for a study's questionnaires, which contain questions for annotators."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import Questionnaire, Study
from annotate.models.questionnaire_definition import KINDS, MOST_OPTIONS, MOST_QUESTIONS
from annotate.recruiting.questionnaires.tallies import SurveyTable
from annotate.recruiting.selectors import latest_questionnaire, questionnaire_file, screening_counts, survey_tables
from annotate.recruiting.services.questionnaires import LONGEST_TEXT, change_questionnaire
from annotate.server.refusals import Refused
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.attachments import attachment


class PersonQuestionShape(serializers.Serializer):
    name = serializers.CharField(help_text="Name of the question in files, unique in the questionnaire.")
    kind = serializers.ChoiceField(list(KINDS))
    label = serializers.CharField(help_text="Text of the question.")  # type: ignore[assignment]
    help = serializers.CharField(required=False, help_text="Text below the question.")
    required = serializers.BooleanField(required=False)  # type: ignore[assignment]
    options = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_OPTIONS,
        help_text="Options for the kinds `single` and `multiple`.",
    )
    minimum = serializers.IntegerField(required=False, help_text="Minimum for `number` and `scale` questions.")
    maximum = serializers.IntegerField(required=False, help_text="Maximum for `number` and `scale` questions.")
    low_label = serializers.CharField(required=False, help_text="Label for the lowest value on a scale.")
    high_label = serializers.CharField(required=False, help_text="Label for the highest value on a scale.")
    admitted = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_OPTIONS,
        help_text="Admitted options. To take part, people must choose at least one qualifying option.",
    )
    admitted_minimum = serializers.IntegerField(required=False, help_text="Smallest admitted number.")
    admitted_maximum = serializers.IntegerField(required=False, help_text="Largest admitted number.")
    groups = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_OPTIONS,
        help_text="Name of the group that people with each option join, in the order of the options.",
    )


class ScreeningCountsShape(serializers.Serializer):
    admitted = serializers.IntegerField(help_text="Number of people who passed the screening.")
    joined = serializers.IntegerField(help_text="Number of people who passed the screening and joined the study.")
    screened_out = serializers.IntegerField(help_text="Number of people who were screened out.")


class SurveyCountShape(serializers.Serializer):
    answer = serializers.CharField()
    people = serializers.IntegerField(allow_null=True, help_text="Number of people, or `null` if it is hidden.")


class SurveyTableShape(serializers.Serializer):
    name = serializers.CharField(help_text="Name of the question.")
    people = serializers.IntegerField(help_text="Number of annotators who answered the survey with this question.")
    counts = serializers.SerializerMethodField(help_text="Answers with the number of people who gave each.")

    @extend_schema_field(SurveyCountShape(many=True))
    def get_counts(self, table: SurveyTable) -> list[dict[str, Any]]:
        return [{"answer": answer, "people": people} for answer, people in table.rows]


class QuestionnaireShape(serializers.ModelSerializer):
    version = serializers.IntegerField(help_text="Version of the questionnaire, or 0 if no questionnaire is stored.")
    revision = serializers.IntegerField(help_text="Send this number with the next change.")
    questions = PersonQuestionShape(many=True)
    counts = ScreeningCountsShape(help_text="Numbers of people who answered the screening questions.")
    results = SurveyTableShape(many=True, help_text="Counts of the answers to a survey, with small counts suppressed.")

    class Meta:
        model = Questionnaire
        fields = [
            "purpose",
            "version",
            "revision",
            "introduction",
            "ending",
            "stores_answers",
            "timing",
            "questions",
            "counts",
            "results",
        ]


class QuestionnaireChange(serializers.Serializer):
    """The fields to change. Fields that are missing from the request keep their values."""

    revision = serializers.IntegerField(min_value=0, help_text="The revision that your program has read.")
    introduction = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_TEXT)
    ending = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_TEXT)
    stores_answers = serializers.BooleanField(required=False)
    timing = serializers.ChoiceField(Questionnaire.Timing.choices, required=False)
    # The service checks the questions, because its messages state the position of each error.
    questions = serializers.ListField(child=serializers.JSONField(), required=False, max_length=MOST_QUESTIONS)


class QuestionnaireChangeShape(QuestionnaireChange):
    """The fields to change. Fields that are missing from the request keep their values."""

    questions = PersonQuestionShape(many=True, required=False)  # type: ignore[assignment]


class QuestionnaireView(ConditionalView):
    @extend_schema(tags=["results"], responses={200: QuestionnaireShape, **ERRORS})
    def get(self, request: Request, study: str, questionnaire: str) -> Response:
        """Return the latest version of a questionnaire, and the number of people who answered it."""
        owner = self.study(study)
        _require_purpose(questionnaire)
        return _shown(owner, latest_questionnaire(owner, questionnaire), questionnaire)

    @extend_schema(tags=["results"], request=QuestionnaireChangeShape, responses={200: QuestionnaireShape, **ERRORS})
    def patch(self, request: Request, study: str, questionnaire: str) -> Response:
        """Change the questions or texts of a questionnaire. If people have already answered the questionnaire, Accord
        stores the change as a new version.
        """
        owner = self.study(study, may=Action.CHANGE_SETTINGS)
        _require_purpose(questionnaire)
        changes = self.validated(QuestionnaireChange)
        revision = changes.pop("revision")
        stored = change_questionnaire(owner.pk, questionnaire, changes, revision=revision, user=self.user)
        return _shown(owner, stored, questionnaire)


class QuestionnaireFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str, questionnaire: str) -> StreamingHttpResponse:
        """Return the stored answers to a questionnaire as a CSV file without pseudonyms."""
        owner = self.study(study, may=Action.SEE_PLATFORM_IDS)
        _require_purpose(questionnaire)
        return attachment(questionnaire_file(owner, questionnaire), f"{questionnaire}.csv")


def _require_purpose(purpose: str) -> None:
    if purpose not in Questionnaire.Purpose.values:
        raise Refused("unknown", "There is no questionnaire with this name.", status=404)


def _shown(study: Study, stored: Questionnaire | None, purpose: str) -> Response:
    questionnaire = stored or Questionnaire(study=study, purpose=purpose, version=0, revision=0)
    questionnaire.counts = screening_counts(study)  # type: ignore[attr-defined]
    is_survey = purpose == Questionnaire.Purpose.SURVEY
    questionnaire.results = survey_tables(study) if is_survey else []  # type: ignore[attr-defined]
    data = QuestionnaireShape(questionnaire).data
    return Response({**data, "questions": questionnaire.questions})
