"""Downloads of a study: those of its task type, and those that every study has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from annotate import tasktypes
from annotate.models import Report, Study
from annotate.selectors.data import study_data
from annotate.services.refusals import Refused
from annotate.tasktypes import Export, StudyData


def answers_jsonl(data: StudyData, result: Mapping[str, Any] | None) -> Iterable[bytes]:
    """Every given answer, whether it counts and, if not, why; one JSON object a line."""
    for row in data.answers:
        yield (json.dumps({**vars(row), "given_at": row.given_at.isoformat()}, ensure_ascii=False) + "\n").encode()


ANSWERS = Export(
    "answers.jsonl", "application/x-ndjson", "every answer under its pseudonym, whether it counts and why not",
    answers_jsonl,
)  # fmt: skip


def exports_of(study: Study) -> list[Export]:
    """Every file that this study can be downloaded as."""
    return [*tasktypes.get(study.task_type).exports(), ANSWERS]


def write_export(study: Study, filename: str, report: Report | None = None) -> tuple[Export, Iterable[bytes]]:
    """The export of that name and its bytes, from `report` or else the latest results.

    Raises `Refused`: `unknown` for another name, `no-report` for one that needs results before there are any.
    """
    export = next((export for export in exports_of(study) if export.filename == filename), None)
    if export is None:
        names = ", ".join(export.filename for export in exports_of(study))
        raise Refused("unknown", f"There is no download {filename}; there are {names}.", status=404)
    report = report or study.reports.filter(kind="results").order_by("-number").first()
    result = report.result if report else None
    if export.needs_report and not (result and result.get("judgements")):
        raise Refused("no-report", f"{filename} needs results: compute them first, once judgements are in.")
    return export, export.write(study_data(study), result)
