"""The downloads for a study (/console/<study>/downloads/) and for its reports."""

from __future__ import annotations

import json
import re
from http import HTTPStatus

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.models import Report, Study
from annotate.people.selectors.annotators_file import annotators_csv
from annotate.results.pages.reports import File
from annotate.results.selectors.downloads import can_write, exports_of, write_export
from annotate.results.selectors.export_sizes import FileSize, export_sizes, remembered
from annotate.results.selectors.files import measured, report_files, zip_of
from annotate.results.selectors.reports import RESULTS, results_reports
from annotate.server.refusals import Refused, or_404
from annotate.tasktypes import ANSWER_FILES, OTHER_FORMATS, Export, extensions
from annotate.tasktypes.capabilities import FILE_GROUPS, RESULT_FILES
from annotate.web.attachments import attachment
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, study_page

MEASURED_ANNOTATORS = 200  # up to this number, the page measures annotators.csv
BYTES_PER_ANNOTATOR = 130
REPORTS_SHOWN = 5  # the latest ones; the page Reports lists all
MOST_DRAWINGS = 10_000_000  # bytes
CHART_NAME = re.compile(r"[a-z0-9-]{1,60}")


@study_page()
@require_safe
def downloads(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show all files in one table: the results first, and the stored reports at the end."""
    latest = results_reports(study).first()
    files = _files(study, request.console.home, latest)
    context = {
        "study": study,
        "groups": _groups(study, files),
        "latest": latest,
        "annotators": study.participations.annotators().count(),
        "simulated": study.participations.simulated().count(),
        "reports": results_reports(study)[:REPORTS_SHOWN],
    }
    return render(request, "console/downloads.html", context)


def _groups(study: Study, files: list[File]) -> list[tuple[str, str, list[File]]]:
    """Return the groups of files. Each result file comes either from the latest report or from the current answers."""
    of_report = {export.filename for export in exports_of(study) if export.needs_report}
    members = {group: [file for file in files if file.group == group] for group in FILE_GROUPS}
    results = members.pop(RESULT_FILES)
    return [
        (RESULT_FILES, "report", [file for file in results if file.name in of_report]),
        (RESULT_FILES, "answers", [file for file in results if file.name not in of_report]),
        *((group, "", of_group) for group, of_group in members.items()),
    ]


def _files(study: Study, home: str, latest: Report | None) -> list[File]:
    exports = exports_of(study)
    known = export_sizes(study, exports, latest)
    live = [_live(export, home, latest, known.get(export.filename)) for export in exports]
    annotators = File(
        "annotators.csv",
        "annotators by pseudonym, with standing, gold accuracy, agreement and credit",
        "The file contains no platform IDs, names or contacts, and no results of answers that annotators excluded.",
        f"{home}annotators/annotators.csv",
        *_annotators_size(study),
        group=ANSWER_FILES,
        empty=not study.participations.annotators().exists(),
    )
    # A task type can provide a file of its own. Two different files with the same name would be confusing.
    names = {file.name for file in live}
    added = [
        File(file.filename, file.description, file.note, home + file.path, *file.size(study), group=OTHER_FORMATS)
        for file in extensions.live_files(study)
        if file.filename not in names
    ]
    return [*live, annotators, *added]


def _annotators_size(study: Study) -> tuple[int, bool]:
    """Return the size of annotators.csv, and whether it is an estimate."""
    number = study.participations.annotators().count()
    if number > MEASURED_ANNOTATORS:
        return number * BYTES_PER_ANNOTATOR, True
    return sum(map(len, annotators_csv(study))), False


def _live(export: Export, home: str, latest: Report | None, size: FileSize | None) -> File:
    href = f"{home}downloads/{export.filename}" if can_write(export, latest) else ""
    number, estimated = (size.bytes, not size.exact) if size else (None, False)
    empty = bool(size and size.empty)
    return File(export.filename, export.description, export.note, href, number, estimated, export.group, empty)


@study_page()
@require_safe
def download(request: ConsoleRequest, study: Study, filename: str) -> HttpResponseBase:
    """Return a file that contains the study's current data. Files that depend on results are calculated from the latest
    report. If the file cannot be written, the table of files gives the reason.
    """
    try:
        export, chunks = write_export(study, filename)
    except Refused as refusal:
        if refusal.status == HTTPStatus.NOT_FOUND:
            raise Http404(refusal.message) from refusal
        messages.error(request, refusal.message)
        return redirect("console:downloads", study.public_id)
    return attachment(remembered(study, filename, chunks), export.filename, export.content_type)


@study_page()
@require_safe
def report_file(request: ConsoleRequest, study: Study, number: int, filename: str) -> HttpResponseBase:
    """Return a file of a stored report. The file's contents never change."""
    report = _report(study, number)
    file = or_404(next((file for file in report_files(study, report) if file.name == filename), None), "no such file")
    return attachment(measured(file, report), file.name, file.content_type)


@study_page()
@body_limit("upload")
def report_zip(request: ConsoleRequest, study: Study, number: int) -> HttpResponseBase:
    """Return a zip archive with all files of a report.

    Charts are drawn in the browser, which can send the drawings in the file `figures`, a JSON object of SVG documents.
    """
    report = _report(study, number)
    figures = _figures(request) if request.method == "POST" else {}
    return attachment(zip_of(study, report, figures), f"report-{report.number}.zip", "application/zip")


def _report(study: Study, number: int) -> Report:
    return or_404(study.reports.select_related("study").filter(kind=RESULTS, number=number).first(), "no such report")


def _figures(request: ConsoleRequest) -> dict[str, bytes]:
    """Return the chart images in the request, by chart name."""
    file = request.FILES.get("figures")
    if file is None:
        return {}
    if (file.size or 0) > MOST_DRAWINGS:
        raise BadRequest("The chart images are too large.")
    try:
        drawings = json.loads(file.read())
        json.dumps(drawings, ensure_ascii=False).encode()  # half of a surrogate pair has no encoding
    except ValueError:
        raise BadRequest("The chart images must be a JSON object.") from None
    if not isinstance(drawings, dict):
        raise BadRequest("The chart images must be a JSON object.")
    return {
        name: drawing.encode()
        for name, drawing in drawings.items()
        if CHART_NAME.fullmatch(name) and isinstance(drawing, str)
    }
