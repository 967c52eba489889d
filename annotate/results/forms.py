"""The form for drawing a sample of final labels."""

from __future__ import annotations

from django import forms

from annotate.web.forms import ConsoleForm


class SampleForm(ConsoleForm):
    percent = forms.FloatField(
        label="Wrong labels, at most (%)",
        min_value=0.1,
        max_value=50,
        initial=5,
        help_text="Share of the final labels that may still be wrong after the check.",
    )
