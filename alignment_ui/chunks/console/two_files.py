"""The console page for importing the two sentence files of interpretable STS, with or without bracketed chunks."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse

from alignment_ui.chunks.two_files import items_of
from annotate.toolkit import ConsoleRequest, ItemsFile, ItemsFileForm, Study, items_from_files, read_bounded


class ChunkFilesForm(ItemsFileForm):
    source = forms.FileField(
        label="First sentences",
        help_text="Choose a file with one sentence per line, either as plain words or divided into [ chunks ].",
    )
    target = forms.FileField(
        label="Second sentences",
        help_text="The second file must have the same number of lines as the first file, in the same order.",
    )
    dataset = forms.CharField(
        label="Dataset",
        required=False,
        max_length=200,
        help_text="Enter a name, such as “images”. Import each dataset separately. The IDs of the pairs begin with "
        "this name, so each file in a study needs a different name.",
    )

    def items(self, study: Study) -> ItemsFile:
        source, target = self.cleaned_data["source"], self.cleaned_data["target"]
        names = (source.name, target.name)
        items = read_bounded(
            " and ".join(names),
            source.size + target.size,
            items_of,
            source.read(),
            target.read(),
            names,
            dataset=self.cleaned_data["dataset"].strip(),
            column=study.options["dataset"],
        )
        return ItemsFile(f"{' and '.join(names)}.jsonl", items)


def two_chunk_files(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the form for uploading the two files. After an upload, redirect to the preview of the pairs."""
    return items_from_files(request, study, ChunkFilesForm, "chunks/two_files.html")
