"""The exports for Mechanical Turk: the two files of a batch, for task types with a batch page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.tasktypes import OTHER_FORMATS, Export, StudyData
from annotate.tasktypes.row_fields import Field, Rows

OBSCURED = (
    "The page works without this server, so it contains the expected answers of its gold questions. The expected "
    "answers are obscured, but not secret. Each HIT has fixed gold questions, so a worker can get the same question "
    "twice. "
    "Only the first answer to a gold question is graded."
)

BATCH_ROWS = Rows(
    (
        Field("study", "text", "ID of the study"),
        Field("hit", "integer", "number of the HIT"),
        Field("questions", "text", "the HIT's questions, which the template reads"),
    )
)


def _input(data: StudyData, result: Mapping[str, Any] | None) -> Iterable[bytes]:
    from annotate.mturk.batch import input_csv  # imports Django, which task types must not need

    return input_csv(data)


def _template(data: StudyData, result: Mapping[str, Any] | None) -> Iterable[bytes]:
    from annotate.mturk.batch import template_html

    return template_html(data)


BATCH = (
    Export(
        "mturk-input.csv",
        "text/csv; charset=utf-8",
        "Mechanical Turk input file, with one row per HIT",
        _input,
        note=OBSCURED,
        group=OTHER_FORMATS,
        rows=BATCH_ROWS,
    ),
    Export(
        "mturk-template.html",
        "text/html; charset=utf-8",
        "Mechanical Turk template, the page of each HIT",
        _template,
        note=OBSCURED,
        group=OTHER_FORMATS,
    ),
)
