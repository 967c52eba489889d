"""The pages for uploading, previewing and importing files of items, gold questions or practice questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accord_core.exchange.layout import template as file_template
from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.data.item_files import fits_both_readings
from annotate.data.known_rows import KnownRows
from annotate.data.readings import read_as, readings
from annotate.data.services.imports import import_upload, read_again
from annotate.data.services.reading import preview_job
from annotate.data.services.removal import removal_to_undo, remove_import, restore_import
from annotate.data.services.uploads import is_large, preview, receive, set_layout, stored_preview
from annotate.models import Study, Upload
from annotate.server.refusals import Refused
from annotate.web.body_limits import body_limit
from annotate.web.forms import UploadForm
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.undo import notify_with_undo

from .preview_parts import first_row_readings, known_rows, layout_form, sample_table, skippable_lines

FAULTS_SHOWN = 200
LINES_NAMED = 20
# This mapping contains the page for each kind of file, and the term for its rows.
HOMES = {
    "items": ("console:items", "item"),
    "gold": ("console:gold", "gold question"),
    "practice": ("console:gold", "practice question"),
}


@study_page(Action.IMPORT_FILES)
@require_POST
@body_limit("upload")
def upload(request: ConsoleRequest, study: Study, purpose: str) -> HttpResponse:
    """Store the file, and show the preview of its import."""
    if purpose not in HOMES:
        raise Http404("no such kind of file")
    form = UploadForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        with form.show_refusals():
            stored_upload = receive(study, purpose=purpose, filename=file.name, data=file.chunks(), user=request.user)
            return redirect("console:upload-preview", study.public_id, stored_upload.public_id)
    _show_tab(request, purpose)
    context = {"study": study, "form": form, "purpose": purpose, "home": HOMES[purpose][0]} | limits()
    return render(request, "data/items_upload.html", context, status=422)


@study_page(Action.IMPORT_FILES)
@require_safe
def show(request: ConsoleRequest, study: Study, upload: str) -> HttpResponse:
    return _page(request, _upload(study, upload))


@study_page()
@require_safe
def template(request: ConsoleRequest, study: Study, purpose: str) -> HttpResponse:
    """Return a CSV file with the columns for this kind of file and one example row."""
    if purpose not in HOMES:
        raise Http404("no such kind of file")
    task = tasktypes.get(study.task_type)
    columns = task.file_columns(study.options, of_items=purpose == Upload.Purpose.ITEMS)
    items = study.items.order_by("-held_out", "pk").values_list("key", flat=True)[: len(columns)]
    headers = {"Content-Disposition": f'attachment; filename="{study.task_type}-{purpose}-template.csv"'}
    return HttpResponse(file_template(columns, list(items)), content_type="text/csv; charset=utf-8", headers=headers)


@study_page(Action.IMPORT_FILES)
@require_POST
def layout(request: ConsoleRequest, study: Study, upload: str) -> HttpResponse:
    """Change the file's layout, and show the new preview."""
    stored_upload = _upload(study, upload)
    summary = stored_preview(stored_upload) if is_large(stored_upload) else preview(stored_upload)
    form = layout_form(stored_upload, summary, request.POST) if summary else None
    if form is None or not form.is_valid():
        messages.error(request, "The file's columns have changed in the meantime. Choose the columns again.")
    else:
        try:
            set_layout(stored_upload.pk, form.chosen(), user=request.user)
        except Refused as refusal:
            return _page(request, stored_upload, refusal)
    return redirect("console:upload-preview", study.public_id, stored_upload.public_id)


@study_page(Action.IMPORT_FILES)
@require_POST
def import_(request: ConsoleRequest, study: Study, upload: str) -> HttpResponse:
    """Import all rows of the file or, if it has errors, import nothing. A background job imports large files.

    With `skip`, rows with errors are excluded first.
    """
    stored_upload = _upload(study, upload)
    if "skip" in request.POST:
        return _import_good_rows(request, stored_upload)
    home, noun = HOMES[stored_upload.purpose]
    sent = request.POST.get("known", KnownRows.STOP)
    known = KnownRows(sent) if sent in list(KnownRows) else KnownRows.STOP
    if is_large(stored_upload) and stored_upload.revealed_at is None:
        summary = stored_preview(stored_upload)
        if summary is None or not summary.allows(known):
            return _page(request, stored_upload)
        parameters = {"upload": stored_upload.public_id, "known": known}
        request_job(study, f"import:{stored_upload.purpose}", parameters=parameters, user=request.user)
        return redirect(home if home == "console:items" else "console:jobs", study.public_id)
    try:
        count = import_upload(stored_upload.pk, user=request.user, known=known)
    except Refused as refusal:
        return _page(request, stored_upload, refusal)
    messages.success(request, f"Accord imported {with_noun(count, noun)} from {stored_upload.filename}.")
    return redirect(home, study.public_id)


@study_page(Action.REMOVE_IMPORT)
@require_POST
def remove(request: ConsoleRequest, study: Study, upload: str) -> HttpResponse:
    """Remove the rows that were imported from a file. The file itself is kept and can be imported again. With `again`,
    show its preview, in which the columns can be changed. With one of its `readings`, read it in this way.
    """
    stored_upload = _upload(study, upload)
    home, noun = HOMES[stored_upload.purpose]
    try:
        if "reading" in request.POST:
            return _read_again(request, stored_upload)
        count = remove_import(stored_upload.pk, user=request.user)
        notify_with_undo(
            request,
            f"Accord removed {with_noun(count, noun)} that came from {stored_upload.filename}.",
            address=reverse("console:restore-import", args=[study.public_id, upload]),
            seen=removal_to_undo(stored_upload),
        )
        if "again" in request.POST:
            return redirect("console:upload-preview", study.public_id, upload)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(home, study.public_id)


