"""A study's data as plain rows instead of database models, as task types receive it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from .drafts import ItemDraft, QuestionDraft

Json = Any
Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True)
class ShownRow:
    """The fields shared by answers and skipped questions. `shown` is the order on the screen that `TaskType.shuffle`
    returned.

    `annotate/questions/selectors/data.py` reads these rows, `annotate/results/selectors/exports.py` writes them to
    `answers.jsonl`, and a release publishes only the fields that `releases/contents/raw.py` names.
    """

    ref: str
    kind: str
    shown: Json
    pseudonym: str
    hit: int | None
    position: int
    seconds: float | None
    pilot: bool = False
    guidelines: int | None = None  # the version that the annotator had read
    round: int = 0  # the number of the adaptive round that added the question or the HIT, or 0 for the design


@dataclass(frozen=True, kw_only=True)
class AnswerRow(ShownRow):
    """An answer with all the information that reports and exports need, such as the annotator, the time and the grade.

    `counts` is true if the answer is a judgement, and otherwise `reason` explains why the answer does not count.
    `passed` and `tally` are set for graded answers.
    """

    value: Json
    given_at: datetime
    counts: bool
    reason: str
    passed: bool | None
    tally: dict[str, float] | None
    payload: Json = None  # the question's payload, so that exports can be written row by row


@dataclass(frozen=True, kw_only=True)
class SkippedRow(ShownRow):
    """A question that an annotator skipped. A skipped question never counts, because it has no value."""

    text: str  # the annotator's reason
    skipped_at: datetime


@dataclass(frozen=True)
class MessageRow:
    """A message from an annotator, or another entry in the list of messages, such as a returned HIT."""

    kind: str
    id: str
    pseudonym: str
    ref: str
    hit: int | None
    at: datetime
    text: str
    state: str
    reply: str
    replied_by: str
    replied_at: datetime | None


class Stored(Sequence[Row]):
    """A sequence of rows that are read from the database again on each iteration."""

    @abstractmethod
    def named(self, names: Collection[str]) -> Iterator[Row]:
        """Yield the rows with the given keys or refs, in the order of all rows."""


@dataclass(frozen=True)
class StudyData:
    """All of a study's data.

    `facts` contains the title, the instructions, the options and other settings. `hits` lists the refs of each HIT's
    questions. `published_hits` lists each HIT's number and the refs of its questions and gold questions, in the order
    in which people see them. `decisions` maps the refs of questions to the answers that reviewers chose. `keep_both`
    contains the refs of questions for which a reviewer accepted all answers. `skipped` and `messages` contain no
    judgements. `candidates` contains the gold candidates.
    """

    facts: dict[str, Json]
    items: Sequence[ItemDraft]
    questions: Sequence[QuestionDraft]
    gold: Sequence[QuestionDraft]
    answers: Sequence[AnswerRow]
    hits: Sequence[Sequence[str]] = ()
    decisions: Mapping[str, Json] = field(default_factory=dict)
    keep_both: Collection[str] = ()
    skipped: Sequence[SkippedRow] = ()
    messages: Sequence[MessageRow] = ()
    candidates: Sequence[QuestionDraft] = ()
    published_hits: Sequence[tuple[int, Sequence[str]]] = ()
