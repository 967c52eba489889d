"""Rows in a file that are already in the study: their numbers, their changes, and the effects of an import on them.

Rows without IDs are numbered. A row with the same contents as a stored row keeps the number of the stored row, so a
file can come again with added, removed or reordered rows.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple

from accord_core.exchange.faults import Fault
from accord_core.exchange.packed_rows import PackedRows
from annotate.tasktypes import ItemDraft, QuestionDraft, TaskType

NO_FAULT = Fault(None, None, "")
LISTED = 20  # rows that the preview names


class KnownRows(StrEnum):
    """The possible effects of an import on IDs that the study already contains."""

    STOP = "stop"  # import nothing
    ADD = "add"  # add the new rows, and keep the stored ones
    UPDATE = "update"  # add the new rows, and change the stored ones
    REPLACE = "replace"  # as `update`, and remove the other rows of the files that contain the stored ones


class Lock(StrEnum):
    """Why a stored row cannot be changed."""

    FREE = ""
    DESIGN = "design"
    GOLD = "gold"
    ASKED = "asked"  # a gold question, whose expected answer and explanation can still change
    PRACTICE = "practice"
    EXCLUDED = "excluded"  # a gold question, which no file removes


REASONS = {
    Lock.DESIGN: "it is in the design of a study that has been opened",
    Lock.GOLD: "gold or practice questions contain it",
    Lock.ASKED: "the study has been opened. Only its expected answer and its explanation can change",
    Lock.PRACTICE: "the study has been opened",
    Lock.EXCLUDED: "it was excluded. Give the corrected question another ID",
}


class StoredRow(NamedTuple):
    """A row of the study, with digests of its contents and of the whole row. `file` is the file from which it was
    imported, or 0. For a question, `unordered` is a digest of its contents in which the order of items or candidates
    does not matter.
    """

    content: int
    whole: int
    lock: Lock = Lock.FREE
    file: int = 0
    unordered: int | None = None


def stored_row(row: ItemDraft, *, lock: Lock = Lock.FREE, file: int = 0) -> StoredRow:
    """Return a stored item in a form that can be compared."""
    return StoredRow(_digest(row.content), _whole(row), lock, file)


def stored_question(row: ItemDraft, *, lock: Lock = Lock.FREE, file: int = 0) -> StoredRow:
    """Return a stored question (see `question_row`) for comparisons."""
    return stored_row(row, lock=lock, file=file)._replace(unordered=_digest(_sorted_lists(row.content)))


def question_row(task: TaskType, question: QuestionDraft) -> ItemDraft:
    """Return a question as a row for comparisons, with the expected answer and the explanation as metadata."""
    content = task.question_content(question.payload)
    metadata = {"gold": question.gold, "explanation": question.explanation}
    return ItemDraft(question.ref, content, metadata, numbered=question.numbered, line=question.line)


@dataclass
class Comparison:
    """The numbers of new, unchanged and changed rows in a file, and of stored rows that the file does not contain.

    `absent` contains the IDs of these stored rows. `changed_rows` contains the lines and IDs of the first changed rows.
    `locked` contains an error for each change that the study does not allow, and `locked_absent` for each removal.
    `answers` contains the new expected answers to gold questions of an opened study, by ID.
    """

    first: Fault = NO_FAULT  # the place and the ID of the first known row
    new: int = 0
    unchanged: int = 0
    changed: int = 0
    absent: list[str] = field(default_factory=list)
    changed_rows: list[tuple[int | None, str]] = field(default_factory=list)
    locked: list[Fault] = field(default_factory=list)
    locked_absent: list[Fault] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)

    @property
    def known(self) -> int:
        return self.unchanged + self.changed

    @property
    def rows(self) -> int:
        return self.new + self.known

    def faults(self, choice: KnownRows) -> list[Fault]:
        """Return the errors that prevent an import with this choice."""
        if choice == KnownRows.UPDATE:
            return self.locked
        if choice == KnownRows.REPLACE:
            return [*self.locked, *self.locked_absent]
        return []


def numbered(
    rows: Sequence[ItemDraft], stored: Mapping[str, StoredRow], taken: Collection[str] = ()
) -> Sequence[ItemDraft]:
    """Return the rows. Rows without IDs get the numbers of stored rows, or the next numbers that are not in `stored` or
    `taken`.

    A row with the contents of a stored row has its number. If most rows match stored rows, a row that replaces a
    missing stored row in the same position counts as its corrected version. All other rows are new.
    """
    if not (stored or taken) or not any(row.numbered for row in rows):
        return rows
    same = _rows_by_content(stored)
    matched = [_first(same[_digest(row.content)]) if row.numbered else None for row in rows]
    used = {key for key in matched if key is not None}
    mostly_stored = 2 * len(used) >= len(matched)
    next_number = _next_numbers([*stored, *taken])
    keys = []
    for row, match in zip(rows, matched, strict=True):
        key = match or row.key
        if match is None and row.numbered:
            corrected = mostly_stored and key in stored and key not in used and stored[key].lock != Lock.EXCLUDED
            key = key if corrected else next_number(key)
        keys.append(key)
    renamed = (row if row.key == key else replace(row, key=key) for row, key in zip(rows, keys, strict=True))
    return PackedRows(renamed) if isinstance(rows, PackedRows) else list(renamed)


def compare(rows: Iterable[ItemDraft], stored: Mapping[str, StoredRow]) -> Comparison:
    """Return how the rows of a file differ from the study's rows."""
    result = Comparison()
    seen: set[str] = set()
    files: set[int] = set()
    for row in rows:
        key = row.key
        before = stored.get(key)
        if before is None:
            result.new += 1
            continue
        if not seen:
            result.first = Fault(row.line, "id", key)
        seen.add(key)
        files.add(before.file)
        if before.whole == _whole(row):
            result.unchanged += 1
            continue
        result.changed += 1
        if len(result.changed_rows) < LISTED:
            result.changed_rows.append((row.line, key))
        if before.lock == Lock.ASKED and before.content == _digest(row.content):
            result.answers[key] = row.metadata["gold"]
        elif before.lock:
            message = f"{key} cannot be changed, because {REASONS[before.lock]}"
            result.locked.append(Fault(row.line, "id", message))
    for key, before in stored.items() if seen else ():
        if before.file in files - {0} and key not in seen and before.lock != Lock.EXCLUDED:
            result.absent.append(key)
            if before.lock:
                message = f"{key} is not in the file, but cannot be removed, because {REASONS[before.lock]}"
                result.locked_absent.append(Fault(None, None, message))
    return result


