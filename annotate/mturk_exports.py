"""The two files of a Mechanical Turk batch, for task types whose module can travel: `static/js/mturk/<slug>.js`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.tasktypes import Export, StudyData

OBSCURED = (
    "The page works without this server, so it carries the expected answers of its gold: obscured, not secret. "
    "Each HIT has its gold fixed, and a worker may meet the same question again; only the first answer is graded."
)


def _input(data: StudyData, result: Mapping[str, Any] | None) -> Iterable[bytes]:
    from annotate.mturk_batch import input_csv  # brings Django, which task types are read without

    return input_csv(data)


def _template(data: StudyData, result: Mapping[str, Any] | None) -> Iterable[bytes]:
    from annotate.mturk_batch import template_html

    return template_html(data)


BATCH = (
    Export(
        "mturk-input.csv", "text/csv; charset=utf-8", "Mechanical Turk: a row for each HIT, gold in place", _input,
        note=OBSCURED,
    ),
    Export(
        "mturk-template.html", "text/html; charset=utf-8", "Mechanical Turk: the page of each HIT", _template,
        note=OBSCURED,
    ),
)  # fmt: skip
