"""The pages for results files from other hosts: upload, preview, import and undo."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.core.permissions import Action
from annotate.models import Job, Study
from annotate.mturk.downloads import RESULTS_FILE
from annotate.mturk.forms import ImportForm, ResultFileForm
from annotate.mturk.models import ResultImport
from annotate.mturk.selectors import FILES, results_csv
from annotate.mturk.services.result_imports import discard, receive_results
from annotate.mturk.services.result_steps import IMPORT, PREVIEW, UNDO, carry_out, latest_job
from annotate.results.selectors.export_sizes import remembered
from annotate.server.refusals import Refused, or_404
from annotate.web.attachments import attachment
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, study_page

FAULTS_SHOWN = 200


@study_page(Action.IMPORT_RESULTS)
@require_http_methods(["GET", "HEAD", "POST"])
@body_limit("upload")
def result_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show all of the study's results files, and store a new one."""
    form = ResultFileForm(request.POST, request.FILES) if request.method == "POST" else ResultFileForm()
    if request.method == "POST" and form.is_valid():
        file, batch = form.cleaned_data["file"], form.cleaned_data["batch"]
        with form.show_refusals():
            stored = receive_results(study, filename=file.name, data=file.chunks(), batch=batch, user=request.user)
            form.note_encodings(request)
            return redirect("console:result-file", study.public_id, stored.public_id)
    context = {"study": study, "form": form, "files": study.result_imports.stated().order_by("-pk")}
    context["host_files"] = FILES
    return render(request, "mturk/pages/result_files.html", context, status=422 if form.errors else 200)


@study_page(Action.IMPORT_RESULTS)
@require_safe
def result_file(request: ConsoleRequest, study: Study, result: str) -> HttpResponse:
    """Show the preview of a results file or the outcome of its import. The first visit reads the file."""
    chosen = _chosen(study, result)
    if chosen.state == "waiting" and not chosen.preview and latest_job(chosen) is None:
        try:
            carry_out(chosen, PREVIEW, user=request.user)
        except Refused as refusal:
            return _page(request, chosen, refusal)
        chosen = _chosen(study, result)
    return _page(request, chosen)


@study_page(Action.IMPORT_RESULTS)
@require_POST
def import_(request: ConsoleRequest, study: Study, result: str) -> HttpResponse:
    chosen = _chosen(study, result)
    form = _form(chosen, request.POST)
    if not form.is_valid():
        return _page(request, chosen, form=form)
    return _carry_out(request, chosen, IMPORT, **form.cleaned_data)


@study_page(Action.IMPORT_RESULTS)
@require_POST
def undo(request: ConsoleRequest, study: Study, result: str) -> HttpResponse:
    return _carry_out(request, _chosen(study, result), UNDO)


@study_page(Action.IMPORT_RESULTS, back="results-files/")
@require_POST
def discard_(request: ConsoleRequest, study: Study, result: str) -> HttpResponse:
    """Delete a file that has not been imported."""
    chosen = _chosen(study, result)
    discard(chosen.pk, user=request.user)
    messages.success(request, f"Accord deleted the contents of {chosen.filename}. Nothing was imported.")
    return redirect("console:result-files", study.public_id)


@study_page()
@require_safe
def results_file(request: ConsoleRequest, study: Study) -> StreamingHttpResponse:
    """Return the study's results in Mechanical Turk format, with pseudonyms instead of worker IDs."""
    chunks = (chunk.encode() for chunk in results_csv(study))
    return attachment(remembered(study, RESULTS_FILE, chunks), RESULTS_FILE)


@study_page(Action.SEE_PLATFORM_IDS)
@require_safe
def host_file(request: ConsoleRequest, study: Study, filename: str) -> StreamingHttpResponse:
    """Return a file with worker IDs for a host."""
    chosen = or_404(next((file for file in FILES if file.filename == filename), None), "no such file")
    return attachment(chosen.write(study), chosen.filename)


def _carry_out(request: ConsoleRequest, chosen: ResultImport, step: str, **options: Any) -> HttpResponse:
    try:
        job = carry_out(chosen, step, user=request.user, **options)
    except Refused as refusal:
        return _page(request, chosen, refusal)
    if job is None:
        done = "undid the import of" if step == UNDO else "imported"
        messages.success(request, f"Accord {done} {chosen.filename}.")
    return redirect("console:result-file", chosen.study.public_id, chosen.public_id)


def _form(chosen: ResultImport, data: Any = None) -> ImportForm:
    preview = chosen.preview or {}
    return ImportForm(data, has_unreadable=bool(preview.get("unreadable")), has_changes=bool(preview.get("changes")))


def _page(
    request: ConsoleRequest, chosen: ResultImport, refusal: Refused | None = None, form: ImportForm | None = None
) -> HttpResponse:
    job = latest_job(chosen)
    shown_job = job if job and (job.unfinished or job.state == Job.State.FAILED) else None
    counts = chosen.counts or (chosen.preview or {}).get("counts") or {}
    faults = list(refusal.fields.items())[:FAULTS_SHOWN] if refusal and refusal.code == "faults" else []
    context = {
        "study": chosen.study,
        "file": chosen,
        "job": shown_job,
        "refusal": refusal,
        "faults": faults,
        "counts": counts,
        "form": form or _form(chosen),
    }
    status = refusal.status if refusal else 422 if form else 200
    return render(request, "mturk/pages/result_file.html", context, status=status)


def _chosen(study: Study, public_id: str) -> ResultImport:
    """Return a results file without its contents, which can be large."""
    chosen = get_object_or_404(study.result_imports.stated(), public_id=public_id)
    chosen.study = study
    return chosen
