"""The form for recording a decision on a question."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.web.forms import ConsoleForm


class DecideForm(ConsoleForm):
    value = forms.JSONField(
        required=False,
        widget=forms.HiddenInput,
        error_messages={"invalid": "This is not a valid answer."},
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    keep_both = forms.BooleanField(required=False, widget=forms.HiddenInput)
    note = forms.CharField(
        required=False,
        max_length=2_000,
        label="Reason for the decision",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Other members of the study can read the reason. Annotators cannot see it.",
    )

    def clean(self) -> dict[str, Any] | None:
        """Require an answer unless the decision accepts all answers."""
        cleaned = super().clean()
        given = self.cleaned_data
        if not given.get("keep_both") and given.get("value") is None and "value" not in self.errors:
            self.add_error("value", "Choose an answer first.")
        return cleaned
