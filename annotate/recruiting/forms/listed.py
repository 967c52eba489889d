"""The form that lists the people whom a study excludes or admits."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.web.forms.text_files import TextUploadForm


class ListForm(TextUploadForm):
    text = forms.CharField(
        required=False,
        label="IDs or e-mail addresses",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Enter one Prolific ID or e-mail address per line.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        file = self.fields["file"]
        file.required = False
        file.label = "Or a text or CSV file"
        file.help_text = (
            "A file with several columns needs a header with a column such as Participant id, Worker ID or email."
        )
        file.widget.attrs["accept"] = ".csv,.tsv,.txt,text/csv,text/plain"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not self.cleaned_data["text"].strip() and not self.cleaned_data["file"]:
            self.add_error("text", "Enter at least one ID or address, or choose a file.")
        return cleaned

    def clean_file(self) -> UploadedFile | None:  # type: ignore[override]  # the text can replace the file
        return super().clean_file() if self.cleaned_data["file"] else None

    def content(self) -> tuple[bytes, str]:
        """Return the list as a file, and the file's name, which is empty for text that was entered in the form."""
        file = self.cleaned_data["file"]
        return (file.read(), file.name) if file else (self.cleaned_data["text"].encode(), "")
