"""The JSON lines that `accord annotate` exchanges with a program.

Each question is one line, such as `{"ref": "8hG2…/3", "task_type": "bws", "language": "en", "question": {…}}`. Each
answer is one line too: the answer in the format of the API, such as `{"best": 1, "worst": 4}`, or
`{"skip": "the reason"}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.json_numbers import finite_number, refuse_constant

LONGEST_SHOWN = 200  # characters of an answer line in an error message
NO_QUESTION = "the line must be an object with the texts `ref` and `task_type` and the object `question`"


@dataclass(frozen=True)
class Question:
    """A question of a study. `ref` identifies the question, and `content` has the question format of the task type."""

    ref: str
    task_type: str
    language: str
    content: Mapping[str, Any]

    def line(self) -> str:
        """Return the question as one line of JSON, without the line break."""
        fields = {"ref": self.ref, "task_type": self.task_type, "language": self.language, "question": self.content}
        return json.dumps(fields, ensure_ascii=False)


@dataclass(frozen=True)
class ProgramAnswer:
    """An answer to a question, or the reason for skipping the question. `line` contains the answer as the program wrote
    it.
    """

    value: Any = None
    skipped: str = ""
    line: str = ""

    def output_line(self, ref: str) -> str:
        """Return one line of JSON with the ref of the question and the answer or the reason."""
        answer = {"skip": self.skipped} if self.skipped else {"answer": self.value}
        return json.dumps({"ref": ref, **answer}, ensure_ascii=False)


class AnswerError(ValueError):
    """Error raised for a line that is not an answer."""


def read_answer(line: str) -> ProgramAnswer:
    """Read the line that a program wrote. Raises `AnswerError` if the line is not a JSON object."""
    try:
        value = _parsed(line)
    except ValueError as error:
        raise AnswerError(f"The answer is not valid JSON ({error}): {shown(line)}") from error
    if not isinstance(value, dict):
        raise AnswerError(f"The answer must be a JSON object: {shown(line)}")
    if value.keys() != {"skip"}:
        return ProgramAnswer(value=value, line=line)
    reason = value["skip"]
    if not isinstance(reason, str) or not reason.strip() or "\0" in reason:
        raise AnswerError(f"The reason for skipping a question must be a text without null characters: {shown(line)}")
    return ProgramAnswer(skipped=reason, line=line)


def read_questions(data: bytes, *, name: str) -> list[Question]:
    """Read a file of question lines. Empty lines are ignored. Raises `TableError` with the faulty lines."""
    data = as_utf8(data, name=name)
    questions, faults = [], []
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            try:
                questions.append(_question(line))
            except ValueError as error:
                faults.append(Fault(number, None, str(error)))
    raise_faults(name, faults)
    return questions


def shown(line: str) -> str:
    """Return the beginning of a line for an error message."""
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}…"


def _question(line: bytes) -> Question:
    fields = _parsed(line)
    named = fields if isinstance(fields, dict) else {}
    ref, task_type, content = (named.get(name) for name in ("ref", "task_type", "question"))
    if not (isinstance(ref, str) and isinstance(task_type, str) and isinstance(content, dict)):
        raise ValueError(NO_QUESTION)
    return Question(ref, task_type, str(named.get("language", "")), content)


def _parsed(line: str | bytes) -> Any:
    """Return the value of a line of JSON. Raises ValueError also for values that can be neither sent nor stored."""
    try:
        value = json.loads(line, parse_constant=refuse_constant, parse_float=finite_number)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError("the values are nested too deeply") from error
    except UnicodeEncodeError as error:
        raise ValueError("the line contains half of a surrogate pair, which is not a character") from error
    return value
