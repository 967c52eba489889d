"""The console page for importing sentence pairs without chunks, which divides the sentences into chunks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse

from accord_core.exchange.spacy_models import installed_models
from alignment_ui.chunks.chunked_items import chunked_by_model, chunked_items
from annotate.toolkit import ConsoleRequest, ItemsFile, ItemsFileForm, Study, items_from_files, read_bounded

NO_MODEL = "The tags are in the CoNLL-U file"


class ChunkingForm(ItemsFileForm):
    pairs = forms.FileField(
        label="Sentence pairs",
        help_text="Choose a table with the columns id, source and target, or with id, sentence1 and sentence2.",
    )
    tagged = forms.FileField(
        label="Tagged sentences (CoNLL-U)",
        required=False,
        help_text="Choose a CoNLL-U file that contains every sentence in the pairs, tagged with universal parts of "
        "speech.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.models = installed_models()
        self.fields["tagged"].required = not self.models
        if self.models:
            self.fields["model"] = forms.ChoiceField(
                label="spaCy model",
                required=False,
                choices=[("", NO_MODEL), *((name, name) for name in self.models)],
                help_text="If you choose no CoNLL-U file, this model divides the sentences into tokens and tags them.",
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.models and bool(cleaned.get("tagged")) == bool(cleaned.get("model")) and "tagged" not in self.errors:
            self.add_error("tagged", "Choose either a CoNLL-U file or a spaCy model.")
        return cleaned

    def items(self, study: Study) -> ItemsFile:
        pairs, tagged = self.cleaned_data["pairs"], self.cleaned_data["tagged"]
        if model := self.cleaned_data.get("model"):
            items = read_bounded(pairs.name, pairs.size, chunked_by_model, pairs.read(), pairs.name, model)
        else:
            names = (pairs.name, tagged.name)
            size = pairs.size + tagged.size
            items = read_bounded(" and ".join(names), size, chunked_items, pairs.read(), tagged.read(), names=names)
        message = "The sentences were divided into chunks. Check the chunks before you import the pairs."
        return ItemsFile(f"{pairs.name}.chunks.jsonl", items.encode(), message)


def import_and_chunk(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the form for uploading sentence pairs and their tags. After an upload, redirect to the preview of the
    pairs.
    """
    return items_from_files(request, study, ChunkingForm, "chunks/chunking.html")
