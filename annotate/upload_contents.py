"""The contents of an uploaded file, and a preview of them. The task type reads the file without access to the database.
Tables that the task type cannot read directly, such as Excel workbooks, are converted first.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from annotate.exchange import layout as layouts
from annotate.exchange.faults import Fault, TableError, in_order
from annotate.exchange.headerless import Headerless, columns_by_position, detect_first_row, has_known_name
from annotate.exchange.layout import NO_HEADER, FileColumn, Layout
from annotate.exchange.workbooks import is_workbook, sheet_names
from annotate.tasktypes import ItemDraft, QuestionDraft, TaskType, place_warning

FAULTS_KEPT = 200
SAMPLE = 5  # rows


@dataclass(frozen=True)
class Source:
    """A zlib-compressed file, with all the data needed to interpret its contents.

    `items` contains the study's items by key for a file of questions, and is None for an item file. `taken` contains
    the keys of items, or refs of questions, that the study already has. `payloads` contains the payloads of the study's
    gold questions and practice questions. Without a `layout`, Accord detects the layout
    of a table, and `remembered` contains the names that columns had in earlier files.
    """

    task: TaskType
    content: bytes
    filename: str
    options: Mapping[str, Any]
    limits: Mapping[str, int]
    items: Mapping[str, ItemDraft] | None
    taken: AbstractSet[str]
    layout: Layout | None = None
    remembered: Mapping[str, str] = field(default_factory=dict)
    payloads: Sequence[Any] = ()

    @property
    def columns(self) -> Sequence[FileColumn]:
        """The columns that the task type reads from the file."""
        return self.task.item_columns if self.items is None else self.task.gold_columns(self.options)

    @property
    def headerless(self) -> Headerless:
        """The files without a header row that the task type reads."""
        return self.task.headerless if self.items is None else Headerless()


@dataclass(frozen=True)
class Contents:
    items: Sequence[ItemDraft] = ()
    questions: list[QuestionDraft] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)


def layout_of(source: Source, data: bytes) -> Layout | None:
    """Return the layout of a table, or None if the file is not a table. Raises `TableError`."""
    if not layouts.is_table(data):
        return None
    if source.layout is not None and source.layout.columns:
        return source.layout
    detected = source.layout or _detected(source, data)
    by_position = columns_by_position(data, detected, source.columns, source.headerless, name=source.filename)
    header = layouts.header_of(data, detected, name=source.filename)
    taken = {column.casefold() for column in header}
    remembered = {
        column: name for column, name in source.remembered.items() if column in header and name.casefold() not in taken
    }
    guesses = layouts.guess_columns(header, [each for each in source.columns if each.name not in remembered.values()])
    return replace(detected, columns={**guesses, **by_position, **remembered})


def _detected(source: Source, data: bytes) -> Layout:
    layout = layouts.detect(data, name=source.filename)
    return detect_first_row(data, layout, source.columns, source.headerless, name=source.filename)


def _readable(source: Source) -> tuple[bytes, list[Fault]]:
    """Return the file in a form that the task type can read, and the errors in the excluded rows."""
    data = zlib.decompress(source.content)
    layout = layout_of(source, data)
    if layout is None or not layouts.needs_conversion(data, layout, name=source.filename):
        return data, []
    return layouts.convert(data, layout, name=source.filename)


@dataclass(frozen=True)
class Preview:
    """A preview of an upload, which contains the number of rows, the first rows, and the errors."""

    rows: int
    columns: list[str]
    sample: list[dict[str, Any]]
    faults: list[Fault]
    warnings: list[Fault]
    fault_count: int
    warning_count: int
    layout: Layout | None = None
    header: Sequence[str] = ()
    sheets: Sequence[str] = ()
    first_row: str = ""  # how a doubtful first row was read: as `data` or as `names`. Empty if there is no doubt

    @property
    def importable(self) -> bool:
        return not self.fault_count and self.rows > 0


def read_contents(source: Source) -> Contents:
    """Read all rows of the file, and collect all errors."""
    try:
        data, ragged = _readable(source)
    except TableError as error:
        return Contents(faults=list(error.faults))
    limits = {**source.limits, "bytes": max(source.limits["bytes"], len(data))}  # a converted table can be larger
    if source.items is None:
        read = source.task.read_items(data, source.filename, source.options, limits)
        clashes = _clashes("item", (item.key for item in read.items if item.key in source.taken))
        return Contents(
            items=read.items,
            faults=in_order([*ragged, *read.faults]) + clashes,
            warnings=read.warnings,
            columns=read.columns,
        )
    gold = source.task.read_gold(data, source.filename, source.options, source.items)
    questions = _renumber(gold.questions, source)
    clashes = _clashes("question", (each.ref for each in questions if each.ref in source.taken))
    return Contents(
        questions=questions,
        faults=in_order([*ragged, *gold.faults]) + clashes,
        warnings=[*gold.warnings, *_place_warnings(source.task, questions)],
    )


def _renumber(questions: Sequence[QuestionDraft], source: Source) -> list[QuestionDraft]:
    """Return the questions, after replacing numbers that are already in use with unused ones.

    A question that the study already has keeps its number, so that a file that is imported twice is rejected.
    """
    used = {*source.taken, *(question.ref for question in questions)}
    known = {_canonical(payload) for payload in source.payloads}
    numbers: defaultdict[str, Iterator[int]] = defaultdict(
        lambda: count(1)
    )  # by stem, so that no number is tried twice
    renumbered = []
    for question in questions:
        ref = question.ref
        if question.numbered and ref in source.taken and _canonical(question.payload) not in known:
            stem = ref.rpartition("-")[0]
            ref = next(name for number in numbers[stem] if (name := f"{stem}-{number}") not in used)
        renumbered.append(replace(question, ref=ref))
    return renumbered


def _canonical(payload: Any) -> str:
    """Return the payload as text that is the same for equal payloads."""
    return json.dumps(payload, sort_keys=True)


def _place_warnings(task: TaskType, questions: Sequence[QuestionDraft]) -> list[Fault]:
    """Return a warning for each explanation that may refer to the wrong position of an item."""
    return [
        Fault(None, "explanation", f"question {question.ref}: {reason}")
        for question in questions
        if (reason := place_warning(task, question.explanation, question.payload))
    ]


@dataclass(frozen=True)
class Rows:
    """Some of a file's rows, or its errors. The attribute `of` is the number of rows in the whole file."""

    of: int
    items: Sequence[ItemDraft] = ()
    questions: Sequence[QuestionDraft] = ()
    faults: Sequence[Fault] = ()


