"""The contents of an uploaded file, and a preview of them. The task type reads the file without access to the database.
Tables that the task type cannot read directly, such as Excel workbooks, are converted first.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

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
from annotate.exchange import layout as layouts
from annotate.exchange.cells import damage_before_import
from annotate.exchange.encoding import ENCODINGS, UTF8, as_utf8, detect_encoding, kind_of_binary
from annotate.exchange.faults import Fault, TableError, in_order, located
from annotate.exchange.layout import NO_HEADER, NO_TABLE, Converted, FileColumn, Layout
from annotate.exchange.recognition import Arrangements, recognise, recognise_columns
from annotate.exchange.tables import refuse_spaces
from annotate.exchange.workbooks import is_workbook, sheet_names
from annotate.tasktypes import ItemDraft, QuestionDraft, TaskType, place_warning

FAULTS_KEPT = 200
SAMPLE = 5  # rows
LINES = 3  # lines that show the encoding
LONGEST_LINE = 160  # characters of such a line and of a cell in the first rows


@dataclass(frozen=True)
class Source:
    """A zlib-compressed file, with all the data needed to interpret its contents.

    `items` contains the study's items by key for a file of questions, and is None for an item file. `stored` contains
    the rows of the same kind that the study already has, for a comparison with the file. `others` contains its
    questions of other kinds, and None for those whose contents are not compared. Without a `layout`, Accord detects the
    layout of a table, and `remembered` contains the names that columns had in earlier files.
    """

    task: TaskType
    content: bytes
    filename: str
    options: Mapping[str, Any]
    limits: Mapping[str, int]
    items: Mapping[str, ItemDraft] | None
    others: Mapping[str, StoredRow | None] = field(default_factory=dict)
    layout: Layout | None = None
    remembered: Mapping[str, str] = field(default_factory=dict)
    stored: Mapping[str, StoredRow] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        """The term for several rows of the file."""
        return "items" if self.items is None else "questions"

    @property
    def columns(self) -> Sequence[FileColumn]:
        """The columns read from the file by the task type."""
        return self.task.file_columns(self.options, of_items=self.items is None)

    @property
    def is_detected(self) -> bool:
        """Whether the layout is detected because nobody has chosen more than an encoding."""
        return self.layout is None or self.layout == Layout(encoding=self.layout.encoding, delimiter=None)

    @property
    def arrangements(self) -> Arrangements:
        """The columns that an item needs. Columns of gold questions must have names."""
        return self.task.arrangements if self.items is None else ()


@dataclass(frozen=True)
class Contents:
    items: Sequence[ItemDraft] = ()
    questions: list[QuestionDraft] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    comparison: Comparison = field(default_factory=Comparison)


def layout_of(source: Source, data: bytes) -> tuple[Layout | None, str]:
    """Return the layout of a file, or None for a file in UTF-8 that is not a table. Also return how the appearance of a
    first row without known names was read (see `recognise`). Raises `TableError`.
    """
    name, first_row = source.filename, ""
    if source.layout is None or source.is_detected:
        encoding = source.layout.encoding if source.layout else None
        layout = layouts.detect(data, name=name, expected=source.columns, encoding=encoding)
    else:
        layout = layouts.complete(data, source.layout, name=name)
    if layout.delimiter == NO_TABLE or not (layout.sheet or _is_table(source, _text(source, data, layout))):
        return None if layout.encoding == UTF8 else Layout(encoding=layout.encoding, delimiter=NO_TABLE), ""
    if source.is_detected and source.items is None:
        layout, first_row = recognise(data, layout, source.columns, source.arrangements, name=name)
    if layout.columns:
        return layout, first_row
    header = layouts.header_of(data, layout, name=name)
    taken = {column.casefold() for column in header}
    remembered = {
        column: name for column, name in source.remembered.items() if column in header and name.casefold() not in taken
    }
    expected = [each for each in source.columns if each.name not in remembered.values()]
    recognised = recognise_columns(data, layout, expected, () if remembered else source.arrangements, name=name)
    return replace(layout, columns={**recognised, **remembered}), first_row


def _is_table(source: Source, text: bytes) -> bool:
    return (layouts.is_table(text) or layouts.is_json(text)) and source.task.is_table(text, source.filename)


def _text(source: Source, data: bytes, layout: Layout | None) -> bytes:
    """Return the file in UTF-8."""
    return as_utf8(data, name=source.filename, encoding=layout.encoding if layout else None)


def _readable(source: Source) -> Converted:
    """Return the file in a form that the task type can read, with the errors in the excluded rows. Raises
    `TableError`.
    """
    data = zlib.decompress(source.content)
    warnings = _encoding_warnings(source, data)
    layout, _ = layout_of(source, data)
    if layout is None or layout.delimiter == NO_TABLE:
        return Converted(_text(source, data, layout), [], warnings)
    _refuse_spaces(source, data, layout)
    if _reads_tabs(source, data, layout):
        return Converted(data, [], warnings)
    if not layouts.needs_conversion(data, layout, name=source.filename):
        return Converted(data, [], warnings)
    converted = layouts.convert(data, layout, name=source.filename, most_rows=source.limits["rows"])
    return replace(converted, warnings=[*warnings, *converted.warnings])


def _reads_tabs(source: Source, data: bytes, layout: Layout) -> bool:
    """Return whether the task type itself recognises the columns of tab-separated text without a header row."""
    is_plain = source.task.plain_tabs and layout.delimiter == "\t" and not layout.sheet and layout.encoding == UTF8
    if not (is_plain and layout.header == NO_HEADER and source.is_detected):
        return False
    return list(layout.columns) == layouts.header_of(data, layout, name=source.filename)


def _refuse_spaces(source: Source, data: bytes, layout: Layout) -> None:
    """Raise `TableError` if spaces separate the column names, unless a researcher has chosen another reading."""
    if source.is_detected and not layout.sheet:
        header = layouts.header_of(data, layout, name=source.filename)
        names = {name for column in source.columns for name in column.names}
        refuse_spaces(header, names, name=source.filename, line=layout.header or 1)


def _encoding_warnings(source: Source, data: bytes) -> list[Fault]:
    """Return a warning if a text file is plausible in several encodings and nobody has chosen its encoding."""
    if kind_of_binary(data) or is_workbook(data) or (source.layout and source.layout.encoding):
        return []
    detected = detect_encoding([data])
    if detected.is_sure:
        return []
    label = ENCODINGS[detected.encoding]
    message = f"The encoding is not certain. Accord read the file as {label}. Check letters with accents and symbols"
    return [Fault(None, None, f"{message}, and choose another encoding if they are wrong.")]


def _lines_not_ascii(text: bytes) -> list[tuple[int, str]]:
    """Return the first lines of a text that reveal whether its encoding is correct, with their line numbers."""
    numbered = enumerate(text.decode("utf-8", "replace").split("\n"), start=1)
    shown = ((number, line.strip()[:LONGEST_LINE]) for number, line in numbered if not line.isascii())
    return list(islice(shown, LINES))


@dataclass(frozen=True)
class Preview:
    """A preview of an upload, with the number of rows, the first rows, and the errors."""

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
    first_rows: Sequence[Sequence[Any]] = ()  # (line number, cells)
    lines: Sequence[Sequence[Any]] = ()  # (line number, text), for a file in another encoding than UTF-8
    known: Mapping[str, Any] | None = None  # see `_known`. None if the study contains none of the rows
    first_row: str = ""  # how a first row without known names was read (see `recognise`): `names`, `data` or `unclear`

    @property
    def importable(self) -> bool:
        """Whether the file can be imported without choosing what to do with known rows."""
        return self.without_errors and self.known is None

    @property
    def without_errors(self) -> bool:
        return not self.fault_count and self.rows > 0

    def allows(self, known: KnownRows) -> bool:
        """Return whether the file can be imported with this choice about known rows."""
        if self.known is None:
            return self.without_errors
        return self.without_errors and known != KnownRows.STOP and self.known["choices"][known]["possible"]


def read_contents(source: Source) -> Contents:
    """Read all rows of the file, and collect all errors."""
    try:
        file = _readable(source)
    except TableError as error:
        return Contents(faults=list(error.faults))
    if file.faults and not file.data.strip():
        return Contents(faults=file.faults, warnings=file.warnings)
    limits = {**source.limits, "bytes": max(source.limits["bytes"], len(file.data))}  # a converted table can be larger
    if source.items is None:
        read = source.task.read_items(file.data, source.filename, source.options, limits)
        items = numbered(read.items, source.stored)
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


def read_preview(source: Source, *, sample: int = SAMPLE, most: int | None = None) -> Preview:
    """Create a preview with up to `most` errors and up to `most` warnings."""
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
        known=_known(contents.comparison),
        **_layout_shown(source),
    )


def _known(comparison: Comparison) -> dict[str, Any] | None:
    """Return the numbers of known rows, and the effect of each choice: the items that it adds, changes and removes,
    whether it is possible, and the first errors otherwise.
    """
    if not comparison.known:
        return None
    new, changed, absent = comparison.new, comparison.changed, len(comparison.absent)
    effects = {
        KnownRows.ADD: (new, 0, 0),
        KnownRows.UPDATE: (new, changed, 0),
        KnownRows.REPLACE: (new, changed, absent),
    }
    choices = {}
    for choice, effect in effects.items():
        faults = comparison.faults(choice)
        choices[choice.value] = {
            **dict(zip(("adds", "changes", "removes"), effect, strict=True)),
            "possible": not faults and any(effect),
            "locked": len(faults),
            "faults": [list(fault) for fault in faults[:LISTED]],
        }
    return {
        "rows": comparison.rows,
        "new": new,
        "unchanged": comparison.unchanged,
        "changed": changed,
        "absent": absent,
        "changed_rows": [list(row) for row in comparison.changed_rows],
        "answers": comparison.answers,
        "choices": choices,
    }


def _layout_shown(source: Source) -> dict[str, Any]:
    """Return how a file is read: its layout, columns, sheets, first rows, the reading of its first row, and lines that
    show its encoding. If the file cannot be read, return the chosen layout or, for a text file, a layout whose encoding
    can be changed.
    """
    data = zlib.decompress(source.content)
    try:
        layout, first_row = layout_of(source, data)
        sheets = sheet_names(data, name=source.filename) if is_workbook(data) else []
        lines = _lines_not_ascii(_text(source, data, layout)) if layout and layout.encoding != UTF8 else []
        shown = {"layout": layout, "sheets": sheets, "lines": [list(line) for line in lines]}
        if layout is None or layout.delimiter == NO_TABLE:
            return shown
        header = layouts.header_of(data, layout, name=source.filename)
        rows = layouts.numbered_rows(data, replace(layout, header=None), name=source.filename)
    except TableError:
        if source.layout is None and not kind_of_binary(data) and data.strip() and not is_workbook(data):
            return {"layout": Layout(encoding=detect_encoding([data]).encoding, delimiter=NO_TABLE)}
        return {"layout": source.layout}
    first_rows = [[line, [cell[:LONGEST_LINE] for cell in cells]] for line, cells in rows]
    return {**shown, "header": header, "first_rows": first_rows, "first_row": first_row}


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


def _clashes(rows: Sequence[ItemDraft], others: Mapping[str, StoredRow | None]) -> list[Fault]:
    """Return one error for all IDs that belong to questions of another kind, and one for all rows without IDs that the
    study contains as questions of another kind.
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
