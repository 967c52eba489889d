"""A stored report's files. The contents of these files never change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.core.cache import cache

from accord_core.exchange.arrays import unpack
from accord_core.exchange.zips import zipped
from annotate import tasktypes
from annotate.models import Report, Study
from annotate.results.selectors.downloads import write_export
from annotate.results.selectors.exports import report_document
from annotate.tasktypes import Export

MEASURED = 200_000  # bytes of a report's input up to which a page measures the files of the report
KEPT = 30 * 86_400  # seconds for which the size of a file is stored


@dataclass(frozen=True)
class ReportFile:
    """A file in a report. `write` returns the file's bytes in chunks."""

    name: str
    content_type: str
    description: str
    note: str
    write: Callable[[], Iterable[bytes]]


def report_files(study: Study, report: Report) -> list[ReportFile]:
    """Return a report's files: the task type's exports of results, with the main file first, the figures, and the
    input.
    """
    return [
        *(
            _exported(study, report, export)
            for export in tasktypes.get(study.task_type).exports
            if _is_in(report, export)
        ),
        ReportFile(
            "report.json",
            "application/json",
            "all figures, with parameters, seed, versions and checksum of the input",
            "",
            lambda: [json.dumps(report_document(report), ensure_ascii=False, indent=1).encode()],
        ),
        ReportFile(
            "input.npz",
            "application/octet-stream",
            "the input data of the report, as NumPy arrays",
            f"SHA-256 {report.input_sha256}",
            lambda: [bytes(report.input or b"")],
        ),
    ]


def main_file(study: Study, report: Report) -> ReportFile | None:
    """Return the file that most readers of a report want, or None if the task type has no file of results."""
    exports = tasktypes.get(study.task_type).exports
    export = next((export for export in exports if _is_in(report, export)), None)
    return _exported(study, report, export) if export else None


def sizes(files: Iterable[ReportFile], report: Report, input_size: int | None) -> dict[str, int]:
    """Return the sizes of the files in bytes, by name. The file sizes of large reports are stored when the files are
    downloaded, and are missing before the first download.
    """
    known: dict[str, int] = {}
    for file in files:
        if file.name == "input.npz":
            size = input_size
        else:
            size = cache.get(_key(report, file.name))
            if size is None and (input_size or 0) <= MEASURED:
                size = sum(len(chunk) for chunk in measured(file, report))
        if size is not None:
            known[file.name] = size
    return known


def measured(file: ReportFile, report: Report) -> Iterator[bytes]:
    """Yield the chunks of a file, and store its size after the last chunk."""
    size = 0
    for chunk in file.write():
        size += len(chunk)
        yield chunk
    cache.set(_key(report, file.name), size, KEPT)


def zip_of(study: Study, report: Report, figures: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield a zip archive that contains a report's files and SVG drawings of its figures."""
    files = [(file.name, measured(file, report)) for file in report_files(study, report)]
    drawings = [(f"figures/{name}.svg", [drawing]) for name, drawing in sorted(figures.items())]
    return zipped([*files, *drawings], report.created_at)


def _is_in(report: Report, export: Export) -> bool:
    return bool(report.judgements and (export.needs_report or export.of_columns))


def _exported(study: Study, report: Report, export: Export) -> ReportFile:
    def write() -> Iterable[bytes]:
        if export.of_columns:
            return export.of_columns(unpack(bytes(report.input or b"")))
        return write_export(study, export.filename, report)[1]

    return ReportFile(export.filename, export.content_type, export.description, export.note, write)


def _key(report: Report, filename: str) -> str:
    return f"file-size:{report.public_id}:{filename}"
