"""Making gold: how many candidates, one author's answer, how many must agree, and why a key is set aside."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.services.gold import MOST_AT_ONCE

from .looks import ConsoleForm


class DrawForm(ConsoleForm):
    count = forms.IntegerField(
        min_value=1, max_value=MOST_AT_ONCE, initial=20, label="How many",
        help_text="From the items for gold only where there are enough of them. None repeats a question of the study.",
    )  # fmt: skip


class JudgeForm(ConsoleForm):
    value = forms.JSONField(
        widget=forms.HiddenInput, error_messages={"required": "Answer the question first.", "invalid": "Not an answer."}
    )
    explanation = forms.CharField(
        required=False, max_length=2_000, label="Why this is the answer", widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Annotators who miss the question read this.",
    )  # fmt: skip


class PromoteForm(ConsoleForm):
    authors = forms.IntegerField(
        min_value=1, initial=2, label="Authors who agree, at least",
        help_text="All who answered have to agree. Their explanations become the question's.",
    )  # fmt: skip


class SetAsideForm(ConsoleForm):
    reason = forms.CharField(max_length=500, label="Why", widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "aside_%s", **kwargs})
