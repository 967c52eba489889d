"""A study's survey, with the rule for who is asked and the published counts of the answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from annotate.models import Annotator, Assignment, Participation, Questionnaire, Study, SurveyResponse
from annotate.recruiting.questionnaires.tallies import SurveyTable, Tally, published, tally

from .questionnaires import latest_questionnaire

NOT_ASKED = (Annotator.Platform.TRY, Annotator.Platform.SIMULATED, Annotator.Platform.SYSTEM)


def survey_for(participation: Participation, *, timing: str) -> Questionnaire | None:
    """Return the survey that the annotator should answer now, or None. A survey before the first HIT is only for
    annotators who have not submitted a HIT, and a survey at the end is only for annotators who have submitted at least
    one.

    After the retention period, nobody is asked: the answers were replaced by totals, so a person could answer twice,
    and the new answers would never be deleted.
    """
    person = participation.annotator
    if participation.has_ended or person.is_program or person.platform in NOT_ASKED:
        return None
    if participation.study.personal_data_removed_at:
        return None
    survey = latest_questionnaire(participation.study, Questionnaire.Purpose.SURVEY)
    if survey is None or not survey.questions or survey.timing != timing:
        return None
    if SurveyResponse.objects.filter(participation=participation).exists():
        return None
    submitted = participation.assignments.filter(kind=Assignment.Kind.REGULAR, submitted_at__isnull=False)
    return survey if submitted.exists() == (timing == Questionnaire.Timing.AFTER) else None


def survey_tables(study: Study) -> list[SurveyTable]:
    """Return the published counts for each question in the survey, including questions in earlier versions."""
    people: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    questions = {}
    for version in _versions(study):
        own = raw_totals(version)
        for question in version.entries:
            questions[question.name] = question
            people[question.name] += own["people"]
            counts[question.name].update(own["questions"].get(question.name, {}))
    return [published(question, counts[name], people[name]) for name, question in questions.items() if people[name]]


def raw_totals(version: Questionnaire) -> dict[str, Any]:
    """Return the number of people and the unsuppressed counts for each question. The stored totals include answers that
    were deleted at the end of the retention period.
    """
    responses = [response.answers for response in version.responses.all()]
    stored: dict[str, Any] = version.totals or {}
    totals: dict[str, Tally] = {}
    for question in version.entries:
        counts = Counter(tally(question, responses))
        counts.update(stored.get("questions", {}).get(question.name, {}))
        totals[question.name] = dict(counts)
    return {"people": len(responses) + stored.get("people", 0), "questions": totals}


def survey_facts(study: Study) -> list[dict[str, Any]]:
    """Return the published counts as JSON, for reports and releases."""
    return [
        {"name": table.name, "label": table.label, "people": table.people, "counts": [list(row) for row in table.rows]}
        for table in survey_tables(study)
    ]


def _versions(study: Study) -> list[Questionnaire]:
    surveys = study.questionnaires.filter(purpose=Questionnaire.Purpose.SURVEY)
    return list(surveys.prefetch_related("responses").order_by("version"))
