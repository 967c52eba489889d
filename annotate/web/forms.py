"""Code shared by the console's forms: their base class, deadlines, task type options, and files in any encoding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.forms.utils import from_current_timezone
from django.http import HttpRequest
from django.utils import timezone

from accord_core.exchange.encoding import (
    ENCODINGS,
    UTF8,
    detect_encoding,
    first_line_not_ascii,
    kind_of_binary,
    utf8_chunks,
)
from accord_core.exchange.faults import TableError
from accord_core.exchange.numbers import is_plain_number
from annotate.core.services.limits import DEADLINES
from annotate.models.times import is_time_zone
from annotate.server.refusals import Refused
from annotate.tasktypes import Option


class ConsoleForm(forms.Form):
    """A form in the console's style that connects each error with its field for screen readers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        self._dress()

    def _dress(self) -> None:
        for field in self.fields.values():
            if not isinstance(field.widget, forms.CheckboxInput | forms.HiddenInput):
                field.widget.attrs.setdefault("class", "input")

    def _clean_fields(self) -> None:
        super()._clean_fields()  # type: ignore[misc]
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField | forms.DecimalField) and name in self.cleaned_data:
                raw = self[name].data
                if isinstance(raw, str) and raw.strip() and not is_plain_number(raw):
                    self.add_error(name, field.error_messages["invalid"])
            elif isinstance(field.widget, forms.Textarea) and isinstance(text := self.cleaned_data.get(name), str):
                # Browsers send other line ends, so saving an unchanged text would otherwise change it.
                self.cleaned_data[name] = text.replace("\r\n", "\n")

    @contextmanager
    def show_refusals(self) -> Iterator[None]:
        """End the block if a service refuses the request, and show the service's errors in the form."""
        try:
            yield
        except Refused as refusal:
            self.refuse(refusal)

    def refuse(self, refusal: Refused) -> None:
        """Show a service's errors in the form.

        Errors in a field are shown next to that field. All other errors from the service are shown above the form.
        """
        elsewhere: list[str] = []
        for path, texts in refusal.fields.items():
            name = path.replace("options.", "option_", 1)
            if name in self.fields:
                for text in texts:
                    self.add_error(name, _sentence(text))
            else:
                elsewhere += [f"{path}: {text}" for text in texts]
        if not refusal.fields:
            elsewhere = [refusal.message]
        for text in elsewhere:
            self.add_error(None, text)


def _sentence(text: str) -> str:
    """Turn a message that follows a field name, such as “is empty”, into a complete sentence."""
    return text if text[:1].isupper() else f"This {text.removesuffix('.')}."


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


class DeadlineField(forms.DateTimeField):
    """A field for a date and time in the time zone `zone`."""

    zone = "UTC"

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, datetime):
            return value
        return value.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None).isoformat(timespec="seconds")


def offer_deadlines(fields: MutableMapping[str, forms.Field], zone: str) -> None:
    """Replace the deadline fields with fields that show times in this time zone."""
    for name in DEADLINES:
        plain = fields[name]
        field = DeadlineField(required=False, label=plain.label, help_text=plain.help_text)
        field.widget = forms.DateTimeInput(attrs={"type": "datetime-local"})
        field.zone = zone
        fields[name] = field


def zoned_deadlines(form: forms.Form, cleaned: Mapping[str, Any]) -> dict[str, datetime]:
    """Return the deadlines as times in the time zone selected in the form. Add an error to the form for a time that a
    clock change skips or repeats.
    """
    zone, deadlines = cleaned.get("time_zone", ""), {}
    for name in DEADLINES if is_time_zone(zone) else ():
        entered = cleaned.get(name)
        if entered:
            try:
                with timezone.override(ZoneInfo(zone)):
                    deadlines[name] = from_current_timezone(entered.replace(tzinfo=None))
            except ValidationError as error:
                form.add_error(name, error)
    return deadlines


class IntegerOptionField(forms.IntegerField):
    """The field for an integer option. `unset` is the integer that means no value, or None."""

    unset: int | None = None


def option_field(option: Option) -> forms.Field:
    """Return the form field for a task type option, with the default value as its initial value."""
    shared: dict[str, Any] = {"label": option.label, "help_text": option.help, "initial": option.default}
    if option.kind == "integer":
        field = IntegerOptionField(min_value=_whole(option.minimum), max_value=_whole(option.maximum), **shared)
        field.unset = option.unset
        return field
    if option.kind == "number":
        return forms.FloatField(
            min_value=option.minimum,
            max_value=option.maximum,
            widget=forms.NumberInput(attrs={"step": "any"}),
            **shared,
        )
    if option.kind == "choice":
        return forms.ChoiceField(choices=list(option.choices), **shared)
    if option.kind == "boolean":
        return forms.BooleanField(required=False, **shared)
    if option.kind == "document":
        return forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 12}), **shared)
    return forms.CharField(required=option.default != "", max_length=2_000, **shared)


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
