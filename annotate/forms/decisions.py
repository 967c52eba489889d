"""Deciding a question: the answer, which the task type's module fills in, and why."""

from __future__ import annotations

from django import forms

from .looks import ConsoleForm


class DecideForm(ConsoleForm):
    value = forms.JSONField(
        widget=forms.HiddenInput, error_messages={"required": "Answer the question first.", "invalid": "Not an answer."}
    )
    note = forms.CharField(
        required=False, max_length=2_000, label="Why", widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For whoever looks at the decision later; annotators do not see it.",
    )  # fmt: skip
