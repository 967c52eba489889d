"""Forms in which researchers write a questionnaire's questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.models import Questionnaire
from annotate.models.questionnaire_definition import CHOICES, KINDS, NUMBERS, FormQuestion
from annotate.server.refusals import Refused
from annotate.web.forms.looks import ConsoleForm

LINES = ("options", "admitted")


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
        help_text="The name identifies the question in files and in the API. Use a–z, 0–9 and _. If the name is empty, "
        "Accord chooses a name such as q1.",
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
        help_text="One option per line. Only people who choose at least one of these options can take part. If this "
        "field is empty, every answer qualifies.",
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
        help_text="Markdown text. If this field is empty, annotators see a default text in the study's language.",
    )
    timing = forms.ChoiceField(
        label="Time of the survey",
        choices=Questionnaire.Timing.choices,
        help_text="Annotators can skip questions and decline to answer.",
    )
    stores_answers = forms.BooleanField(
        required=False,
        label="Store the answers to the screening questions",
        help_text="Accord also stores the answers of people who cannot take part. Describe the stored answers in the "
        "privacy notice. If this setting is off, Accord stores only whether a person can take part.",
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
    if kind in NUMBERS:
        names += ["minimum", "maximum", *(["admitted_minimum", "admitted_maximum"] if screening else [])]
    if kind == "scale":
        names += ["low_label", "high_label"]
    return names
