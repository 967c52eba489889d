"""The contents of an uploaded file. The task type reads the file without access to the database."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from accord_core.exchange.cells import damage_before_import
from accord_core.exchange.faults import Fault, TableError, in_order, located
from annotate.data.known_rows import (
    LISTED,
    Comparison,
    KnownRows,
    StoredRow,
    compare,
    known_fault,
    numbered,
    question_row,
    repeated_contents,
    split,
    stored_row,
)
from annotate.data.upload_source import Source, readable
from annotate.tasktypes import ItemDraft, QuestionDraft, TaskType, place_warning


@dataclass(frozen=True)
class Contents:
    items: Sequence[ItemDraft] = ()
    questions: list[QuestionDraft] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    comparison: Comparison = field(default_factory=Comparison)


def read_contents(source: Source) -> Contents:
    """Read all rows of the file, and collect all errors."""
    try:
        file = readable(source)
    except TableError as error:
        return Contents(faults=list(error.faults))
    if file.faults and not file.data.strip():
        return Contents(faults=file.faults, warnings=file.warnings)
    limits = {**source.limits, "bytes": max(source.limits["bytes"], len(file.data))}  # a converted table can be larger
    if source.items is None:
        read = source.task.read_items(file.data, source.filename, source.options, limits)
        faulty = {fault.line for fault in [*file.faults, *read.faults] if fault.line is not None}
        items = numbered([item for item in read.items if item.line not in faulty], source.stored)
        warnings = [*file.warnings, *read.warnings, *_damage_warnings(source.task, items)]
        return Contents(
            items=items,
            faults=in_order([*file.faults, *read.faults]),
            warnings=located([*warnings, *repeated_contents(items, source.stored, "item")]),
            columns=read.columns,
            comparison=compare(items, source.stored) if source.stored else Comparison(new=len(items)),
        )
    gold = source.task.read_gold(file.data, source.filename, source.options, source.items)
    rows = numbered([question_row(source.task, each) for each in gold.questions], source.stored, source.others)
    questions = [replace(question, ref=row.key) for question, row in zip(gold.questions, rows, strict=True)]
    compared = {**{ref: row for ref, row in source.others.items() if row}, **source.stored}
    warnings = [*file.warnings, *gold.warnings, *repeated_contents(rows, compared, "question")]
    return Contents(
        questions=questions,
        faults=in_order([*file.faults, *gold.faults, *_clashes(rows, source.others)]),
        warnings=located([*warnings, *_place_warnings(source.task, questions)]),
        comparison=compare(rows, source.stored),
    )


def _damage_warnings(task: TaskType, items: Sequence[ItemDraft]) -> list[Fault]:
    damages = ((item.line, damage_before_import(item.key, task.texts(item.content))) for item in items)
    return [Fault(line, None, message) for line, message in damages if message]


def _place_warnings(task: TaskType, questions: Sequence[QuestionDraft]) -> list[Fault]:
    """Return a warning for each explanation that may refer to the wrong position of an item."""
    return [
        Fault(None, "explanation", f"question {question.ref}: {reason}")
        for question in questions
        if (reason := place_warning(task, question.explanation, question.payload))
    ]


@dataclass(frozen=True)
class Rows:
    """Some of a file's rows, or its errors. The attribute `of` is the number of rows in the whole file.

    `items` and `questions` contain new rows, and `changed` and `changed_questions` the new contents of stored rows.
    `unchanged` and `absent` contain the IDs of stored rows that the file contains unchanged, or not at all.
    """

    of: int
    items: Sequence[ItemDraft] = ()
    changed: Sequence[ItemDraft] = ()
    unchanged: Sequence[str] = ()
    absent: Sequence[str] = ()
    questions: Sequence[QuestionDraft] = ()
    changed_questions: Sequence[QuestionDraft] = ()
    faults: Sequence[Fault] = ()


def read_rows(source: Source, *, at_once: int, known: KnownRows = KnownRows.STOP) -> Generator[Rows]:
    """Yield the file's rows in chunks of `at_once` rows or, if the file has errors, only the errors. `known` is the
    choice about the rows already in the study.
    """
    contents = read_contents(source)
    count = len(contents.items) + len(contents.questions)
    if faults := contents.faults or _faults_of_choice(contents.comparison, known, source.noun):
        yield Rows(count, faults=faults)
        return
    for start in range(0, len(contents.questions), at_once):
        yield _question_rows(contents.questions[start : start + at_once], source, count)
    for start in range(0, len(contents.items), at_once):
        yield _item_rows(contents.items[start : start + at_once], source.stored, count)
    for start in range(0, len(contents.comparison.absent), at_once):
        yield Rows(count, absent=contents.comparison.absent[start : start + at_once])


def _faults_of_choice(comparison: Comparison, known: KnownRows, noun: str) -> list[Fault]:
    if known == KnownRows.STOP:
        return [known_fault(comparison, noun)] if comparison.known else []
    return comparison.faults(known)


def _item_rows(items: Sequence[ItemDraft], stored: Mapping[str, StoredRow], count: int) -> Rows:
    rows = list(split(items, stored))
    return Rows(
        count,
        items=[item for item, known, _ in rows if not known],
        changed=[item for item, _, changed in rows if changed],
        unchanged=[item.key for item, known, changed in rows if known and not changed],
    )


def _question_rows(questions: Sequence[QuestionDraft], source: Source, count: int) -> Rows:
    rows = split((question_row(source.task, question) for question in questions), source.stored)
    compared = [(question, known, changed) for question, (_, known, changed) in zip(questions, rows, strict=True)]
    return Rows(
        count,
        questions=[question for question, known, _ in compared if not known],
        changed_questions=[question for question, _, changed in compared if changed],
        unchanged=[question.ref for question, known, changed in compared if known and not changed],
    )


def _clashes(rows: Sequence[ItemDraft], others: Mapping[str, StoredRow | None]) -> list[Fault]:
    """Return errors for rows that the study already contains as questions of another kind: one for all IDs, and one for
    all rows without IDs.
    """
    contents = {other.content for other in others.values() if other}
    taken = [row for row in rows if row.key in others]
    copied = [row for row in rows if row.numbered and row not in taken and stored_row(row).content in contents]
    faults = []
    if taken:
        message = "Other questions of the study have these IDs. Give the questions in the file other IDs"
        faults.append(Fault(taken[0].line, "id", f"{message}: {_with_lines(taken)}"))
    if copied:
        message = "The study already asks these questions in its other gold or practice questions. Delete these rows"
        faults.append(Fault(copied[0].line, None, f"{message}: {_with_lines(copied)}"))
    return faults


def _with_lines(rows: Sequence[ItemDraft]) -> str:
    """Return the IDs of the first rows with their line numbers."""
    named = [row.key if row.line is None else f"{row.key} (line {row.line:,})" for row in rows[:LISTED]]
    return ", ".join([*named, *([f"and {len(rows) - LISTED:,} more"] if len(rows) > LISTED else [])])