@study_page(Action.REMOVE_IMPORT)
@require_POST
def restore(request: ConsoleRequest, study: Study, upload: str) -> HttpResponse:
    """Undo the removal of a file's rows."""
    stored_upload = _upload(study, upload)
    home, noun = HOMES[stored_upload.purpose]
    try:
        restore_import(stored_upload.pk, seen=request.POST.get("seen", ""), user=request.user)
        messages.success(request, f"Accord restored the {noun}s from {stored_upload.filename}.")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(home, study.public_id)


def _read_again(request: ConsoleRequest, upload: Upload) -> HttpResponse:
    """Replace the items of the file with those of another reading. Raises `Refused`."""
    reading, task = request.POST["reading"], tasktypes.get(upload.study.task_type)
    summary = preview(upload)
    if layout := read_as(summary, task, reading):
        count = read_again(upload.pk, layout, user=request.user)
        chosen = readings(summary, task)[reading]
        messages.success(request, f"{with_noun(count, 'item')} from {upload.filename}, as {chosen}.")
    return redirect(HOMES[upload.purpose][0], upload.study.public_id)


def _import_good_rows(request: ConsoleRequest, upload: Upload) -> HttpResponse:
    """Import the rows without errors. If the file is large, if the study already contains some of its rows, or if other
    rows would also change, only exclude the rows with errors, and show the new preview.
    """
    home, noun = HOMES[upload.purpose]
    summary = stored_preview(upload) if is_large(upload) else preview(upload)
    if summary and summary.layout and (lines := skippable_lines(summary)):
        skipped = summary.layout.skipped | set(lines)
        try:
            changed = set_layout(upload.pk, replace(summary.layout, skipped=skipped), user=request.user)
            if not is_large(changed) and (new := preview(changed)).importable and new.rows == summary.rows:
                count = import_upload(changed.pk, user=request.user)
                imported, skipped_rows = with_noun(count, noun), _in_lines(sorted(skipped))
                messages.success(
                    request, f"Accord imported {imported} from {upload.filename} and skipped {skipped_rows}."
                )
                return redirect(home, upload.study.public_id)
        except Refused as refusal:
            return _page(request, upload, refusal)
    return redirect("console:upload-preview", upload.study.public_id, upload.public_id)


def limits() -> dict[str, int]:
    """Return the limits on uploads, as shown on pages."""
    return {
        "limit_bytes": settings.LIMIT_UPLOAD_BYTES,
        "limit_rows": settings.LIMIT_ROWS,
    }


def _page(request: ConsoleRequest, upload: Upload, refusal: Refused | None = None) -> HttpResponse:
    study = upload.study
    home, noun = HOMES[upload.purpose]
    _show_tab(request, upload.purpose)
    large = upload.revealed_at is None and is_large(upload)
    summary = (stored_preview(upload) if large else preview(upload)) if upload.revealed_at is None else None
    if large and summary is None:
        return _waiting(request, upload)
    task = tasktypes.get(study.task_type)
    context: dict[str, Any] = {
        "study": study,
        "upload": upload,
        "preview": summary,
        "refusal": refusal,
        "home": home,
        "noun": noun,
        "form": UploadForm(),
        "purpose": upload.purpose,
        "table": sample_table(study, summary) if summary else ([], []),
        "layout": layout_form(upload, summary) if summary else None,
        "readings": first_row_readings(summary) if summary else [],
        "in_doubt": summary and upload.purpose == Upload.Purpose.ITEMS and fits_both_readings(summary, task),
        "skippable": skippable_lines(summary) if summary else [],
        "large": large,
        "known_rows": known_rows(upload, summary) if summary and summary.known else None,
        "removed": removal_to_undo(upload) if upload.revealed_at is None and study.is_draft else None,
    }
    if summary:
        context |= {
            "faults": summary.faults[:FAULTS_SHOWN],
            "more_faults": max(0, summary.fault_count - FAULTS_SHOWN),
            "warnings": summary.warnings[:FAULTS_SHOWN],
            "more_warnings": max(0, summary.warning_count - FAULTS_SHOWN),
        }
    status = 200 if refusal is None else refusal.status
    return render(request, "data/items_preview.html", context | limits(), status=status)


def _show_tab(request: ConsoleRequest, purpose: str) -> None:
    if purpose != Upload.Purpose.ITEMS:
        request.console.belongs_to("gold/")


def _in_lines(lines: Sequence[int]) -> str:
    """Return the number of rows with errors and their lines, such as “2 rows with errors (lines 10, 11)”."""
    shown = ", ".join(f"{line:,}" for line in lines[:LINES_NAMED])
    more = f" and {len(lines) - LINES_NAMED:,} more" if len(lines) > LINES_NAMED else ""
    return f"{with_noun(len(lines), 'row')} with errors ({'line' if len(lines) == 1 else 'lines'} {shown}{more})"


def _waiting(request: ConsoleRequest, upload: Upload) -> HttpResponse:
    """Show the progress of the job that reads a large file. The view starts this job if necessary."""
    study = upload.study
    job = preview_job(upload, user=request.user)
    context = {"study": study, "upload": upload, "job": job, "home": HOMES[upload.purpose][0]}
    return render(request, "data/items_reading.html", context)


def _upload(study: Study, public_id: str) -> Upload:
    """Return an upload without its content, which the web process reads only if the file is small."""
    return get_object_or_404(study.uploads.defer("content"), public_id=public_id)
