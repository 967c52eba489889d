"""Forms for drawing and answering gold candidates, and for adding and excluding gold questions."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.gold.services.gold import MOST_AT_ONCE
from annotate.web.forms.looks import ConsoleForm

PLACE_TOKENS = (
    "To refer to an item by its position, write {1} for the first item on this page, {2} for the second "
    "item, and so on."
)


class DrawForm(ConsoleForm):
    count = forms.IntegerField(
        min_value=1,
        max_value=MOST_AT_ONCE,
        initial=20,
        label="Number of candidates",
        help_text="Accord draws candidates from the held-out items if there are enough of them. A candidate "
        "never repeats a question in the study.",
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
        help_text="Annotators who answer the question incorrectly see this reason. " + PLACE_TOKENS,
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
        help_text="Annotators who answer the question incorrectly see this explanation. " + PLACE_TOKENS,
    )
    reason = forms.CharField(
        max_length=500,
        label="Reason for the change",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The history shows this reason. Annotators do not see this reason.",
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput)


class SetAsideForm(ConsoleForm):
    reason = forms.CharField(
        max_length=500, label="Reason for excluding the question", widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "aside_%s", **kwargs})
