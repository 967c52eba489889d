"""Forms for text files in any encoding, whose files have no preview in which the encoding could be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from annotate.exchange.encoding import (
    ENCODINGS,
    UTF8,
    detect_encoding,
    first_line_not_ascii,
    kind_of_binary,
    utf8_chunks,
)
from annotate.exchange.faults import TableError
from annotate.web.forms.looks import ConsoleForm
from annotate.web.forms.uploads import UploadForm


class TextFilesForm(ConsoleForm):
    """A form that decodes its files from the chosen or the detected encoding. If the encoding is not certain, the form
    asks for it. In a form with several files, the chosen encoding applies to the files that are not in UTF-8.
    """

    encoding = forms.ChoiceField(
        required=False,
        label="Encoding",
        choices=[("", "Detected automatically"), *ENCODINGS.items()],
        help_text="Choose an encoding only if Accord reads letters with accents or symbols incorrectly.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.read_as: list[str] = []  # a sentence for each file that is not in UTF-8
        others = [name for name in self.fields if name != "encoding"]
        last = max(others.index(name) for name in self._file_names())
        self.order_fields([*others[: last + 1], "encoding", *others[last + 1 :]])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        files = {name: self.cleaned_data[name] for name in self._file_names() if self.cleaned_data.get(name)}
        for name, file in files.items():
            if not kind_of_binary(next(iter(file.chunks()), b"")):
                self.cleaned_data[name] = self._in_utf8(file, is_alone=len(files) == 1)
            file.seek(0)
        return cleaned

    def note_encodings(self, request: HttpRequest) -> None:
        """Show the encodings of files that are not in UTF-8."""
        for text in self.read_as:
            messages.info(request, text)

    def _in_utf8(self, file: UploadedFile, *, is_alone: bool) -> UploadedFile | RecodedFile:
        detected = detect_encoding(file.chunks())
        chosen = self.cleaned_data.get("encoding")
        if not chosen or (detected.encoding == UTF8 and not is_alone):
            if detected.encoding == UTF8:
                return file
            shown = _as_read(file, detected.encoding)
            if detected.is_sure:
                self.read_as.append(f"Accord read {shown}.")
            else:
                self.add_error(
                    "encoding", f"The encoding is not certain. Choose it, and choose the file again: {shown}."
                )
            return file
        recoded = RecodedFile(file, chosen)
        try:
            for _ in recoded.chunks():
                pass  # check the whole file
        except TableError as error:
            self.add_error("encoding", str(error))
        else:
            self.read_as.append(f"Accord read {_as_read(file, chosen)}.")
        return recoded

    def _file_names(self) -> list[str]:
        return [name for name, field in self.fields.items() if isinstance(field, forms.FileField)]


class TextUploadForm(TextFilesForm, UploadForm):
    """A form for one text file."""


class RecodedFile:
    """An uploaded file that is read in UTF-8."""

    def __init__(self, file: UploadedFile, encoding: str) -> None:
        self.name, self.size = file.name, file.size
        self._file, self._encoding = file, encoding

    def chunks(self) -> Iterator[bytes]:
        """Yield the contents in UTF-8. Raises `TableError`."""
        return utf8_chunks(self._file.chunks(), name=self.name or "", encoding=self._encoding)

    def read(self) -> bytes:
        """Return the contents in UTF-8."""
        return b"".join(self.chunks())


def _as_read(file: UploadedFile, encoding: str) -> str:
    line, text = first_line_not_ascii(file.chunks(), encoding)
    shown = f". Line {line:,}: “{text}”" if line else ""
    return f"{file.name} as {ENCODINGS[encoding]}{shown}"
