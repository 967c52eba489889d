"""Forms for groups, named annotators, lists of people and questionnaires."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.models import Questionnaire, Study
from annotate.models.questionnaire_definition import CHOICES, KINDS, NUMBERS, FormQuestion
from annotate.recruiting.services.groups import LONGEST, MOST_JUDGEMENTS, MOST_PLACES
from annotate.server.refusals import Refused
from annotate.web.forms import ConsoleForm, TextUploadForm


class GroupForm(ConsoleForm):
    name = forms.CharField(label="Name of the group", max_length=LONGEST, help_text="Annotators do not see this name.")
    places = forms.IntegerField(
        label="Maximum number of people",
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text="Leave the field empty for no limit.",
    )
    judgements = forms.IntegerField(
        label="Judgements per question",
        required=False,
        min_value=1,
        max_value=MOST_JUDGEMENTS,
        help_text="A quota. If any group has a quota, only people in groups with a quota can take part.",
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not study.is_draft:
            del self.fields["judgements"]


class QuotaForm(ConsoleForm):
    """The quota of one group, in the table of groups."""

    judgements = forms.IntegerField(
        label="Judgements per question", required=False, min_value=1, max_value=MOST_JUDGEMENTS
    )


class PopulationForm(ConsoleForm):
    """The size or share of one group in the population, in the table of groups."""

    population = forms.FloatField(label="Share of population", required=False, min_value=0)


class ListForm(TextUploadForm):
    text = forms.CharField(
        required=False,
        label="IDs or e-mail addresses",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One Prolific ID or e-mail address per line.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        file = self.fields["file"]
        file.required = False
        file.label = "Text or CSV file"
        file.help_text = "Several columns need a header row with a name such as Worker ID or email."
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
        field.help_text = "Columns: name, email and group. Each row needs a name or an e-mail address."
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
        help_text="One ID per line. The annotator gets the HITs that contain these questions.",
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


LINES = ("options", "admitted", "groups")


class KindForm(ConsoleForm):
    kind = forms.ChoiceField(label="Kind of question", choices=list(KINDS.items()))


class PersonQuestionForm(ConsoleForm):
    """The form for one question. The form contains only the fields that apply to the question's kind."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    label = forms.CharField(label="Question", widget=forms.Textarea(attrs={"rows": 2}), max_length=500)
    help = forms.CharField(
        required=False, label="Help text", max_length=1000, help_text="This text appears below the question."
    )
    name = forms.CharField(
        required=False,
        label="Name",
        max_length=40,
        help_text="Used in files and the API, such as q1. Use a–z, 0–9 and _.",
    )
    required = forms.BooleanField(required=False, label="An answer is required")
    options = forms.CharField(
        label="Options", widget=forms.Textarea(attrs={"rows": 5}), help_text="One option per line."
    )
    minimum = forms.IntegerField(required=False, label="Smallest possible number")
    maximum = forms.IntegerField(required=False, label="Largest possible number")
    low_label = forms.CharField(required=False, label="Label of the smallest number", max_length=80)
    high_label = forms.CharField(required=False, label="Label of the largest number", max_length=80)
    admitted = forms.CharField(
        required=False,
        label="Admitted options",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One option per line. People must choose at least one of them. If this field is empty, every "
        "answer qualifies.",
    )
    groups = forms.CharField(
        required=False,
        label="Groups",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One group per option, in the same order. People join the group of their answer.",
    )
    admitted_minimum = forms.IntegerField(
        required=False, label="Smallest admitted number", help_text="People with a lower number cannot take part."
    )
    admitted_maximum = forms.IntegerField(
        required=False, label="Largest admitted number", help_text="People with a higher number cannot take part."
    )

    def __init__(self, *args: Any, kind: str, screening: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for name in set(self.fields) - set(_fields(kind, screening)):
            del self.fields[name]

    def question(self, name: str) -> dict[str, Any]:
        """Return the question as JSON, with `name` if the form contains no name."""
        values = {field: value for field, value in self.cleaned_data.items() if value not in (None, "")}
        del values["revision"]
        lines = {
            field: [line.strip() for line in values[field].splitlines() if line.strip()]
            for field in LINES
            if field in values
        }
        return {"name": name, "kind": self.kind} | values | lines

    def refuse_question(self, refusal: Refused, at: int) -> None:
        """Show a service's errors about the question at this position next to its fields."""
        prefix = f"questions.{at}."
        fields = {path.removeprefix(prefix): texts for path, texts in refusal.fields.items()}
        self.refuse(Refused(refusal.code, refusal.message, status=refusal.status, fields=fields))


class QuestionnaireForm(ConsoleForm):
    """The texts and settings of a questionnaire."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    introduction = forms.CharField(
        required=False,
        label="Introduction",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="This text appears above the questions. You can use Markdown.",
    )
    ending = forms.CharField(
        required=False,
        label="Text for people who cannot take part",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="You can use Markdown. If the field is empty, Accord shows a default text.",
    )
    timing = forms.ChoiceField(
        label="Time of the survey",
        choices=Questionnaire.Timing.choices,
        help_text="Annotators can skip questions and decline to answer.",
    )
    stores_answers = forms.BooleanField(
        required=False,
        label="Store everyone’s answers to the screening questions",
        help_text="Describe them in the privacy notice. Otherwise, Accord stores only who can take part.",
    )

    def __init__(self, *args: Any, screening: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("timing",) if screening else ("ending", "stores_answers"):
            del self.fields[name]


def initial_values(question: FormQuestion) -> dict[str, Any]:
    """Return the initial values of the form for an existing question."""
    values = question.as_json()
    return values | {name: "\n".join(values[name]) for name in LINES if name in values}


def _fields(kind: str, screening: bool) -> Sequence[str]:
    names = ["revision", "label", "help", "required", "name"]
    if kind in CHOICES:
        names += ["options", *(["admitted"] if screening else [])]
    if screening and kind == "single":
        names.append("groups")
    if kind in NUMBERS:
        names += ["minimum", "maximum", *(["admitted_minimum", "admitted_maximum"] if screening else [])]
    if kind == "scale":
        names += ["low_label", "high_label"]
    return names
