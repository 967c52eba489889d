"""Bringing in the two sentence files of interpretable STS, plain or with chunks in brackets."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render

from alignment_ui.chunks.two_files import items_of
from annotate.exchange.faults import Fault, TableError
from annotate.forms.looks import ConsoleForm
from annotate.models import Study
from annotate.refusals import Refused
from annotate.services.reading import read_bounded
from annotate.services.uploads import receive
from annotate.views.console.access import ConsoleRequest

SHOWN = 100


class ChunkFilesForm(ConsoleForm):
    source = forms.FileField(label="First sentences", help_text="A sentence a line, as words or as [ chunks ].")
    target = forms.FileField(label="Second sentences", help_text="The same number of lines, in the same order.")
    dataset = forms.CharField(
        label="Dataset", required=False, max_length=200,
        help_text="Such as images; bring other datasets in one by one.",
    )  # fmt: skip


def two_chunk_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    """One file of items in JSON Lines comes of them, which goes the way of every other: preview, then import."""
    form, faults = ChunkFilesForm(), []
    if request.method == "POST":
        if not request.console.may["manage"]:
            raise Refused("forbidden", "Your role does not bring data in.", status=404)
        form = ChunkFilesForm(request.POST, request.FILES)
        if form.is_valid():
            source, target = form.cleaned_data["source"], form.cleaned_data["target"]
            try:
                names = (source.name, target.name)
                data = read_bounded(
                    " and ".join(names), source.size + target.size, items_of, source.read(), target.read(), names,
                    dataset=form.cleaned_data["dataset"].strip(), column=study.options["dataset"],
                )  # fmt: skip
                name = f"{' and '.join(names)}.jsonl"
                upload = receive(study, purpose="items", filename=name, data=data, user=request.user)
                return redirect("console:upload-preview", study.public_id, upload.public_id)
            except TableError as error:
                faults = [Fault(fault.line, error.name, fault.message) for fault in error.faults]
            except Refused as refusal:
                form.refuse(refusal)
    status = 422 if request.method == "POST" else 200
    context = {"study": study, "form": form, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN)}
    return render(request, "chunks/two_files.html", context, status=status)
