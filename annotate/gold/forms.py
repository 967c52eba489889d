"""Forms for gold candidates and gold questions, and for trying out quality rules."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.gold.selectors.rule import MOST_ANSWERS, MOST_HITS, WhatIf
from annotate.gold.services import MOST_AT_ONCE
from annotate.web.forms import ConsoleForm


class DrawForm(ConsoleForm):
    count = forms.IntegerField(
        min_value=1,
        max_value=MOST_AT_ONCE,
        initial=20,
        label="Number of candidates",
        help_text="Held-out items are preferred. A candidate never repeats a question of the study.",
    )


class JudgeForm(ConsoleForm):
    value = forms.JSONField(
        widget=forms.HiddenInput,
        error_messages={"required": "Answer the question first.", "invalid": "This is not a valid answer."},
    )
    explanation = forms.CharField(
        required=False,
        max_length=2_000,
        label="Reason for this answer",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Annotators who miss the question see it. {1} becomes the first item’s number.",
    )


class PromoteForm(ConsoleForm):
    authors = forms.IntegerField(
        min_value=1,
        initial=2,
        label="Minimum number of researchers who agree",
        help_text="All researchers who answered the candidate must agree. Annotators see their explanations.",
    )


class ExpectedAnswerForm(JudgeForm):
    """The form for a new expected answer. `confirmed` identifies the answer whose effects the page has already
    shown.
    """

    explanation = forms.CharField(
        required=False,
        max_length=2_000,
        label="Explanation for annotators",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Annotators who miss the question see it after the expected answer. {1} becomes the first item’s "
        "number on the annotator’s screen.",
    )
    reason = forms.CharField(
        max_length=500, label="Reason for the change, for researchers", widget=forms.Textarea(attrs={"rows": 2})
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput)


class SetAsideForm(ConsoleForm):
    reason = forms.CharField(
        max_length=500, label="Reason for excluding the question", widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "aside_%s", **kwargs})


class KeepForm(ConsoleForm):
    until = forms.DateTimeField(widget=forms.HiddenInput)


class GoldRuleForm(ConsoleForm):
    threshold = forms.FloatField(
        min_value=0, max_value=1, label="Pass mark", help_text="The rule stops annotators with a lower accuracy."
    )
    minimum = forms.IntegerField(
        min_value=1, max_value=MOST_ANSWERS, label="Minimum gold answers before the rule applies"
    )
    window = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_ANSWERS,
        label="Only the last gold answers",
        help_text="Number of most recent gold answers used to calculate the accuracy. "
        "A study's own quality rule uses all gold answers.",
    )
    hits = forms.IntegerField(min_value=1, max_value=MOST_HITS, label="HITs per annotator")
    accuracy = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        label="Accuracy of a careful annotator",
        help_text="If this field is empty, Accord estimates the accuracy from the answers.",
    )
    false_stops = forms.FloatField(
        min_value=0.001,
        max_value=0.499,
        label="Maximum share of false stops",
        help_text="Maximum share of careful annotators that the rule may stop.",
    )
    survivors = forms.FloatField(
        min_value=0.001,
        max_value=0.499,
        label="Maximum share of missed annotators",
        help_text="Largest acceptable share of careless annotators that the rule misses.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "rule_%s", **kwargs})
        for field in self.fields.values():
            if isinstance(field, forms.FloatField):
                field.widget.attrs["step"] = "any"

    @property
    def what_if(self) -> WhatIf:
        """The rule and the assumptions from a valid form."""
        return WhatIf(**self.cleaned_data | {"window": self.cleaned_data["window"] or 0})


def initial_of(what_if: WhatIf) -> dict[str, Any]:
    """Return the form values for this rule. The field is empty if the window is unlimited."""
    return vars(what_if) | {"window": what_if.window or None}
