"""The page that creates a draft from a release, and the page with the differences between a repeat and its original."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.commands.study_settings import BOOLEANS
from annotate.server.refusals import or_404
from annotate.toolkit import ConsoleRequest, Study, body_limit, study_page
from annotate.web.forms import UploadForm
from annotate.web.pages.access import console_page
from releases.selectors.recipe import setting_label
from releases.selectors.releases import repeat_report
from releases.services.repeat import read_upload, repeat_study


class RepeatForm(UploadForm):
    """A release, its key, and the settings that should differ from the original."""

    file = forms.FileField(
        label="Release",
        help_text="The zip file of a release.",
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
        error_messages={"required": "Choose the zip file of a release.", "empty": "The file is empty."},
    )
    key = forms.CharField(
        required=False,
        max_length=200,
        label="Key to the gold questions",
        help_text="The authors of the release have the key. Without it, import your own gold questions.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    title = forms.CharField(
        required=False, max_length=200, label="Title", help_text="By default, the title of the original."
    )
    changes = forms.CharField(
        required=False,
        max_length=10_000,
        label="Changed settings",
        help_text="One NAME=VALUE per line, such as judgements=5.",
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )

    def clean_changes(self) -> dict[str, str | bool]:
        changes: dict[str, str | bool] = {}
        for number, line in enumerate(self.cleaned_data["changes"].splitlines(), start=1):
            name, equals, value = line.partition("=")
            if line.strip() and not equals:
                raise forms.ValidationError(f"Line {number} does not have the form NAME=VALUE.")
            if line.strip():
                changes[name.strip()] = BOOLEANS.get(value.strip(), value.strip())
        return changes


@console_page
@body_limit("upload")
def repeat(request: ConsoleRequest) -> HttpResponse:
    """Show the form, and create the draft from the release."""
    form, status = RepeatForm(), 200
    if request.method == "POST":
        form, status = RepeatForm(request.POST, request.FILES), 422
        if form.is_valid():
            wanted = form.cleaned_data
            with form.show_refusals():
                source = read_upload(wanted["file"], wanted["file"].name, wanted["key"])
                repeated = repeat_study(source, user=request.user, title=wanted["title"], changes=wanted["changes"])
                return redirect("console:repeat", repeated.study.public_id)
    return render(request, "releases/repeat.html", {"form": form}, status=status)


@study_page()
@require_safe
def differences(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the differences between the study and the released study that it repeats."""
    report = or_404(repeat_report(study), "the study repeats no release")
    rows = [{**row, "part": setting_label(row["part"])} for row in report.result["differences"]]
    context = {"study": study, "release": report.parameters["release"], "differences": rows}
    return render(request, "releases/differences.html", context)
