"""Bringing in pairs from two files, a sentence a line each, and if wanted a third with the links of each pair.

What comes of them is one file of items in JSON Lines, which then goes the way of every other: preview, then import.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render

from alignment_ui.formats.corpus import Corpus, SentencePair
from alignment_ui.formats.pairs import PairRow, PairsRead, read_two_files
from alignment_ui.formats.registry import read_alignments
from alignment_ui.word_answer import as_value
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.tables import Limits
from annotate.forms.looks import ConsoleForm
from annotate.models import Study
from annotate.refusals import Refused
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
    form, read = TwoFilesForm(), None
    if request.method == "POST":
        if not request.console.may["manage"]:
            raise Refused("forbidden", "Your role does not bring data in.", status=404)
        form = TwoFilesForm(request.POST, request.FILES)
        if form.is_valid():
            read = _read(study, form)
            if not read.faults:
                try:
                    return _handed_on(request, study, form, read)
                except Refused as refusal:
                    form.refuse(refusal)
    status = 422 if request.method == "POST" else 200
    context = {"study": study, "form": form, "faults": read.faults[:SHOWN] if read else [],
               "more": max(0, len(read.faults) - SHOWN) if read else 0}  # fmt: skip
    return render(request, "alignment_ui/two_files.html", context, status=status)


def _read(study: Study, form: TwoFilesForm) -> PairsRead:
    """The pairs of the two files, with the links of the third if there is one."""
    read = read_two_files(
        form.cleaned_data["source"].read(), form.cleaned_data["target"].read(),
        limits=Limits(rows=settings.LIMIT_ROWS, bytes=settings.LIMIT_UPLOAD_BYTES),
        tokenise=study.options["tokenise"],
    )  # fmt: skip
    links = form.cleaned_data["prealignment"]
    if links is None or read.faults:
        return read
    sentences = Corpus(
        "the two files", "lines", "none",
        [SentencePair(None, row.source, row.target, line=row.line) for row in read.rows],
    )  # fmt: skip
    try:
        linked = read_alignments(links.read(), name=links.name, sentences=sentences)
    except TableError as error:
        faults = [Fault(fault.line, error.name, fault.message) for fault in error.faults]
        return read._replace(rows=[], faults=faults)
    rows = [row._replace(prealignment=pair.alignment) for row, pair in zip(read.rows, linked.pairs, strict=True)]
    return read._replace(rows=rows)


def _handed_on(request: ConsoleRequest, study: Study, form: TwoFilesForm, read: PairsRead) -> HttpResponse:
    subcorpus = form.cleaned_data["subcorpus"].strip()
    name = f"{form.cleaned_data['source'].name} and {form.cleaned_data['target'].name}.jsonl"
    lines = _items(read.rows, subcorpus, study.options["subcorpus"])
    upload = receive(
        study, purpose="items", filename=name, data="".join(lines).encode(), user=request.user
    )  # fmt: skip
    return redirect("console:upload-preview", study.public_id, upload.public_id)


def _items(rows: Sequence[PairRow], subcorpus: str, column: str) -> Iterator[str]:
    for row in rows:
        item: dict[str, Any] = {
            "id": f"{subcorpus}:{row.key}" if subcorpus else row.key,
            "source": list(row.source), "target": list(row.target),
        }  # fmt: skip
        if row.prealignment is not None:
            item["prealignment"] = as_value(row.prealignment)
        if subcorpus:
            item[column] = subcorpus
        yield json.dumps(item, ensure_ascii=False) + "\n"