def read_rows(source: Source, *, at_once: int) -> Generator[Rows]:
    """Yield the file's rows in chunks of `at_once` rows or, if the file has errors, only the errors."""
    contents = read_contents(source)
    count = len(contents.items) + len(contents.questions)
    if contents.faults:
        yield Rows(count, faults=contents.faults)
        return
    for start in range(0, count, at_once):
        rows = slice(start, start + at_once)
        yield Rows(count, items=contents.items[rows], questions=contents.questions[rows])


def read_preview(source: Source, *, sample: int = SAMPLE, most: int | None = None) -> Preview:
    """Create a preview with up to `most` errors and up to `most` warnings."""
    contents = read_contents(source)
    rows: Sequence[ItemDraft | QuestionDraft] = contents.items or contents.questions
    layout, header, sheets = _layout_shown(source)
    return Preview(
        rows=len(rows),
        columns=contents.columns,
        sample=[vars(row) for row in rows[:sample]],
        faults=contents.faults[:most],
        warnings=contents.warnings[:most],
        fault_count=len(contents.faults),
        warning_count=len(contents.warnings),
        layout=layout,
        header=header,
        sheets=sheets,
        first_row=_first_row(source, layout, header),
    )


def _first_row(source: Source, layout: Layout | None, header: Sequence[str]) -> str:
    """Return how the first row of a table was read if its appearance decided it: as `data` or as `names`."""
    if source.layout is not None or layout is None or not source.headerless.reads(layout):
        return ""
    if layout.header == NO_HEADER:
        return "data"
    return "" if has_known_name(header, source.columns) else "names"


def _layout_shown(source: Source) -> tuple[Layout | None, Sequence[str], Sequence[str]]:
    """Return a table's layout, columns and sheets. If the file cannot be read, return only the chosen layout."""
    data = zlib.decompress(source.content)
    try:
        layout = layout_of(source, data)
        header = layouts.header_of(data, layout, name=source.filename) if layout else []
        sheets = sheet_names(data, name=source.filename) if is_workbook(data) else []
    except TableError:
        return source.layout, [], []
    return layout, header, sheets


def as_json(preview: Preview) -> dict[str, Any]:
    """Convert a preview to JSON data."""
    return vars(preview) | {
        "faults": [list(fault) for fault in preview.faults],
        "warnings": [list(fault) for fault in preview.warnings],
        "layout": preview.layout and layouts.as_json(preview.layout),
    }


def from_json(stored: Mapping[str, Any]) -> Preview:
    """Convert JSON data from `as_json` back to a preview."""
    faults, warnings = ([Fault(*fault) for fault in stored[name]] for name in ("faults", "warnings"))
    layout = layouts.from_json(stored["layout"]) if stored.get("layout") else None
    return Preview(**{**stored, "faults": faults, "warnings": warnings, "layout": layout})


def _clashes(what: str, keys: Any) -> list[Fault]:
    article = "an" if what == "item" else "a"
    return [Fault(None, "id", f"The study already contains {article} {what} with the ID {key!r}.") for key in keys]
