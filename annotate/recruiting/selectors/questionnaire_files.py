"""The CSV file of stored answers to a questionnaire, which contains no pseudonyms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.exchange.csvtext import write_csv
from annotate.models import Questionnaire, Screening, Study, SurveyResponse
from annotate.numerics.draws import draw


def screening_file(study: Study) -> Iterator[bytes]:
    """Return the stored answers to the screening questions as a CSV file with one row per person and one column per
    question.

    The order of the rows does not reveal the order in which people joined.
    """
    versions = study.questionnaires.filter(purpose=Questionnaire.Purpose.SCREENING).order_by("version")
    names = list(dict.fromkeys(question.name for version in versions for question in version.entries))
    results = Screening.objects.filter(questionnaire__in=versions, answers__isnull=False).select_related(
        "questionnaire"
    )
    rows = sorted(results, key=lambda result: draw(study.seed, "questionnaire file", result.public_id))
    cells = (
        [str(result.questionnaire.version), str(result), *(_cell(result.answers.get(name, "")) for name in names)]
        for result in rows
        if result.answers is not None
    )
    return (chunk.encode() for chunk in write_csv(cells, ["version", "result", *names]))


def survey_file(study: Study) -> Iterator[bytes]:
    """Return the survey answers as a CSV file with one row per annotator, without pseudonyms. A declined answer is an
    empty cell, as is a missing answer.
    """
    versions = study.questionnaires.filter(purpose=Questionnaire.Purpose.SURVEY).order_by("version")
    names = list(dict.fromkeys(question.name for version in versions for question in version.entries))
    responses = SurveyResponse.objects.filter(questionnaire__in=versions).select_related("questionnaire")
    rows = sorted(responses, key=lambda response: draw(study.seed, "questionnaire file", response.public_id))
    cells = (
        [str(response.questionnaire.version), *(_cell(response.answers.get(name)) for name in names)]
        for response in rows
    )
    return (chunk.encode() for chunk in write_csv(cells, ["version", *names]))


def questionnaire_file(study: Study, purpose: str) -> Iterator[bytes]:
    """Return the stored answers to a questionnaire as a CSV file."""
    return survey_file(study) if purpose == Questionnaire.Purpose.SURVEY else screening_file(study)


def _cell(answer: Any) -> str:
    """Return an answer as text, with semicolons between several options."""
    if answer is None:
        return ""
    return "; ".join(answer) if isinstance(answer, list) else str(answer)
