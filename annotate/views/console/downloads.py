"""The downloads for a study (/console/<study>/downloads/) and for its reports."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.models import Report, Study
from annotate.refusals import Refused
from annotate.selectors.downloads import exports_of, write_export
from annotate.selectors.exports import report_document
from annotate.selectors.reports import RESULTS, results_reports

from .access import ConsoleRequest, study_page


@dataclass(frozen=True)
class File:
    """An entry in a list of downloads. `href` is empty if the file depends on results that have not been calculated.
    `size` is in bytes.
    """

    name: str
    description: str
    note: str
    href: str
    size: int | None = None


@study_page()
@require_safe
def downloads(request: ConsoleRequest, study: Study) -> HttpResponse:
    latest = results_reports(study).first()
    home = request.console.home
    live = [
        File(
            e.filename, e.description, e.note, "" if e.needs_report and not latest else f"{home}downloads/{e.filename}"
        )
        for e in exports_of(study)
    ]
    annotators = File(
        "annotators.csv",
        "annotators by pseudonym, with standing, gold accuracy, agreement and credit",
        "The file contains no platform IDs or other personal data.",
        f"{home}annotators/annotators.csv",
    )
    context = {
        "study": study,
        "files": [*live, annotators],
        "latest": latest,
        "reports": [(report, report_files(study, report)) for report in results_reports(study)],
    }
    return render(request, "console/downloads.html", context)


@study_page()
@require_safe
def download(request: ConsoleRequest, study: Study, filename: str) -> HttpResponseBase:
    """Return a file that contains the current data of the study. Files that depend on results are calculated from the
    latest report.
    """
    return _stream(study, filename)


@study_page()
@require_safe
def report_file(request: ConsoleRequest, study: Study, number: int, filename: str) -> HttpResponseBase:
    """Return a file of a stored report, whose contents never change."""
    report = study.reports.select_related("study").filter(kind=RESULTS, number=number).first()
    if report is None:
        raise Http404("no such report")
    if filename == "report.json":
        text = json.dumps(report_document(report), ensure_ascii=False, indent=1)
        return _attachment([text.encode()], filename, "application/json")
    if filename == "input.npz" and report.input:
        return _attachment([bytes(report.input)], filename, "application/octet-stream")
    if not any(export.filename == filename and export.needs_report for export in exports_of(study)):
        raise Http404("no such file")
    return _stream(study, filename, report)


def report_files(study: Study, report: Report) -> list[File]:
    """Return the downloadable files of a report."""
    home = f"{reverse('console:studies')}{study.public_id}/results/{report.number}/files/"
    scored = [
        File(export.filename, export.description, export.note, home + export.filename)
        for export in tasktypes.get(study.task_type).exports
        if export.needs_report
    ]
    return [
        *scored,
        File(
            "report.json",
            "all figures, with parameters, seed, versions and checksum of the input",
            "",
            f"{home}report.json",
        ),
        File(
            "input.npz",
            "the input data of the report, as NumPy arrays",
            f"SHA-256 {report.input_sha256}",
            f"{home}input.npz",
            getattr(report, "input_size", None),
        ),
    ]


def _stream(study: Study, filename: str, report: Report | None = None) -> HttpResponseBase:
    try:
        export, chunks = write_export(study, filename, report)
    except Refused as refusal:
        if refusal.status == HTTPStatus.NOT_FOUND:
            raise Http404(refusal.message) from refusal
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain; charset=utf-8")
    return _attachment(chunks, export.filename, export.content_type)


def _attachment(chunks: Iterable[bytes], filename: str, content_type: str) -> HttpResponseBase:
    return StreamingHttpResponse(
        chunks,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )
