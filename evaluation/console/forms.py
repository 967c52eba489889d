"""The forms on the systems page."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from annotate import tasktypes
from annotate.toolkit import ConsoleForm, Refused, Study, TextFilesForm, option_field
from evaluation.models import PublicTable, Submission


class SystemForm(TextFilesForm):
    """The form for uploading a system's file and selecting the task type's options."""

    system = forms.CharField(max_length=100, label="System")
    description = forms.CharField(
        max_length=2_000,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For members of the study, such as the method and the training data.",
    )
    file = forms.FileField(
        label="File", error_messages={"required": "Choose a file first.", "empty": "The file is empty."}
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        systems = tasktypes.get(study.task_type).systems
        options = systems.options if systems else ()
        if systems and systems.options_of:
            options = systems.options_of(study.options)
        self.options = [option.name for option in options]
        for option in options:
            field = option_field(option)
            field.required = field.required and option.kind != "text"
            self.fields[f"option_{option.name}"] = field
        self._dress()

    def clean_file(self) -> UploadedFile:
        """Files that are too large are rejected before Accord reads their contents into memory."""
        file: UploadedFile = self.cleaned_data["file"]
        limit = settings.LIMIT_UPLOAD_BYTES
        if file.size is not None and file.size > limit:
            raise forms.ValidationError(f"{file.name} is too large: {file.size:,} bytes. The maximum is {limit:,}.")
        return file

    def refuse(self, refusal: Refused) -> None:
        """Error messages about a file include the line and column, so the page shows them without the name of the form
        field.
        """
        if refusal.code == "faults":
            self.add_error("file", [re.sub("^line ", "Line ", text) for text in refusal.fields["file"]])
        else:
            super().refuse(refusal)

    def option_values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[f"option_{name}"] for name in self.options}


class PublishForm(ConsoleForm):
    heading = forms.CharField(
        max_length=PublicTable._meta.get_field("heading").max_length,
        label="Heading of the public page",
        help_text="The page does not show the study’s title.",
    )


class CompareForm(ConsoleForm):
    """The form for choosing two different systems of a study by number."""

    one = forms.TypedChoiceField(coerce=int, label="Does")
    other = forms.TypedChoiceField(coerce=int, label="differ from")

    def __init__(self, *args: Any, submissions: list[Submission], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.number, f"{each.number}. {each.system}") for each in submissions]
        for name in ("one", "other"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "one" in cleaned and cleaned["one"] == cleaned.get("other"):
            raise forms.ValidationError("Choose two different systems.")
        return cleaned
