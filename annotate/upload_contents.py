"""The contents of an uploaded file, and a preview of these contents. The task type reads the file without access to the
database.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from annotate.exchange.faults import Fault
from annotate.tasktypes import ItemDraft, QuestionDraft, TaskType

FAULTS_KEPT = 200
SAMPLE = 5  # rows


@dataclass(frozen=True)
class Source:
    """A zlib-compressed file with all data that is needed to interpret the file.

    `items` contains the study's items by key for a file of questions, and is None for an item file. `taken` contains
    the keys of items, or refs of questions, that the study already has.
    """

    task: TaskType
    content: bytes
    filename: str
    options: Mapping[str, Any]
    limits: Mapping[str, int]
    items: Mapping[str, ItemDraft] | None
    taken: AbstractSet[str]


@dataclass(frozen=True)
class Contents:
    items: list[ItemDraft] = field(default_factory=list)
    questions: list[QuestionDraft] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Preview:
    """A preview of an upload: the number of rows, the first rows, and the faults."""

    rows: int
    columns: list[str]
    sample: list[dict[str, Any]]
    faults: list[Fault]
    warnings: list[Fault]
    fault_count: int
    warning_count: int

    @property
    def importable(self) -> bool:
        return not self.fault_count and self.rows > 0


def read_contents(source: Source) -> Contents:
    """Read all rows of the file, and find all of its faults."""
    data = zlib.decompress(source.content)
    if source.items is None:
        read = source.task.read_items(data, source.filename, source.options, source.limits)
        clashes = _clashes("item", (item.key for item in read.items if item.key in source.taken))
        return Contents(items=read.items, faults=read.faults + clashes, warnings=read.warnings, columns=read.columns)
    gold = source.task.read_gold(data, source.filename, source.options, source.items)
    clashes = _clashes("question", (each.ref for each in gold.questions if each.ref in source.taken))
    return Contents(questions=gold.questions, faults=gold.faults + clashes)


@dataclass(frozen=True)
class Rows:
    """Some rows of a file, or the faults of the file. The attribute `of` contains the number of rows in the
    whole file.
    """

    of: int
    items: Sequence[ItemDraft] = ()
    questions: Sequence[QuestionDraft] = ()
    faults: Sequence[Fault] = ()


def read_rows(source: Source, *, at_once: int) -> Generator[Rows]:
    """Yield the rows of the file in chunks of `at_once` rows, or only the faults if the file has faults."""
    contents = read_contents(source)
    count = len(contents.items) + len(contents.questions)
    if contents.faults:
        yield Rows(count, faults=contents.faults)
        return
    for start in range(0, count, at_once):
        rows = slice(start, start + at_once)
        yield Rows(count, items=contents.items[rows], questions=contents.questions[rows])


def read_preview(source: Source, *, sample: int = SAMPLE, most: int | None = None) -> Preview:
    """Create a preview with at most `most` faults and at most `most` warnings."""
    contents = read_contents(source)
    rows: Sequence[ItemDraft | QuestionDraft] = contents.items or contents.questions
    return Preview(
        rows=len(rows),
        columns=contents.columns,
        sample=[vars(row) for row in rows[:sample]],
        faults=contents.faults[:most],
        warnings=contents.warnings[:most],
        fault_count=len(contents.faults),
        warning_count=len(contents.warnings),
    )


def as_json(preview: Preview) -> dict[str, Any]:
    """Convert a preview to JSON."""
    return vars(preview) | {
        "faults": [list(fault) for fault in preview.faults],
        "warnings": [list(fault) for fault in preview.warnings],
    }


def from_json(stored: Mapping[str, Any]) -> Preview:
    """Convert JSON from `as_json` back to a preview."""
    faults, warnings = ([Fault(*fault) for fault in stored[name]] for name in ("faults", "warnings"))
    return Preview(**{**stored, "faults": faults, "warnings": warnings})


def _clashes(what: str, keys: Any) -> list[Fault]:
    article = "an" if what == "item" else "a"
    return [Fault(None, "id", f"The study already contains {article} {what} with the ID {key!r}.") for key in keys]
