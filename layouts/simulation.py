"""Simulated answers to layout questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, HIDDEN, NUMBER, Field
from accord_core.numerics.draws import draw

ACCURACY = 0.9


def simulate_answer(
    fields: Sequence[Field], key: str, truth: Any, careless: bool, generator: np.random.Generator
) -> dict[str, Any]:
    """Return an answer in which each field has its true value with probability 0.9, and a random value otherwise.

    `truth` can map fields to true values. For a gold question, it can be the expected answer. The true value of any
    other field depends only on the item.
    """
    known = truth if isinstance(truth, Mapping) else {}
    known = known["fields"] if isinstance(known.get("fields"), Mapping) else known
    values = {}
    for field in fields:
        if field.kind == HIDDEN:
            continue
        true = known.get(field.name, _value_at(field, draw("layout truth", key, field.name)))
        right = not careless and generator.random() < ACCURACY
        values[field.name] = true if right else _value_at(field, float(generator.random()))
    return {"fields": values}


def first_options(fields: Sequence[Field]) -> dict[str, Any]:
    """Return the answer of an annotator who always chooses the first option and enters the smallest number."""
    return {"fields": {field.name: _value_at(field, 0.0) for field in fields if field.kind != HIDDEN}}


def _value_at(field: Field, place: float) -> Any:
    """Return the value at a position between 0 and 1 among the field's possible values."""
    if field.kind in (CHOICE, CHOICES):
        choices = [choice.value for choice in field.choices]
        chosen = choices[int(place * len(choices))] if choices else ""
        return chosen if field.kind == CHOICE else [chosen] if chosen else []
    if field.kind == FLAG:
        return field.required or place < 0.5
    if field.kind == NUMBER:
        low = 0.0 if field.minimum is None else field.minimum
        high = low + 10 if field.maximum is None else field.maximum
        return float(np.floor(low + place * (high - low)))
    return f"text {int(place * 3) + 1}"
