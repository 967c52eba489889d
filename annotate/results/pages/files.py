"""The files of a report, as lists of downloads show them."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from annotate.models import Report, Study
from annotate.results.selectors.report_files import report_files, sizes


@dataclass(frozen=True)
class File:
    """An entry in a list of downloads. `href` is empty if the file depends on results that have not been calculated.
    `size` is in bytes. If `estimated` is true, the size is an estimate.
    """

    name: str
    description: str
    note: str
    href: str
    size: int | None = None
    estimated: bool = False


def files_of(study: Study, report: Report) -> list[File]:
    """Return a report's downloadable files with their sizes."""
    home = f"{reverse('console:studies')}{study.public_id}/results/{report.number}/files/"
    files = report_files(study, report)
    known = sizes(files, report, getattr(report, "input_size", None))
    return [File(file.name, file.description, file.note, home + file.name, known.get(file.name)) for file in files]
