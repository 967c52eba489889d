"""Services that store the repairs expected from a decision on each question."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from annotate.core.services.writing import write
from annotate.models import QuestionFigures, Study
from annotate.questions.selectors.agreement import figures_age
from annotate.questions.selectors.decision_pace import decision_pace

from .figures import ROWS, calculate_figures

COLUMNS = ("expected_repairs", "repairs_per_minute")
FASTEST, SLOWEST = 0.5, 2.0


def store_repairs(study: Study, repairs: Mapping[str, float]) -> None:
    """Store each question's expected number of repairs, by ref, in total and per minute.

    The questions that annotators answer slowly also take reviewers longer. The expected time of a decision is the
    study's usual time, scaled by the question's median answer time relative to that of all questions. The factor is at
    most 2 and at least ½, because a few answers give only a rough time.
    """
    if not figures_age(study).current:
        calculate_figures(study.pk, progress=lambda share, step: None)
    pace = decision_pace(study).seconds
    rows = QuestionFigures.objects.filter(study=study)
    times = [seconds for seconds in rows.values_list("seconds", flat=True) if seconds]
    usual = median(times) if times else 1.0
    changed = []
    for row in rows.select_related("question").only("seconds", *COLUMNS, "question__ref").iterator(chunk_size=ROWS):
        expected = repairs.get(row.question.ref)
        factor = min(max((row.seconds or usual) / usual, FASTEST), SLOWEST)
        rate = (expected or 0.0) * 60 / (pace * factor)
        if (row.expected_repairs, row.repairs_per_minute) != (expected, rate):
            row.expected_repairs, row.repairs_per_minute = expected, rate
            changed.append(row)
    for first in range(0, len(changed), ROWS):
        with write():
            QuestionFigures.objects.bulk_update(changed[first : first + ROWS], COLUMNS)
