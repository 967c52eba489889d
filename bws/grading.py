"""Grading best–worst answers."""

from __future__ import annotations

from typing import Any

from annotate.tasktypes import Grade


def grade(gold: Any, value: Any) -> Grade:
    """Grade an answer. An answer passes if both choices match the expected answer."""
    return Grade.of(value == gold)
