"""The file format for items: a table with an ID and a text or two sentences per row, or a list with one item per
line.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from accord_core.exchange.cells import IdChecks, listed, yes_or_no
from accord_core.exchange.csvtext import iter_records
from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, in_order, raise_faults
from accord_core.exchange.spellings import LookAlikes
from accord_core.exchange.tables import (
    Limits,
    Row,
    Table,
    TableStream,
    find_column,
    iter_rows,
    iter_table,
    refuse_spaces,
)

LONGEST_SENTENCE = 2_000
MANY_WORDS = 25

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class ItemRow(NamedTuple):
    """An item. `content` is {"text": …} or {"sentence1": …, "sentence2": …}, and `metadata` contains all other columns.

    `numbered` is true if the row has no ID. In this case, `key` contains the row's position. Items with
    `held_out` are not in the design, but gold and practice questions can use them.
    """

    line: int
    key: str
    content: dict[str, str]
    metadata: dict[str, str]
    held_out: bool
    numbered: bool = False


def read_items(
    table: Table | TableStream, *, size: int, longest: int = LONGEST_SENTENCE
) -> tuple[list[ItemRow], list[Fault], list[Fault]]:
    """Return (items, faults, warnings) for a table with `text`, or with `sentence1` and `sentence2`. Without a column
    `id`, the items are named item-1, item-2, … by position.

    Rows with format errors or content errors are not among the items. Errors are sorted by line. `size` is the number
    of items in a tuple, and `longest` is the maximum number of characters in a sentence.
    """
    faults: list[Fault] = []
    warnings: list[Fault] = []
    items = list(iter_items(table, faults=faults, warnings=warnings, longest=longest))
    usable = sum(not item.held_out for item in items)
    if not faults and usable < size:
        faults.append(Fault(None, None, f"the file has only {usable} items, but each tuple needs {size}. Add items"))
    return items, in_order(faults), warnings


def iter_items(
    table: Table | TableStream,
    *,
    faults: list[Fault],
    warnings: list[Fault],
    longest: int = LONGEST_SENTENCE,
) -> Iterator[ItemRow]:
    """Yield items one by one, so that large files need little memory, and add messages to `faults` and `warnings`.

    Format errors in a streamed table are added at the end.
    """
    checks = _ItemChecks(longest, faults, warnings)
    columns = _find_columns(table.columns)
    unclear = columns.faults() if table.columns else []
    for number, row in enumerate(iter_rows(table, faults), start=1):
        # In a JSON Lines file, later rows can add columns.
        if not unclear and columns.known < len(table.columns):
            columns = _find_columns(table.columns)
            unclear = columns.faults()
        if unclear:
            checks.key(row, columns, number)
            checks.yes(row, columns.gold_only)
            continue
        before = len(faults)
        item = checks.item(row, columns, number)
        if len(faults) == before:
            yield item
    faults += unclear


def read_plain_items(data: bytes, *, name: str, longest: int = LONGEST_SENTENCE) -> Table:
    """Convert a list with one item per line into a table of strings. The items' IDs are item-1, item-2 and so on. Blank
    lines are ignored.

    Raises TableError (see `open_text`).
    """
    lines = (line.rstrip("\r\n") for line in open_text(data, name=name))
    texts = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    rows = [Row(line, {"id": numbered_id(n), "text": text}) for n, (line, text) in enumerate(texts, start=1)]
    return Table(name, ["id", "text"], rows)


def numbered_id(number: int) -> str:
    """Return the ID of an item without an ID in its file, from the number of its row."""
    return f"item-{number}"


def read_item_names(data: bytes, *, name: str) -> list[str]:
    """Return the items for a design: either the IDs in a table (except held-out items) or the lines of a plain list. In
    a table without a column `id`, the rows are numbered, as in a study.

    The file is a table if it begins like JSON Lines, or if its first line has a column `id`, `text` or `sentence1`.
    Raises TableError with every error: a missing ID, a repeated ID, or an ID that contains a tab or a line break.
    """
    faults: list[Fault] = []
    checks = _ItemChecks(LONGEST_SENTENCE, faults, [])
    names = []
    data = as_utf8(data, name=name)
    if _is_table(data, name):
        table = iter_table(data, name=name, limits=Limits())
        for number, row in enumerate(iter_rows(table, faults), start=1):
            id_column, gold_only = (find_column(table.columns, column) for column in ("id", "gold_only"))
            key = checks.id(row, id_column) if id_column else checks.ids.check(numbered_id(number), row.line, None)
            if not checks.yes(row, gold_only):
                names.append(key)
    else:
        plain = read_plain_items(data, name=name)
        names = [checks.id(row, "text") for row in plain.rows]
        faults[:] = [fault._replace(column=None) for fault in faults]
    raise_faults(name, faults)
    return names


def count_words(text: str) -> int:
    """Return the number of words, separated by whitespace. A dash or another sign on its own does not count."""
    return sum(any(map(str.isalnum, part)) for part in text.split())


def _is_table(data: bytes, name: str) -> bool:
    if data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return True
    first_line = open_text(data, name=name).readline()
    header = next(iter_records(first_line.encode(), name=name), None) if first_line.count('"') % 2 == 0 else None
    names = {cell.strip().casefold() for cell in header[1]} if header else set()
    refuse_spaces(header[1] if header else [], ("id", "text", "sentence1", "sentence2"), name=name)
    return bool(names & {"id", "text", "sentence1"})


class _Columns(NamedTuple):
    known: int
    id: str
    content: tuple[str, ...]
    gold_only: str | None
    present: Sequence[str]

    def faults(self) -> list[Fault]:
        faults = []
        content = [column.casefold() for column in self.content]
        if "text" in content and len(content) > 1:
            message = (
                "the file has a column for texts and a column for sentences. "
                "Use either text, or sentence1 and sentence2"
            )
            faults.append(Fault(None, None, message))
        elif content not in (["text"], ["sentence1", "sentence2"]):
            message = (
                "the file must have the column text, or the columns sentence1 and sentence2, but its columns are "
                f"{listed(self.present)}"
            )
            faults.append(Fault(None, None, message))
        return faults


def _find_columns(columns: Sequence[str]) -> _Columns:
    matches = (find_column(columns, column) for column in ("text", "sentence1", "sentence2"))
    content = tuple(column for column in matches if column is not None)
    return _Columns(len(columns), find_column(columns, "id") or "", content, find_column(columns, "gold_only"), columns)


class _ItemChecks:
    """The values in earlier rows, used to detect repeated rows."""

    def __init__(self, longest: int, faults: list[Fault], warnings: list[Fault]) -> None:
        self.longest = longest
        self.faults = faults
        self.warnings = warnings
        self.ids = IdChecks(faults)
        self.look_alikes = LookAlikes()

    def item(self, row: Row, columns: _Columns, number: int) -> ItemRow:
        key = self.key(row, columns, number)
        content = {column.casefold(): self.sentence(row, column) for column in columns.content}
        held_out = self.yes(row, columns.gold_only)
        if earlier := self.look_alikes.earlier(content.values(), row.line):
            message = f"the content is the same as on line {earlier}, or looks the same"
            self.warnings.append(Fault(row.line, columns.content[0], message))
        apart = (columns.id, columns.gold_only, *columns.content)
        metadata = {column: value for column, value in row.values.items() if column not in apart}
        return ItemRow(row.line, key, content, metadata, held_out, numbered=not columns.id)

    def key(self, row: Row, columns: _Columns, number: int) -> str:
        """Return the ID of an item, or a numbered ID if the file has no column for IDs."""
        return self.id(row, columns.id) if columns.id else self.ids.check(numbered_id(number), row.line, None)

    def id(self, row: Row, column: str) -> str:
        return self.ids.check(row.values.get(column, ""), row.line, column)

    def sentence(self, row: Row, column: str) -> str:
        text = row.values.get(column, "")
        if not text.strip():
            self._fault(row, column, "the cell is empty")
        if len(text) > self.longest:
            self._fault(row, column, f"the text has {len(text):,} characters, more than the limit of {self.longest:,}")
        elif (words := count_words(text)) > MANY_WORDS:
            self.warnings.append(
                Fault(
                    row.line,
                    column,
                    f"the text has {words} words. Texts of more than {MANY_WORDS} words tire annotators",
                )
            )
        if control := _CONTROL.search(text):
            message = f"the text contains an invisible control character (U+{ord(control[0]):04X})"
            self.warnings.append(Fault(row.line, column, message))
        return text

    def yes(self, row: Row, column: str | None) -> bool:
        return yes_or_no(row.values.get(column, "") if column else "", row.line, column, self.faults)

    def _fault(self, row: Row, column: str | None, message: str) -> None:
        self.faults.append(Fault(row.line, column, message))
