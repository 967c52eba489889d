"""Baselines of the task types. `accord annotate --baseline` runs them instead of a program.

A task type registers the function that answers its questions as an entry point named after the task type, in the group
`accord.overlap_baselines`. The function takes a question and returns an answer, both in the format of the API. The
function raises ValueError if the baseline cannot answer the question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from .lines import AnswerError, ProgramAnswer, Question

GROUPS = {"overlap": "accord.overlap_baselines"}


def baseline_answer(baseline: str, question: Question) -> ProgramAnswer:
    """Return the baseline's answer to a question. Raises `AnswerError` if the baseline cannot answer the question."""
    try:
        value = _function(GROUPS[baseline], question.task_type)(question.content)
    except ValueError as error:
        raise AnswerError(str(error)) from error
    except (AttributeError, KeyError, TypeError) as error:
        message = f"The field `question` does not have the format of the API for the task type {question.task_type}."
        raise AnswerError(message) from error
    return ProgramAnswer(value=value, line=json.dumps(value))


@cache
def _function(group: str, task_type: str) -> Callable[[Mapping[str, Any]], Any]:
    for entry_point in entry_points(group=group, name=task_type):
        function: Callable[[Mapping[str, Any]], Any] = entry_point.load()
        return function
    raise ValueError(f"Studies of the type {task_type} have no such baseline.")