def repeated_contents(rows: Iterable[ItemDraft], stored: Mapping[str, StoredRow], noun: str) -> list[Fault]:
    """Return a warning for each row with a new ID but the contents of a stored item with another ID."""
    keys: dict[int, str] = {}
    for key, before in stored.items():
        keys.setdefault(before.content if before.unordered is None else before.unordered, key)
    of_questions = any(before.unordered is not None for before in stored.values())
    warnings = []
    for row in rows if keys else ():
        content = _sorted_lists(row.content) if of_questions else row.content
        if row.key not in stored and (same := keys.get(_digest(content))):
            message = f"the study already contains the same {noun} with the ID {same}"
            warnings.append(Fault(row.line, None, message))
    return warnings


def split(rows: Iterable[ItemDraft], stored: Mapping[str, StoredRow]) -> Iterator[tuple[ItemDraft, bool, bool]]:
    """Yield each row with whether the study contains its ID, and whether it differs from the stored row."""
    for row in rows:
        before = stored.get(row.key)
        yield row, before is not None, before is not None and before.whole != _whole(row)


def known_fault(comparison: Comparison, noun: str) -> Fault:
    """Return the error for an import without a choice about known rows, on the line of the first known row."""
    message = (
        f"The study already contains {comparison.known:,} of the file's {comparison.rows:,} {noun}, and "
        f"{comparison.changed:,} of them have other contents in the file. The first is {comparison.first.message}. "
        f"Choose whether to add only the new rows, to update the stored {noun}, or to replace them"
    )
    return comparison.first._replace(message=message)


def _sorted_lists(content: Any) -> Any:
    """Return an object whose lists of texts, such as items or candidates, are sorted. Lists of lists, such as the words
    of a sentence pair, do not change.
    """
    if not isinstance(content, Mapping):
        return content
    return {
        name: sorted(value)
        if isinstance(value, list) and all(isinstance(each, str) for each in value)
        else _sorted_lists(value)
        for name, value in content.items()
    }


def _whole(row: ItemDraft) -> int:
    return _digest([row.content, row.metadata, row.held_out])


def _rows_by_content(stored: Mapping[str, StoredRow]) -> defaultdict[int, deque[str]]:
    """Return the keys that end with a number by content, in the order of their numbers."""
    rows: defaultdict[int, deque[str]] = defaultdict(deque)
    keys = [key for key in stored if _number(key) is not None]
    for key in sorted(keys, key=lambda each: _number(each) or 0):
        rows[stored[key].content].append(key)
    return rows


def _next_numbers(used: Iterable[str]) -> Any:
    """Return a function from a numbered key to the next unused key with the same stem."""
    last: defaultdict[str, int] = defaultdict(int)
    for key in used:
        if (number := _number(key)) is not None:
            stem = key.rpartition("-")[0]
            last[stem] = max(last[stem], number)

    def next_key(key: str) -> str:
        stem = key.rpartition("-")[0]
        last[stem] += 1
        return f"{stem}-{last[stem]}"

    return next_key


def _number(key: str) -> int | None:
    ending = key.rpartition("-")[2]
    return int(ending) if ending.isascii() and ending.isdigit() and len(ending) < 10 else None


def _first(keys: deque[str]) -> str | None:
    return keys.popleft() if keys else None


def _digest(value: Any) -> int:
    """Return a 64-bit digest that is the same for equal JSON values in each process."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
