"""Tables without a header row, such as a list of texts with one text per line.

The first row of a table without a header row looks like its other rows. If no cell in the first row is the name of a
column that the task type reads, `detect_first_row` decides by appearance whether the row contains data, and which
column has which contents. A researcher can change this decision in the preview.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from annotate.exchange.faults import TableError
from annotate.exchange.layout import (
    NO_HEADER,
    WHOLE_LINES,
    FileColumn,
    Layout,
    first_rows,
    letters,
    numbered_columns,
)

ROWS_READ = 500
LONGEST_NAME = 30  # characters of a column name
WORDS_IN_NAME = 3
ENDINGS = (".", "!", "?", "…", "。", "！", "？")


@dataclass(frozen=True)
class Headerless:
    """The tables without a header row that a task type can read: the names of their columns, in order. With `tabs`,
    this also applies to tab-separated text, which some task types read themselves.

    A column `id` must look like an ID: without spaces, with a digit, and different in each row.
    """

    arrangements: Sequence[Sequence[str]] = ()
    tabs: bool = True

    def reads(self, layout: Layout) -> bool:
        """Return whether these tables can have this layout."""
        return bool(self.arrangements) and (self.tabs or bool(layout.sheet) or layout.delimiter != "\t")


def detect_first_row(
    data: bytes, layout: Layout, expected: Sequence[FileColumn], headerless: Headerless, *, name: str
) -> Layout:
    """Return the layout with the line of the header row, and with `WHOLE_LINES` as the delimiter of a list of texts."""
    if not headerless.reads(layout):
        return layout
    rows = _rows(data, layout, name)
    if not rows:
        return layout
    known = has_known_name(rows[0], expected)
    in_lines = not layout.sheet and ("text",) in headerless.arrangements
    if in_lines and _is_list_of_texts(rows, known=known):
        layout = replace(layout, delimiter=WHOLE_LINES)
        rows = _rows(data, layout, name)
    if known:
        return layout
    if arrangement := _arrangement(rows, headerless):
        return layout if _is_header(rows, arrangement) else replace(layout, header=NO_HEADER)
    return layout


def columns_by_position(
    data: bytes, layout: Layout, expected: Sequence[FileColumn], headerless: Headerless, *, name: str
) -> dict[str, str]:
    """Return the names of the columns by position, or an empty mapping if the header row names the columns or if the
    task type does not read such tables.

    The only column of a table contains the items, even if its name is also a name for IDs, such as “item”.
    """
    rows = _rows(data, layout, name) if headerless.reads(layout) else []
    if not rows or (layout.header != NO_HEADER and _names_columns(rows[0], expected)):
        return {}
    arrangement = _arrangement(rows, headerless)
    header = numbered_columns(len(arrangement)) if layout.header == NO_HEADER else [cell.strip() for cell in rows[0]]
    return dict(zip(header, arrangement, strict=False)) if all(header) else {}


def _names_columns(header: Sequence[str], expected: Sequence[FileColumn]) -> bool:
    if len(header) > 1:
        return has_known_name(header, expected)
    return any(header[0].strip().casefold() == each.casefold() for column in expected for each in column.names)


def has_known_name(cells: Sequence[str], expected: Sequence[FileColumn]) -> bool:
    """Return whether one of the cells is the name of an expected column, or a similar name."""
    names = {letters(name) for column in expected for name in (*column.names, *column.aliases)}
    return any(letters(cell) in names for cell in cells if cell.strip())


def looks_like_id(cell: str) -> bool:
    """Return whether a cell contains one word with a digit, such as p1."""
    return len(cell.split()) == 1 and any(character.isdigit() for character in cell)


def _rows(data: bytes, layout: Layout, name: str) -> list[list[str]]:
    """Return the cells of the first rows, without empty cells at the end. If a row is not valid CSV, return only the
    first row, or no rows.
    """
    for most in (ROWS_READ, 1):
        try:
            return [_filled(row) for row in first_rows(data, layout, name=name, most=most)]
        except TableError:
            continue
    return []


def _filled(cells: Sequence[str]) -> list[str]:
    filled = list(cells)
    while len(filled) > 1 and not filled[-1].strip():
        filled.pop()
    return filled


def _is_list_of_texts(rows: Sequence[Sequence[str]], *, known: bool) -> bool:
    """Return whether each line is one text, so that its commas belong to the text. Below a header with one column, any
    comma belongs to the text. Without a header, a space follows most commas of a list.
    """
    if len(rows[0]) == 1:
        return any(len(row) > 1 for row in rows)
    after_commas = [cell[:1].isspace() for row in rows for cell in row[1:]]
    return not known and 2 * sum(after_commas) > len(after_commas)


def _arrangement(rows: Sequence[Sequence[str]], headerless: Headerless) -> Sequence[str]:
    widths = {len(row) for row in rows}
    for arrangement in headerless.arrangements:
        if widths == {len(arrangement)} and (arrangement[0] != "id" or _are_ids([row[0] for row in rows])):
            return arrangement
    return ()


def _are_ids(cells: Sequence[str]) -> bool:
    """Return whether the cells look like IDs. The first one can be a column name."""
    ids = [cell.strip() for cell in cells[1:]] or [cells[0].strip()]
    return len(set(ids)) == len(ids) and all(map(looks_like_id, ids))


def _is_header(rows: Sequence[Sequence[str]], arrangement: Sequence[str]) -> bool:
    """Return whether the first row looks like column names above the other rows."""
    first, others = rows[0], rows[1:]
    if not others or not all(_is_name(cell) for cell in first):
        return False
    if arrangement[0] == "id":
        return not any(character.isdigit() for character in first[0])
    words: Mapping[int, float] = {
        place: median(len(row[place].split()) for row in others) for place in range(len(arrangement))
    }
    return all(count > WORDS_IN_NAME for count in words.values())


def _is_name(cell: str) -> bool:
    text = cell.strip()
    return 0 < len(text) <= LONGEST_NAME and len(text.split()) <= WORDS_IN_NAME and not text.endswith(ENDINGS)
