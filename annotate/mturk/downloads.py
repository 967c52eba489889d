"""The results file on the page Files, and whether a study can have results from other hosts."""

from __future__ import annotations

from annotate import tasktypes
from annotate.core.selectors.counts import totals
from annotate.models import Study
from annotate.results.selectors.export_sizes import last_download
from annotate.tasktypes.extensions import LiveFile

from .selectors import results_csv

RESULTS_FILE = "mturk-results.csv"
MEASURED_JUDGEMENTS = 2_000  # up to this number, the page measures the file


def live_files(study: Study) -> list[LiveFile]:
    """Return the study's results in the format of Mechanical Turk."""
    return [
        LiveFile(
            RESULTS_FILE,
            "all submitted assignments in the results format of Mechanical Turk",
            "The column WorkerId contains pseudonyms.",
            f"host-files/{RESULTS_FILE}",
            _size,
        )
    ]


def has_results(study: Study) -> bool:
    """Return whether the study can have results from other hosts. Their workers belong to no group, so quotas exclude
    them.
    """
    task = tasktypes.get(study.task_type)
    return (task.batch or task.reads_archives) and not study.has_quotas


def _size(study: Study) -> tuple[int | None, bool]:
    """Return the size of the results file, and whether it is an estimate. The size of a large file is known after its
    first download.
    """
    if totals(study).judgements > MEASURED_JUDGEMENTS:
        size = last_download(study, RESULTS_FILE)
        return (size.bytes if size else None), True
    return sum(len(chunk.encode()) for chunk in results_csv(study)), False
