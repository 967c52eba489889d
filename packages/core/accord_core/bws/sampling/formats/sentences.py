"""Readers for sentences, for files of pairs, and for synonyms that count as the same word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accord_core.evaluation.numerics.overlap import words
from accord_core.exchange.csvtext import iter_records
from accord_core.exchange.encoding import as_utf8, open_text
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows, iter_table

LONGEST_ID = 200
TEXT, PAIR = ("text", "sentence"), ("sentence1", "sentence2")


@dataclass(frozen=True)
class Sentences:
    """The rows of a file, in their original order.

    `lines` contains the physical lines, starting at 1. `texts` contains one list of sentences or, if every row is a
    pair, two lists of the same length. `columns` contains all other columns.
    """

    name: str
    lines: list[int]
    ids: list[str]
    texts: tuple[list[str], ...]
    columns: dict[str, list[str]]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def are_pairs(self) -> bool:
        return len(self.texts) == 2

    def column(self, name: str) -> list[str]:
        """Return a column's cells. The column name is not case-sensitive. Raises TableError if the column does not
        exist.
        """
        match = find_column(list(self.columns), name)
        if match is None:
            available = f"The columns are {', '.join(self.columns)}" if self.columns else "It has only sentences"
            raise TableError.of_file(self.name, f"the file has no column {name}. {available}")
        return self.columns[match]


def read_sentences(data: bytes, *, name: str, limits: Limits, text_column: str | None = None) -> Sentences:
    """Read a table (CSV with commas, tabs or semicolons, or JSON Lines), or a list with one sentence per line and no
    header.

    A table has a column `text` or `sentence`, or the two columns `sentence1` and `sentence2`. `text_column` names
    another column instead. In a table without a column `id`, rows are named after their lines. Raises TableError with
    every error.
    """
    data = as_utf8(data, name=name)
    is_table = text_column is not None or is_sentence_table(data, name)
    table = iter_table(data, name=name, limits=limits) if is_table else _lines(data, name, limits)
    faults: list[Fault] = []
    lines: list[int] = []
    ids: list[str] = []
    texts: tuple[list[str], ...] = ()
    columns: dict[str, list[str]] = {}
    line_of: dict[str, int] = {}
    same: dict[str, str] = {}  # repeated cells are stored only once
    id_column, text_columns = None, _text_columns(table.columns, text_column)
    for row in iter_rows(table, faults):
        if not ids:
            # The columns of a JSON Lines file are unknown before the first row is read.
            id_column, text_columns = find_column(table.columns, "id"), _text_columns(table.columns, text_column)
            texts = tuple([] for _ in text_columns)
        key = row.values.get(id_column, "").strip() if id_column else f"line-{row.line}"
        faults += _id_faults(key, row.line, id_column, line_of)
        lines.append(row.line)
        ids.append(key)
        for column, cells in zip(text_columns, texts, strict=True):
            cell = row.values.get(column, "")
            if not cell.strip():
                faults.append(Fault(row.line, column, "the cell is empty. Add a sentence"))
            cells.append(cell)
        for column, cell in row.values.items():
            if column != id_column and column not in text_columns:
                cells = columns.setdefault(column, [])
                cells += [""] * (len(ids) - 1 - len(cells))  # rows of JSON Lines can lack a column
                cells.append(same.setdefault(cell, cell))
    for cells in columns.values():
        cells += [""] * (len(ids) - len(cells))
    if not text_columns:
        needed = text_column or "text or sentence, or the columns sentence1 and sentence2"
        message = f"the file must have the column {needed}. The columns are {', '.join(table.columns)}"
        faults.append(Fault(None, None, message))
    raise_faults(name, faults)
    return Sentences(name, lines, ids, texts, columns)


def _text_columns(columns: Sequence[str], requested: str | None) -> tuple[str, ...]:
    if requested is not None:
        column = find_column(columns, requested)
        return () if column is None else (column,)
    pair = tuple(column for name in PAIR if (column := find_column(columns, name)) is not None)
    alone = [column for name in TEXT if (column := find_column(columns, name)) is not None]
    return pair if len(pair) == 2 else tuple(alone[:1])


def _id_faults(key: str, line: int, column: str | None, line_of: dict[str, int]) -> Iterator[Fault]:
    if not key:
        yield Fault(line, column, "the cell is empty. Give the sentence an ID, or remove the column")
        return
    if any(sign in key for sign in "\t\r\n"):
        yield Fault(line, column, "an ID cannot contain tabs or line breaks")
    if len(key) > LONGEST_ID:
        yield Fault(line, column, f"the ID has {len(key):,} characters, more than the limit of {LONGEST_ID}")
    earlier = line_of.setdefault(key, line)
    if earlier != line:
        yield Fault(line, column, f"the ID {key[:40]} is already on line {earlier}. Give each row its own ID")


def is_sentence_table(data: bytes, name: str) -> bool:
    """Return whether the contents are a table of sentences or pairs, rather than plain text."""
    if data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return True
    first_line = open_text(data, name=name).readline()
    if first_line.count('"') % 2:
        return False
    try:
        header = next(iter_records(first_line.encode(), name=name), None)
    except TableError:
        return False
    return header is not None and bool({cell.strip().casefold() for cell in header[1]} & {"id", *TEXT, *PAIR})


def _lines(data: bytes, name: str, limits: Limits) -> TableStream:
    """Convert a list with one sentence per line to a table. Blank lines are ignored."""

    def rows() -> Iterator[Row]:
        count = 0
        for number, line in enumerate(open_text(data, name=name), start=1):
            if line.strip():
                count += 1
                if limits.rows is not None and count > limits.rows:
                    message = f"the file has more than {limits.rows:,} sentences. Split the file or raise the limit"
                    raise TableError(name, [Fault(number, None, message)])
                yield Row(number, {"text": line.strip()})

    return TableStream(name, ["text"], rows())


def read_synonyms(data: bytes, *, name: str) -> dict[str, str]:
    """Return the word that replaces each synonym in comparisons. Each line contains two words, separated by a comma, a
    semicolon or a tab. The header `word,synonym` is optional. Both are lower-cased.

    Raises TableError for lines without exactly one word in each column, and for a word with two replacements.
    """
    faults: list[Fault] = []
    replaced: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for number, (line, cells) in enumerate(iter_records(data, name=name)):
        folded = [cell.strip().lower().replace("’", "'") for cell in cells]
        if number == 0 and folded == ["word", "synonym"]:
            continue
        if len(folded) != 2:
            faults.append(Fault(line, None, f"the row has {len(folded)} cells. Write a word and its replacement"))
            continue
        for place, cell in zip(("1", "2"), folded, strict=True):
            if words(cell) != [cell]:
                faults.append(Fault(line, place, f"{cell[:40] or 'nothing'} is not one word"))
        word, synonym = folded
        earlier = line_of.setdefault(word, line)
        if replaced.setdefault(word, synonym) != synonym:
            faults.append(Fault(line, "1", f"{word[:40]} is already replaced by another word on line {earlier}"))
    raise_faults(name, faults)
    return replaced
