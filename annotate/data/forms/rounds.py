"""The form for the size of an adaptive round."""

from __future__ import annotations

from django import forms

from annotate.data.selectors.rounds import MOST_QUESTIONS
from annotate.web.forms.looks import ConsoleForm


class RoundForm(ConsoleForm):
    questions = forms.IntegerField(
        label="Number of questions",
        min_value=1,
        max_value=MOST_QUESTIONS,
        help_text="Accord chooses at most this number of questions.",
    )
