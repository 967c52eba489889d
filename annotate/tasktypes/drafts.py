"""Items and questions before they are stored, and the file contents read by a task type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord_core.exchange.faults import Fault

from .figures import DesignReport

Json = Any
Progress = Callable[[float, str], None]
"""A function that receives a job's progress, from 0 to 1, and a short description of the current step."""


class CannotBuild(ValueError):
    """Error raised if no questions can be built from the items and options. The error message states what the
    researcher can change.
    """


@dataclass(frozen=True)
class ItemDraft:
    """An item that has not been stored yet. A held-out item is used only in gold and practice questions.

    If a file contains no ID for the item, `key` ends with the number of its row, and `numbered` is true. `line` is the
    item's line in the file.
    """

    key: str
    content: Json
    metadata: dict[str, str] = field(default_factory=dict)
    held_out: bool = False
    numbered: bool = False
    line: int | None = None


@dataclass(frozen=True)
class QuestionDraft:
    """A question that has not been stored yet. `judgements` overrides the study's number of judgements per question.

    If a file contains no ID for the question, `ref` ends with a number, and `numbered` is true. `line` is the
    question's line in the file.
    """

    ref: str
    payload: Json
    judgements: int | None = None
    gold: Json = None
    explanation: str = ""
    numbered: bool = False
    line: int | None = None

    def with_payload(self, payload: Json) -> QuestionDraft:
        return replace(self, payload=payload)


@dataclass(frozen=True)
class ItemsRead:
    """The contents of an item file. Uploads with errors cannot be imported. Uploads with warnings can be imported. The
    items in a large file can be `PackedRows`.
    """

    items: Sequence[ItemDraft]
    faults: list[Fault]
    warnings: list[Fault]
    columns: list[str]


@dataclass(frozen=True)
class QuestionsRead:
    """The contents of a file with gold questions or practice questions. Files with warnings can be imported."""

    questions: list[QuestionDraft]
    faults: list[Fault]
    warnings: list[Fault] = field(default_factory=list)


@dataclass(frozen=True)
class Update:
    """The new payloads of existing questions, by ref.

    `learned` is JSON that the task type needs to prepare gold questions later in the same way.
    """

    payloads: Mapping[str, Json]
    learned: Json = None


@dataclass(frozen=True)
class Design:
    """Questions in the annotators' order, and a report on the quality of the design.

    If the questions are added to an open study, `update` contains new payloads of its gold questions and gold
    candidates. These payloads must not change what annotators have already seen.
    """

    questions: list[QuestionDraft]
    report: DesignReport = field(default_factory=DesignReport)
    update: Update | None = None
