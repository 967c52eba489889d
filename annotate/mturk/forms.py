"""Forms for results files from other hosts."""

from __future__ import annotations

from django import forms

from annotate.mturk.services.batches import CHANGES, KEEP, TAKE
from annotate.web.forms import ConsoleForm, TextUploadForm


class ResultFileForm(TextUploadForm):
    file = forms.FileField(
        label="Results file",
        help_text="A CSV file from Mechanical Turk or Turkle. You will see a preview first.",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/tab-separated-values"}),
        error_messages={"required": "Choose a file first.", "empty": "The file is empty."},
    )
    batch = forms.CharField(
        label="Name of the batch",
        max_length=100,
        required=False,
        help_text="Needed only if two batches have the same assignment IDs, such as batches from two Turkle servers.",
    )


class ImportForm(ConsoleForm):
    skip_faulty = forms.BooleanField(label="Skip assignments whose answers cannot be read", required=False)
    changes = forms.ChoiceField(
        label="Changed assignments",
        choices=[("", "Choose what to do"), *((name, CHANGES[name].removesuffix(".")) for name in (KEEP, TAKE))],
        error_messages={"required": "Choose what happens to the changed assignments."},
    )

    def __init__(self, *args: object, has_unreadable: bool, has_changes: bool, **named: object) -> None:
        super().__init__(*args, **named)
        if not has_unreadable:
            del self.fields["skip_faulty"]
        if not has_changes:
            del self.fields["changes"]
