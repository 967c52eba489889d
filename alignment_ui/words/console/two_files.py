"""The console page for importing pairs from two files with one sentence per line, and optionally a file with links."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.http import HttpResponse

from accord_core.exchange.faults import TableError
from accord_core.exchange.tables import Limits
from alignment_ui.words.two_files import TwoFiles, items_of
from annotate.toolkit import ConsoleRequest, ItemsFile, ItemsFileForm, Study, items_from_files, read_bounded


class TwoFilesForm(ItemsFileForm):
    source = forms.FileField(label="First sentences", help_text="Choose a plain-text file with one sentence per line.")
    target = forms.FileField(
        label="Second sentences",
        help_text="The second file must have the same number of lines as the first file, in the same order.",
    )
    prealignment = forms.FileField(
        label="Initial links",
        required=False,
        help_text="Choose a file with one line per pair, such as “0-0 1?2”, or a file in any other word-alignment "
        "format. An empty line means that the pair has no links.",
    )
    subcorpus = forms.CharField(
        label="Subcorpus",
        required=False,
        max_length=200,
        help_text="Enter the source of these pairs, such as “news”. Import each subcorpus separately. The IDs of the "
        "pairs begin with this name, so each file in a study needs a different name.",
    )

    def items(self, study: Study) -> ItemsFile:
        source, target = self.cleaned_data["source"], self.cleaned_data["target"]
        links = self.cleaned_data["prealignment"]
        files = TwoFiles(source.read(), target.read(), (links.name, links.read()) if links else None)
        name = f"{source.name} and {target.name}"
        faults, items = read_bounded(
            name,
            files.size,
            items_of,
            files,
            limits=Limits(rows=settings.LIMIT_ROWS, bytes=settings.LIMIT_UPLOAD_BYTES),
            tokenise=study.options["tokenise"],
            subcorpus=self.cleaned_data["subcorpus"].strip(),
            column=study.options["subcorpus"],
        )
        if faults:
            names = {"source": source.name, "target": target.name}
            raise TableError(
                "", [fault._replace(column=names.get(fault.column or "", fault.column)) for fault in faults]
            )
        return ItemsFile(f"{name}.jsonl", items)


def two_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the form for uploading the files. After an upload, redirect to the preview of the pairs."""
    return items_from_files(request, study, TwoFilesForm, "words/two_files.html")
