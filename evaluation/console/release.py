"""The page that creates a release of a study as a zip file. Accord stores only the version and the checksum of a
release, in the audit log.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from annotate.console import ConsoleForm, ConsoleRequest, Refused, Study, attachment
from evaluation.release.folder import About
from evaluation.release.statement import SECTIONS
from evaluation.services.releases import as_zip, make_release


class ReleaseForm(ConsoleForm):
    version = forms.CharField(max_length=40, initial="1.0", label="Version")
    licence = forms.CharField(
        max_length=200, initial="CC-BY-4.0", label="Licence", help_text="SPDX identifier or URL of the licence."
    )
    creators = forms.CharField(
        max_length=1_000,
        required=False,
        label="Authors",
        help_text="Separate names with semicolons.",
    )
    citation = forms.CharField(max_length=2_000, required=False, label="Citation")
    url = forms.URLField(
        max_length=500,
        label="URL of the release",
        initial="https://example.org/",
        assume_scheme="https",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, heading, help_text in SECTIONS:
            self.fields[f"statement_{name}"] = forms.CharField(
                required=False,
                max_length=10_000,
                label=heading,
                help_text=help_text,
                widget=forms.Textarea(attrs={"rows": 2}),
            )
        self._dress()

    def about(self) -> About:
        cleaned = self.cleaned_data
        return About(
            version=cleaned["version"],
            licence=cleaned["licence"],
            published=timezone.now().date(),
            creators=cleaned["creators"],
            citation=cleaned["citation"],
            url=cleaned["url"],
            statement={name: cleaned[f"statement_{name}"] for name, *_ in SECTIONS},
        )


def release(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the release form, or return the zip file after submission."""
    form, status = ReleaseForm(), 200
    if request.method == "POST":
        form, status = ReleaseForm(request.POST), 422
        if form.is_valid():
            try:
                new_release = make_release(study.pk, form.about(), user=request.user)
            except Refused as refusal:
                form.refuse(refusal)
            else:
                return attachment(as_zip(new_release), f"{new_release.name}.zip", "application/zip")
    context = {
        "study": study,
        "form": form,
        "statement": [form[f"statement_{name}"] for name, *_ in SECTIONS],
        "fields": [form[name] for name in ("version", "licence", "creators", "citation", "url")],
        "released": study.events.filter(verb="released").order_by("-at", "-pk")[:20],
    }
    return render(request, "evaluation/release.html", context, status=status)
