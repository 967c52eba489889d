"""The CSV file with the stored answers to a questionnaire, which contains no pseudonyms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.exchange.csvtext import write_csv
from annotate.models import Questionnaire, Screening, Study
from annotate.numerics.draws import draw


def screening_file(study: Study) -> Iterator[bytes]:
    """Return the stored answers to the screening questions as a CSV file: one row per person and one column per
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


def _cell(answer: Any) -> str:
    """Return an answer as text. Several options are separated by semicolons."""
    return "; ".join(answer) if isinstance(answer, list) else str(answer)
