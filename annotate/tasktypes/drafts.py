"""Items and questions that have not been stored yet, and the file contents that a task type reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.exchange.faults import Fault

from .figures import DesignReport

Json = Any
Progress = Callable[[float, str], None]
"""A function that receives the completed fraction of a job, from 0 to 1, and a short description of the current step.
"""


class CannotBuild(ValueError):
    """Error raised if no questions can be built from the items and options. The error message states what the
    researcher can change.
    """


@dataclass(frozen=True)
class ItemDraft:
    """An item that has not been stored yet. A held-out item is used only in gold questions and practice questions."""

    key: str
    content: Json
    metadata: dict[str, str] = field(default_factory=dict)
    held_out: bool = False


@dataclass(frozen=True)
class QuestionDraft:
    """A question that has not been stored yet. `judgements` overrides the study's number of judgements per question.

    If a file contains no ID for the question, `ref` ends with a number, and `numbered` is true.
    """

    ref: str
    payload: Json
    judgements: int | None = None
    gold: Json = None
    explanation: str = ""
    numbered: bool = False


@dataclass(frozen=True)
class ItemsRead:
    """The contents of an item file. An upload with errors cannot be imported. An upload with warnings can be
    imported. The items of a large file can be `PackedRows`.
    """

    items: Sequence[ItemDraft]
    faults: list[Fault]
    warnings: list[Fault]
    columns: list[str]


@dataclass(frozen=True)
class QuestionsRead:
    """The contents of a file with gold questions or practice questions."""

    questions: list[QuestionDraft]
    faults: list[Fault]


@dataclass(frozen=True)
class Design:
    """Questions in the order in which annotators see them, and a report on the quality of the design."""

    questions: list[QuestionDraft]
    report: DesignReport = field(default_factory=DesignReport)
