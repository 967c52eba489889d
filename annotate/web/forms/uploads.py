"""The form for uploading a file."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from annotate.web.forms.looks import ConsoleForm


class UploadForm(ConsoleForm):
    file = forms.FileField(
        label="File",
        error_messages={"required": "Choose a file first.", "empty": "The file is empty."},
    )

    def clean_file(self) -> UploadedFile:
        """Reject a file that is too large before it is read into memory."""
        file: UploadedFile = self.cleaned_data["file"]
        limit = settings.LIMIT_UPLOAD_BYTES
        if file.size is not None and file.size > limit:
            raise forms.ValidationError(
                f"{file.name} has {file.size:,} bytes. A file can have at most {limit:,} bytes. Split the file."
            )
        return file
