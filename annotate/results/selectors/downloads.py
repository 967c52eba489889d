"""The files that can be downloaded from a study: the task type's files, the answers, and annotators' messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotate import tasktypes
from annotate.core.selectors.stored import StoredResult
from annotate.models import Report, Study
from annotate.questions.selectors.data import one_snapshot, study_data
from annotate.results.selectors.exports import ANSWERS, MESSAGES
from annotate.results.selectors.reports import RESULTS
from annotate.server.refusals import Refused
from annotate.tasktypes import Export, TaskType, extensions


def exports_of(study: Study) -> list[Export]:
    """Return every file that can be exported from this study."""
    return exports_for(tasktypes.get(study.task_type))


def exports_for(task: TaskType) -> list[Export]:
    """Return every file that can be exported from studies of this task type."""
    return [*task.exports, *extensions.exports(task), ANSWERS, MESSAGES]


def write_export(study: Study, filename: str, report: Report | None = None) -> tuple[Export, Iterable[bytes]]:
    """Return the export with this filename and its bytes, taken from `report` or, by default, from the latest results
    report.

    Raises `Refused` with the code `unknown` for an unknown filename, or `no-report` if the export needs results and
    there are none.
    """
    export = next((export for export in exports_of(study) if export.filename == filename), None)
    if export is None:
        names = ", ".join(export.filename for export in exports_of(study))
        raise Refused("unknown", f"The file {filename} does not exist. Available files: {names}.", status=404)
    report = report or latest_results(study)
    if not can_write(export, report):
        raise Refused(
            "no-report", f"{filename} needs results. Calculate the results after annotators have submitted judgements."
        )
    with one_snapshot():  # some exports read everything before their first chunk
        chunks = export.write(study_data(study, streamed=True), StoredResult(report) if report else None)
    return export, _streamed(chunks)


def can_write(export: Export, report: Report | None) -> bool:
    """Return whether the export can be written, which requires either an export without results or a report with
    results.
    """
    return not export.needs_report or bool(report and report.judgements)


def latest_results(study: Study) -> Report | None:
    """Return the latest results report without its large columns, or None if there is no results report."""
    return study.reports.filter(kind=RESULTS).defer("input", "result", "people").order_by("-number").first()


def _streamed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Start the transaction with the first chunk, after middleware has processed the response."""
    with one_snapshot():
        yield from chunks
