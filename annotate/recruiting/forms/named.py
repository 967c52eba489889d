"""Forms for the named annotators of a study."""

from __future__ import annotations

import re

from django import forms

from annotate.models import Study
from annotate.web.forms.looks import ConsoleForm
from annotate.web.forms.text_files import TextUploadForm

MOST_HITS = 10_000
_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?", re.ASCII)


class NamesForm(ConsoleForm):
    names = forms.CharField(
        label="Names of annotators",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One name per line. Annotators do not see the names of other annotators.",
    )

    def clean_names(self) -> list[str]:
        return str(self.cleaned_data["names"]).splitlines()


class PeopleForm(TextUploadForm):
    """The form for a CSV file with named annotators."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["file"]
        field.label = "CSV file with people"
        field.help_text = (
            "The first row must contain the column names: name, email and group. A name or an e-mail address is "
            "required."
        )
        field.widget.attrs["accept"] = ".csv,.tsv,.txt,text/csv,text/tab-separated-values"


class ReservationForm(ConsoleForm):
    named = forms.ChoiceField(label="Annotator")
    hits = forms.CharField(
        required=False,
        label="HIT numbers",
        help_text="Enter numbers and ranges, such as 1-20, 35.",
    )
    questions = forms.CharField(
        required=False,
        label="Question IDs",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Enter one question ID per line. The annotator gets the HITs that contain these questions.",
    )

    def __init__(self, *args: object, study: Study, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        people = study.named_annotators.exclude(name="").order_by("pk")
        self.fields["named"].choices = [(one.public_id, one.name) for one in people]  # type: ignore[attr-defined]

    def clean_hits(self) -> set[int]:
        """Return the HIT numbers in a text such as "1-20, 35"."""
        numbers: set[int] = set()
        for part in filter(None, (part.strip() for part in self.cleaned_data["hits"].split(","))):
            match = _RANGE.fullmatch(part)
            if not match:
                raise forms.ValidationError(f"“{part}” is neither a HIT number nor a range such as 1-20.")
            first, last = int(match[1]), int(match[2] or match[1])
            if last < first or last - first >= MOST_HITS or len(numbers) > MOST_HITS:
                raise forms.ValidationError(
                    f"Enter at most {MOST_HITS:,} HITs, with the lower number of a range first."
                )
            numbers.update(range(first, last + 1))
        return numbers

    def clean_questions(self) -> list[str]:
        return [ref.strip() for ref in self.cleaned_data["questions"].splitlines() if ref.strip()]

    def clean(self) -> None:
        super().clean()
        if not self.errors and not self.cleaned_data["hits"] and not self.cleaned_data["questions"]:
            self.add_error("hits", "Enter HIT numbers or question IDs.")
