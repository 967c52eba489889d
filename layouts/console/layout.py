"""The page for a study's layout, with a form for uploading a layout file, the fields, and a preview of one question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import TableError
from accord_core.layouts.formats.fields import KINDS, Field, in_words
from accord_core.layouts.formats.layout import LARGEST
from annotate.toolkit import ConsoleRequest, Refused, Study, TextFilesForm, change_settings
from layouts.options import hosts_of, layout_of
from layouts.starter import starter
from layouts.tasktype import MechanicalTurkLayout

CHOICES_SHOWN = 12


class LayoutForm(TextFilesForm):
    """A form for uploading a layout's HTML file."""

    file = forms.FileField(
        label="Layout file",
        help_text=f"Choose an HTML file, such as that of a Mechanical Turk project ({LARGEST:,} bytes at most). The "
        "file replaces the study's current layout.",
    )

    scripts = forms.BooleanField(
        required=False,
        label="Run the scripts of the layout",
        help_text="Amazon’s crowd elements work without this option.",
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size and file.size > LARGEST:
            raise forms.ValidationError(f"The file has {file.size:,} bytes, more than the limit of {LARGEST:,}.")
        return file

    def clean(self) -> dict[str, Any]:
        """Add the file's text to the cleaned data."""
        cleaned = super().clean()
        if not self.errors:
            file = cleaned["file"]
            try:
                cleaned["text"] = open_text(file.read(), name=file.name).read().replace("\r\n", "\n")
            except TableError as error:
                self.add_error("file", [str(fault) for fault in error.faults])
        return cleaned


def layout_panel(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the layout's fields and a preview. After an upload, replace the layout. With `example`, begin one."""
    if "example" in request.POST:
        return _begin(request, study)
    form, status = LayoutForm(initial={"scripts": study.options["scripts"]}), 200
    if request.method == "POST":
        form, status = LayoutForm(request.POST, request.FILES), 422
        if form.is_valid():
            try:
                done = "replaced" if study.options["layout"] else "added"
                options = {"layout": form.cleaned_data["text"], "scripts": form.cleaned_data["scripts"]}
                change_settings(study.pk, user=request.user, options=options)
            except Refused as refusal:
                form.add_error("file", " ".join(text for texts in refusal.fields.values() for text in texts))
            else:
                form.note_encodings(request)
                messages.success(request, f"The layout has been {done}. Check the preview below.")
                return redirect(request.path)
    return render(request, "layouts/layout.html", _context(study, form), status=status)


def _begin(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Store the example form as the layout of a study without one, and open the field in which it can be changed."""
    if not study.options["layout"]:
        item = study.items.order_by("pk").first()
        options = {"layout": starter(list(item.content) if item else ["text"])}
        try:
            change_settings(study.pk, user=request.user, options=options)
        except Refused as refusal:
            messages.error(request, refusal.message)
            return redirect(request.path)
        stored = "The results contain each name and value, so change them as well."
        messages.success(request, f"This form is an example. Write your own questions and choices. {stored}")
    return redirect(reverse("console:settings-step", args=[study.public_id, "task"]) + "#id_option_layout")


def _context(study: Study, form: LayoutForm) -> dict[str, Any]:
    context: dict[str, Any] = {"study": study, "form": form, "hosts": hosts_of(study.options)}
    if not study.options["layout"]:
        return context
    layout = layout_of(study.options)
    item = study.items.order_by("pk").first()
    content: Mapping[str, str] = item.content if item else {column: f"[{column}]" for column in layout.columns}
    task = MechanicalTurkLayout()
    return context | {
        "layout": layout,
        "fields": [_described(field) for field in layout.fields_for({})],
        "columns": [(column, column in content if item else None) for column in layout.columns],
        "item": item,
        "task": task,
        "styles": task.module.removesuffix(".js") + ".css",
        "content": task.present({"content": content}, [], {}, study.options),
    }


def _described(field: Field) -> dict[str, Any]:
    choices = [choice.value for choice in field.choices]
    shown = choices[:CHOICES_SHOWN]
    return {
        "name": field.name,
        "kind": "scale" if field.is_scale else KINDS[field.kind],
        "line": field.line,
        "required": field.required,
        "choices": in_words(shown) + (f" and {len(choices) - len(shown)} more" if len(choices) > len(shown) else ""),
    }
