"""A study or a release as one of the runs that are compared, and the questions that two runs share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

from annotate import tasktypes
from annotate.tasktypes import AnswerRow, Outcome, QuestionDraft, StudyData, TaskType
from releases.contents.archive import UnreadableRelease, require_whole
from releases.contents.raw import study_data

Json = Any


class CannotCompare(ValueError):
    """Error raised if runs cannot be compared. The message states why, and what to do."""


@dataclass(frozen=True, eq=False)
class Run:
    """The original study or a repeat. `name` is the name of its file, or the ID of the study."""

    name: str
    data: StudyData

    @property
    def task(self) -> TaskType:
        return tasktypes.get(self.data.facts["task_type"])

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:
        return self.task.outcomes(self.data)

    @cached_property
    def judgements(self) -> list[AnswerRow]:
        return [row for row in self.data.answers if row.counts]

    @property
    def annotators(self) -> int:
        return len({row.pseudonym for row in self.judgements})

    @cached_property
    def contents(self) -> dict[str, Json]:
        """The contents of the items by key."""
        return {item.key: item.content for item in self.data.items if not item.held_out}

    @cached_property
    def questions(self) -> dict[tuple[str, ...], QuestionDraft]:
        """The questions by the keys of their items, or by their refs if several questions have the same items."""
        keys = [tuple(sorted(self.task.item_keys(question.payload))) for question in self.data.questions]
        if len(set(keys)) < len(keys) or not all(keys):
            keys = [(question.ref,) for question in self.data.questions]
        return dict(zip(keys, self.data.questions, strict=True))

    @cached_property
    def answers(self) -> dict[str, list[Json]]:
        """The judgements' values by the refs of their questions."""
        by_ref: dict[str, list[Json]] = {}
        for row in self.judgements:
            by_ref.setdefault(row.ref, []).append(row.value)
        return by_ref


def run_of_release(name: str, files: Mapping[str, bytes]) -> Run:
    """Return the run in a release's files. Only regular answers are used, so gold questions can be sealed. Raises
    `CannotCompare` if a file is missing or has changed.
    """

    def read() -> StudyData:
        require_whole(files, name)
        return study_data(files)

    return run_of(name, read)


def run_of(name: str, read: Callable[[], StudyData]) -> Run:
    """Return the run with the rows that `read` returns. Raises `CannotCompare`."""
    try:
        return checked(Run(name, read()))
    except (CannotCompare, UnreadableRelease) as error:
        raise CannotCompare(str(error)) from error
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise CannotCompare(f"{name} is not a release that can be compared: {error}.") from error


def checked(run: Run) -> Run:
    """Return the run. Raises `CannotCompare` if it has no judgements, and LookupError for an unknown task type."""
    if not run.judgements:
        raise CannotCompare(f"{run.name} has no answers that count.")
    if not run.outcomes:
        raise CannotCompare(f"{run.name} has no results that can be compared.")
    return run


@dataclass(frozen=True)
class Matching:
    """The items of an original and a repeat, and the number of questions with the same items in both."""

    shared: int
    changed: Sequence[str]
    only_original: int
    only_repeat: int
    questions: int
    pairs: Sequence[tuple[QuestionDraft, QuestionDraft]]


def match(original: Run, repeat: Run) -> Matching:
    """Match two runs by the keys of their items. An item with other contents in the repeat does not match.

    Raises `CannotCompare` for different task types, or if the runs share no items.
    """
    if original.task.slug != repeat.task.slug:
        raise CannotCompare(
            f"{original.name} is a study of the type {original.task.name}, but {repeat.name} is of the type "
            f"{repeat.task.name}. Compare studies of the same type."
        )
    both = original.contents.keys() & repeat.contents.keys()
    changed = sorted(key for key in both if original.contents[key] != repeat.contents[key])
    shared = both - set(changed)
    if not shared:
        other = f", but {len(changed):,} items have the same IDs with other contents" if changed else ""
        raise CannotCompare(
            f"{original.name} and {repeat.name} share no items with the same IDs and contents{other}. Compare studies "
            "of the same items."
        )
    pairs = [
        (question, repeat.questions[key])
        for key, question in original.questions.items()
        if key in repeat.questions and _same(original, repeat, key, question, shared)
    ]
    return Matching(
        len(shared),
        changed,
        len(original.contents.keys() - both),
        len(repeat.contents.keys() - both),
        len(pairs),
        pairs,
    )


def _same(original: Run, repeat: Run, key: tuple[str, ...], question: QuestionDraft, shared: Collection[str]) -> bool:
    """Return whether a question has only matching items. Questions matched by their refs need the same items too."""
    mine = original.task.item_keys(question.payload)
    theirs = repeat.task.item_keys(repeat.questions[key].payload)
    return sorted(mine) == sorted(theirs) and set(mine) <= set(shared)


def within(run: Run, questions: Sequence[QuestionDraft]) -> Iterator[tuple[QuestionDraft, list[tuple[Json, Json]]]]:
    """Yield each question with every pair of answers to it in the run."""
    for question in questions:
        yield question, list(combinations(run.answers.get(question.ref, []), 2))


def between(original: Run, repeat: Run, matching: Matching) -> Iterator[tuple[QuestionDraft, list[tuple[Json, Json]]]]:
    """Yield each shared question with every pair of an answer in the original and an answer in the repeat."""
    for mine, theirs in matching.pairs:
        answers = product(original.answers.get(mine.ref, []), repeat.answers.get(theirs.ref, []))
        yield mine, list(answers)
