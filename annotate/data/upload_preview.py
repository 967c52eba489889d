"""A preview of an uploaded file."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from accord_core.exchange import layout as layouts
from accord_core.exchange.encoding import UTF8, detect_encoding, kind_of_binary
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.layout import NO_TABLE, Layout
from accord_core.exchange.workbooks import is_workbook, sheet_names
from annotate.data.known_rows import LISTED, Comparison, KnownRows
from annotate.data.upload_contents import read_contents
from annotate.data.upload_source import Source, layout_of, text_of
from annotate.tasktypes import ItemDraft, QuestionDraft

FAULTS_KEPT = 200
SAMPLE = 5  # rows
LINES = 3  # lines that show the encoding
LONGEST_LINE = 160  # characters of such a line and of a cell in the first rows


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


def read_preview(source: Source, *, sample: int = SAMPLE, most: int | None = None) -> Preview:
    """Create a preview with up to `most` errors and up to `most` warnings."""
    contents, shown = read_contents(source), _layout_shown(source)
    rows: Sequence[ItemDraft | QuestionDraft] = contents.items or contents.questions
    # Researchers know the columns by their names in the file, not by those under which the task type reads them.
    own = {name: column for column, name in shown["layout"].columns.items()} if shown["layout"] else {}
    faults, warnings = (
        [fault._replace(column=own.get(fault.column or "", fault.column)) for fault in each[:most]]
        for each in (contents.faults, contents.warnings)
    )
    return Preview(
        rows=len(rows),
        columns=contents.columns,
        sample=[vars(row) for row in rows[:sample]],
        faults=faults,
        warnings=warnings,
        fault_count=len(contents.faults),
        warning_count=len(contents.warnings),
        known=_known(contents.comparison),
        **shown,
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
    if kind_of_binary(data) and not is_workbook(data):
        return {"layout": None}  # no other encoding makes this file readable
    try:
        layout, first_row = layout_of(source, data)
        sheets = sheet_names(data, name=source.filename) if is_workbook(data) else []
        lines = _lines_not_ascii(text_of(source, data, layout)) if layout and layout.encoding != UTF8 else []
        shown = {"layout": layout, "sheets": sheets, "lines": [list(line) for line in lines]}
        if layout is None or layout.delimiter == NO_TABLE:
            return shown
        header = layouts.header_of(data, layout, name=source.filename)
        rows = layouts.numbered_rows(data, replace(layout, header=None), name=source.filename)
    except TableError:
        if source.layout is None and data.strip() and not is_workbook(data):
            return {"layout": Layout(encoding=detect_encoding([data]).encoding, delimiter=NO_TABLE)}
        return {"layout": source.layout}
    first_rows = [[line, [cell[:LONGEST_LINE] for cell in cells]] for line, cells in rows]
    return {**shown, "header": header, "first_rows": first_rows, "first_row": first_row}


def _lines_not_ascii(text: bytes) -> list[tuple[int, str]]:
    """Return the first lines of a text that reveal whether its encoding is correct, with their line numbers."""
    numbered = enumerate(text.decode("utf-8", "replace").split("\n"), start=1)
    shown = ((number, line.strip()[:LONGEST_LINE]) for number, line in numbered if not line.isascii())
    return list(islice(shown, LINES))


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
