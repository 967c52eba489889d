"""Functions that calculate and store the agreement on each of a study's questions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from statistics import median
from typing import Any

from annotate import tasktypes
from annotate.core.services.writing import write
from annotate.models import FiguresState, Question, QuestionFigures, Study
from annotate.questions.selectors.agreement import fingerprint, queue_agreement
from annotate.questions.selectors.questions import answers_that_count
from annotate.server import clock
from annotate.tasktypes import Progress

ROWS = 2_000  # rows that are read or written at the same time
COLUMNS = ("judgements", "agreement", "seconds")


def calculate_figures(study_id: int, *, progress: Progress) -> int:
    """Calculate the agreement on each question that has counted answers. Return the number of these questions.

    Only changed rows are written, in small transactions, so that annotators can answer during the calculation. The
    state is read before the answers: answers that arrive during the calculation make the figures outdated again.
    """
    study = Study.objects.get(pk=study_id)
    state, calculated_at = fingerprint(study), clock.now()
    earlier = {row.question_id: row for row in QuestionFigures.objects.filter(study=study).iterator(chunk_size=ROWS)}
    calculated = 0
    progress(0.0, "comparing the answers")
    figures = _figures(study)
    while some := list(islice(figures, ROWS)):
        calculated += len(some)
        _store(some, earlier)
    with write():
        QuestionFigures.objects.filter(question__in=list(earlier)).delete()  # their answers no longer count
        FiguresState.objects.update_or_create(study=study, defaults={**vars(state), "calculated_at": calculated_at})
    return calculated


def _store(rows: list[QuestionFigures], earlier: dict[int, QuestionFigures]) -> None:
    """Save new and changed rows, and remove them from `earlier`."""
    new, changed = [], []
    for row in rows:
        before = earlier.pop(row.question_id, None)
        if before is None:
            new.append(row)
        elif any(getattr(before, name) != getattr(row, name) for name in COLUMNS):
            row.pk = before.pk
            changed.append(row)
    with write():
        QuestionFigures.objects.bulk_create(
            new, update_conflicts=True, unique_fields=["question"], update_fields=COLUMNS
        )
        QuestionFigures.objects.bulk_update(changed, COLUMNS)


def _figures(study: Study) -> Iterator[QuestionFigures]:
    task = tasktypes.get(study.task_type)
    for (question, payload), rows in groupby(_answers(study), key=lambda row: row[:2]):
        answers = list(rows)
        times = [seconds for *_, seconds in answers if seconds is not None]
        yield QuestionFigures(
            study=study,
            question_id=question,
            judgements=len(answers),
            agreement=queue_agreement(task, payload, [value for _, _, value, _ in answers], study.options),
            seconds=median(times) if times else None,
        )


def _answers(study: Study) -> Iterator[Any]:
    answers = answers_that_count(study).exclude(question__kind=Question.Kind.PRACTICE).order_by("question", "pk")
    yield from answers.values_list("question", "question__payload", "value", "seconds").iterator(chunk_size=ROWS)
