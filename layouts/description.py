"""Answers and measures in words, for researchers and annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.layouts.formats.fields import in_words
from annotate.tasktypes import AnswerPart
from layouts.grading import matches

Json = Any


def answer_in_words(value: Json) -> str:
    """Describe an answer in words, such as “topic: politics; certain: yes”. Empty fields are omitted."""
    parts = [f"{name}: {in_words(each)}" for name, each in value["fields"].items() if each not in (None, "", [])]
    return "; ".join(parts) or "nothing entered"


def differing_fields(given: Json, expected: Json) -> tuple[list[AnswerPart], list[AnswerPart]]:
    """Return the fields in which an answer differs from the expected answer, with both values."""
    names = [name for name, right in expected["fields"].items() if not matches(right, given["fields"].get(name))]
    return _parts(given, names), _parts(expected, names)


def _parts(value: Json, names: Sequence[str]) -> list[AnswerPart]:
    return [AnswerPart(name, [in_words(value["fields"].get(name)) or "—"]) for name in names]


def describe_measure(measure: str) -> str:
    """Describe one of the quality rule's measures in the interface language."""
    if measure == "fields":
        return _("share of fields in check questions that you answered as expected")
    return _("share of check questions in which you answered all fields as expected")
