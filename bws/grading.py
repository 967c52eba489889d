"""Grading best–worst answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.tasktypes import AnswerAgreement, Choices, Grade


def grade(gold: Any, value: Any) -> Grade:
    """Grade an answer. An answer passes if both choices match the expected answer."""
    return Grade.of(value == gold)


def _equal_choices(payload: Any, one: Any, other: Any, options: Mapping[str, Any]) -> Sequence[float]:
    return one["best"] == other["best"], one["worst"] == other["worst"], 1


def _item_scores(payload: Any, value: Any) -> Mapping[str, float]:
    """Return 1 for the best item, −1 for the worst item and 0 for all others, as in counting scores."""
    return {item: float(item == value["best"]) - float(item == value["worst"]) for item in payload["items"]}


def choices(payload: Any, values: Sequence[Any]) -> Sequence[Choices]:
    """Return the best and the worst item of answers to one tuple."""
    size = len(payload["items"])
    return [Choices(name, [value[name] for value in values], size, named=False) for name in ("best", "worst")]


AGREEMENT = AnswerAgreement(
    {"best": "Agreement on the best item", "worst": "Agreement on the worst item"},
    _equal_choices,
    item_scores=_item_scores,
)
