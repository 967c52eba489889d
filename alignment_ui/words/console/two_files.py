"""Bringing in pairs from two files, a sentence a line each, and if wanted a third with the links of each pair.

What comes of them is one file of items in JSON Lines, which then goes the way of every other: preview, then import.
"""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render

from alignment_ui.words.two_files import TwoFiles, items_of
from annotate.exchange.faults import Fault
from annotate.exchange.tables import Limits
from annotate.forms.looks import ConsoleForm
from annotate.models import Study
from annotate.refusals import Refused
from annotate.services.reading import read_bounded
from annotate.services.uploads import receive
from annotate.views.console.access import ConsoleRequest

SHOWN = 100


class TwoFilesForm(ConsoleForm):
    source = forms.FileField(label="First sentences", help_text="Plain text, a sentence a line.")
    target = forms.FileField(label="Second sentences", help_text="The same number of lines, in the same order.")
    prealignment = forms.FileField(
        label="Links to begin with", required=False,
        help_text="A line for each pair, as in 0-0 1?2, empty for no links; or any other format of word alignments.",
    )  # fmt: skip
    subcorpus = forms.CharField(
        label="Subcorpus", required=False, max_length=200,
        help_text="Where these pairs come from, such as news; bring other subcorpora in one by one.",
    )  # fmt: skip


def two_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = TwoFilesForm()
    faults: list[Fault] = []
    if request.method == "POST":
        if not request.console.may["manage"]:
            raise Refused("forbidden", "Your role does not bring data in.", status=404)
        form = TwoFilesForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                faults, items = _items(study, form)
                if not faults:
                    return _handed_on(request, study, form, items)
            except Refused as refusal:
                form.refuse(refusal)
    status = 422 if request.method == "POST" else 200
    context = {"study": study, "form": form, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN)}
    return render(request, "words/two_files.html", context, status=status)


def _items(study: Study, form: TwoFilesForm) -> tuple[list[Fault], bytes]:
    given = form.cleaned_data
    links = given["prealignment"]
    files = TwoFiles(given["source"].read(), given["target"].read(), (links.name, links.read()) if links else None)
    return read_bounded(
        f"{given['source'].name} and {given['target'].name}", files.size, items_of, files,
        limits=Limits(rows=settings.LIMIT_ROWS, bytes=settings.LIMIT_UPLOAD_BYTES),
        tokenise=study.options["tokenise"], subcorpus=given["subcorpus"].strip(), column=study.options["subcorpus"],
    )  # fmt: skip


def _handed_on(request: ConsoleRequest, study: Study, form: TwoFilesForm, items: bytes) -> HttpResponse:
    name = f"{form.cleaned_data['source'].name} and {form.cleaned_data['target'].name}.jsonl"
    upload = receive(study, purpose="items", filename=name, data=items, user=request.user)
    return redirect("console:upload-preview", study.public_id, upload.public_id)
