"""Form for recording a decision on a question. The JavaScript module of the task type fills in the answer in this
form.
"""

from __future__ import annotations

from django import forms

from .looks import ConsoleForm


class DecideForm(ConsoleForm):
    value = forms.JSONField(
        widget=forms.HiddenInput,
        error_messages={"required": "Answer the question first.", "invalid": "This is not a valid answer."},
    )
    note = forms.CharField(
        required=False,
        max_length=2_000,
        label="Reason for the decision",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Other members of the study can read the reason. Annotators cannot see it.",
    )
