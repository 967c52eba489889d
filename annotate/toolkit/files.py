"""Console pages that convert other files into an item file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from accord_core.exchange.faults import Fault, TableError
from annotate.data.services.uploads import receive
from annotate.models import Study, Upload
from annotate.server.refusals import Refused
from annotate.web.forms import TextFilesForm
from annotate.web.pages.access import ConsoleRequest

FAULTS_SHOWN = 100


@dataclass(frozen=True)
class ItemsFile:
    """An item file that was created from a form. `message` explains to the researcher how the file was created."""

    name: str
    data: bytes
    message: str = ""


class ItemsFileForm(TextFilesForm):
    """A form that combines the uploaded files into one item file."""

    def items(self, study: Study) -> ItemsFile:
        """Return the item file. Raise `TableError` for errors in the files, or `Refused` for any other reason to reject
        the form.
        """
        raise NotImplementedError


def items_from_files(
    request: ConsoleRequest, study: Study, form: type[ItemsFileForm], template: str, **initial: Any
) -> HttpResponse:
    """Show a form for uploading files, and open a preview of the resulting items.

    The researcher imports the items there, as with any other upload. The template receives `form`, the first `faults`
    and the number of `more` errors.
    """
    shown, faults, status = form(initial=initial), [], 200
    if request.method == "POST":
        shown, status = form(request.POST, request.FILES), 422
        if shown.is_valid():
            try:
                file = shown.items(study)
                upload = receive(
                    study, purpose=Upload.Purpose.ITEMS, filename=file.name, data=file.data, user=request.user
                )
            except TableError as error:
                faults = [_in_file(error.name, fault) for fault in error.faults]
            except Refused as refusal:
                shown.refuse(refusal)
            else:
                shown.note_encodings(request)
                if file.message:
                    messages.info(request, file.message)
                return redirect("console:upload-preview", study.public_id, upload.public_id)
    context = {
        "study": study,
        "form": shown,
        "faults": faults[:FAULTS_SHOWN],
        "more": max(0, len(faults) - FAULTS_SHOWN),
    }
    return render(request, template, context, status=status)


def _in_file(name: str, fault: Fault) -> str:
    """Return an error with the name of its file. Without a `name`, the column of the error names the file."""
    file, column = (name, fault.column) if name else (fault.column, None)
    within = fault._replace(column=column)
    return str(TableError(file, [within])) if file else str(within)
