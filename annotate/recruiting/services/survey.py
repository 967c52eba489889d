"""Services that store and delete survey answers, which are stored separately from the answers to questions."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.writing import write
from annotate.models import Participation, Questionnaire, Study, SurveyResponse
from annotate.recruiting.questionnaires.answers import Answers, read_answers
from annotate.recruiting.selectors import raw_totals, survey_for
from annotate.server.refusals import Refused


def answer_survey(participation_id: int, raw: Answers, *, revision: str) -> None:
    """Store an annotator's answers to the survey. A second submission has no effect.

    Raises `Refused` with the code `stale` if the survey has changed, or `invalid` for missing or invalid answers.
    """
    with write():
        participation = Participation.objects.locked().get(pk=participation_id)
        refuse_if_archived(participation.study_id)
        surveys = Questionnaire.objects.filter(study=participation.study_id, purpose=Questionnaire.Purpose.SURVEY)
        survey = surveys.select_for_update(no_key=True).order_by("-version").first()
        if survey is None or survey_for(participation, timing=survey.timing) is None:
            return
        if str(survey.revision) != revision:
            message = _("The questions have changed since you opened this page. Answer the current questions.")
            raise Refused("stale", message)
        answers = read_answers(survey.entries, raw, may_decline=True)
        SurveyResponse.objects.create(questionnaire=survey, participation=participation, answers=answers)


def delete_survey_answers(participations: QuerySet[Participation]) -> None:
    """Delete these annotators' survey answers, which then no longer count. The caller must open a transaction first."""
    SurveyResponse.objects.filter(participation__in=participations).delete()


def replace_survey_answers_by_totals(study: Study) -> None:
    """Delete all survey answers at the end of the retention period, but keep the number of people per answer. The
    caller must open a transaction first.
    """
    for version in study.questionnaires.filter(purpose=Questionnaire.Purpose.SURVEY).select_for_update():
        version.totals = raw_totals(version)
        version.save(update_fields=["totals"])
        version.responses.all().delete()
