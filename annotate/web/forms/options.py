"""Form fields for task type options."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.tasktypes import Option


def option_field(option: Option) -> forms.Field:
    """Return the form field for a task type option, with the default value as its initial value."""
    shared: dict[str, Any] = {"label": option.label, "help_text": option.help, "initial": option.default}
    if option.kind == "integer":
        return forms.IntegerField(min_value=_whole(option.minimum), max_value=_whole(option.maximum), **shared)
    if option.kind == "number":
        return forms.FloatField(
            min_value=option.minimum,
            max_value=option.maximum,
            widget=forms.NumberInput(attrs={"step": "any"}),
            **shared,
        )
    if option.kind == "choice":
        return forms.ChoiceField(choices=list(option.choices), **shared)
    if option.kind == "boolean":
        return forms.BooleanField(required=False, **shared)
    if option.kind == "document":
        return forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 12}), **shared)
    return forms.CharField(required=option.default != "", max_length=2_000, **shared)


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
