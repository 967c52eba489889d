"""An uploaded file and its layout. Tables that the task type cannot read, such as Excel workbooks, are converted."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord_core.exchange import layout as layouts
from accord_core.exchange.conversion import Converted, convert, needs_conversion
from accord_core.exchange.encoding import ENCODINGS, UTF8, as_utf8, detect_encoding, kind_of_binary
from accord_core.exchange.faults import Fault
from accord_core.exchange.layout import NO_HEADER, NO_TABLE, FileColumn, Layout
from accord_core.exchange.recognition import Arrangements, recognise, recognise_columns
from accord_core.exchange.tables import refuse_spaces
from accord_core.exchange.workbooks import is_workbook
from annotate.data.known_rows import StoredRow
from annotate.tasktypes import ItemDraft, TaskType


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
        """Whether Accord detects the layout, because only the encoding can have been chosen."""
        return self.layout is None or self.layout == Layout(encoding=self.layout.encoding, delimiter=None)

    @property
    def arrangements(self) -> Arrangements:
        """The columns that an item needs. Columns of gold questions must have names."""
        return self.task.arrangements if self.items is None else ()


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
    if layout.delimiter == NO_TABLE or not (layout.sheet or _is_table(source, text_of(source, data, layout))):
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


def text_of(source: Source, data: bytes, layout: Layout | None) -> bytes:
    """Return the file in UTF-8."""
    return as_utf8(data, name=source.filename, encoding=layout.encoding if layout else None)


def readable(source: Source) -> Converted:
    """Return the file in a form that the task type can read, with the errors in the excluded rows. Raises
    `TableError`.
    """
    data = zlib.decompress(source.content)
    warnings = _encoding_warnings(source, data)
    layout, _ = layout_of(source, data)
    if layout is None or layout.delimiter == NO_TABLE:
        return Converted(text_of(source, data, layout), [], warnings)
    _refuse_spaces(source, data, layout)
    if _reads_tabs(source, data, layout):
        return Converted(data, [], warnings)
    if not needs_conversion(data, layout, name=source.filename):
        return Converted(data, [], warnings)
    converted = convert(data, layout, name=source.filename, most_rows=source.limits["rows"])
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
