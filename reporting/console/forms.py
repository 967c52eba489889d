"""The form with the questions that only the authors of a study can answer."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.toolkit import ConsoleForm
from reporting.questions import GROUPS, LONGEST, QUESTIONS, Question

NOT_ANSWERED = ("", "Not answered")


class AnswersForm(ConsoleForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.update({name: _field(question) for name, question in QUESTIONS.items()})
        self._dress()

    def groups(self) -> list[tuple[str, list[forms.BoundField], int, bool]]:
        """Return each group's title, fields and number of answers, and whether one of its answers is wrong."""
        shown = []
        for group in GROUPS:
            fields = [self[question.name] for question in group.questions]
            shown.append(
                (group.title, fields, sum(bool(field.value()) for field in fields), any(f.errors for f in fields))
            )
        return shown


def _field(question: Question) -> forms.Field:
    named: dict[str, Any] = {"label": question.label, "help_text": question.help, "required": False}
    if question.choices:
        return forms.ChoiceField(choices=[NOT_ANSWERED, *question.choices.items()], **named)
    widget = None if question.short else forms.Textarea(attrs={"rows": 2})
    return forms.CharField(max_length=LONGEST, widget=widget, **named)
