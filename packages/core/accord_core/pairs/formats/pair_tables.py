"""Tables of sentence pairs: their column names, and tab-separated text with or without a header row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from accord_core.exchange.cells import listed
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.recognition import looks_like_id
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_table
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.tabs import iter_cells, spreadsheet_quotes

SIDES = ("source", "target")
BARS = " ||| "
COLUMNS = (SIDES, ("sentence1", "sentence2"))
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{")


class PairColumns(NamedTuple):
    known: int
    id: str | None
    source: str
    target: str
    prealignment: str | None
    gold_only: str | None


def pair_table(data: bytes, name: str, limits: Limits, warnings: list[Fault]) -> TableStream:
    """Return a file of sentence pairs as a table. If there is no header row, the columns are source and target, or id,
    source and target.
    """
    line, first = next(iter_cells(data, name=name), (0, []))
    if not first:
        raise TableError.of_file(name, "the file is empty")
    if is_parallel(data, name):
        parts = ((line, "\t".join(cells).split(BARS)) for line, cells in iter_cells(data, name=name))
        return TableStream(name, list(SIDES), limited(_tab_rows(parts, SIDES, name, [], warnings, BARS), name, limits))
    # Quotation marks around all column names are not tokens: R or a spreadsheet has quoted the cells.
    if len(first) == 1 or is_json(data) or all(len(cell) > 2 and cell[0] == cell[-1] == '"' for cell in first):
        return iter_table(data, name=name, limits=limits)
    cells = iter_cells(data, name=name)
    header = [cell.strip() for cell in first]
    faults: list[Fault] = []  # in the header; the rows are read nevertheless, so that their errors are reported too
    if find_pair_columns(header) is not None:
        next(cells)
        twice = [column for n, column in enumerate(header) if column and find_column(header[:n], column)]
        faults += [Fault(line, column, "two columns have this name") for column in twice]
    elif len(first) == 2:
        header = list(SIDES)
    elif len(first) == 3 and looks_like_id(first[0]):
        header = ["id", *SIDES]
    else:
        raise TableError(name, [no_columns(header)])
    return TableStream(name, header, limited(_tab_rows(cells, header, name, faults, warnings), name, limits))


def is_parallel(data: bytes, name: str) -> bool:
    """Return whether a file contains one pair per line, separated by `|||`, as fast_align and eflomal read them."""
    first = next(iter_cells(data, name=name), (0, [""]))[1]
    return len(first) == 1 and first[0].count(BARS) == 1 and not is_json(data)


def is_json(data: bytes) -> bool:
    return _JSON.match(data) is not None


def _tab_rows(
    cells: Iterator[tuple[int, list[str]]],
    header: Sequence[str],
    name: str,
    faults: list[Fault],
    warnings: list[Fault],
    delimiter: str = "tabs",
) -> Iterator[Row]:
    for line, found in cells:
        if len(found) < len(header) or any(found[len(header) :]):
            message = (
                f"the row has {with_noun(len(found), 'cell')} for {len(header)} columns. Separate the cells with "
                f"{delimiter.strip()}"
            )
            faults.append(Fault(line, None, message))
            continue
        for column, cell in zip(header, found, strict=False):
            warnings += spreadsheet_quotes(line, column, cell)
        yield Row(line, {column: cell for column, cell in zip(header, found, strict=False) if column})
    raise_faults(name, faults)


def limited(rows: Iterator[Row], name: str, limits: Limits) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        if limits.rows is not None and number > limits.rows:
            raise TableError(name, [too_many(limits.rows, row.line)])
        yield row


def too_many(rows: int, line: int | None) -> Fault:
    return Fault(line, None, f"the file has more than {rows:,} rows. Split the file or raise the limit")


def refuse_bytes(data: bytes, name: str, limits: Limits) -> None:
    if limits.bytes is not None and len(data) > limits.bytes:
        raise TableError.of_file(
            name,
            f"the file has {len(data):,} bytes, more than the limit of "
            f"{limits.bytes:,}. Split the file or raise the limit",
        )


def find_pair_columns(columns: Sequence[str]) -> PairColumns | None:
    for sides in COLUMNS:
        source, target = (find_column(columns, side) for side in sides)
        if source is not None and target is not None:
            key, *rest = (find_column(columns, column) for column in ("id", "prealignment", "gold_only"))
            return PairColumns(len(columns), key, source, target, *rest)
    return None


def no_columns(columns: Sequence[str]) -> Fault:
    message = "the file must have the columns source and target (or sentence1 and sentence2), but "
    if len(columns) == 1:
        message += "it has only one column. If the sentences are in two files, choose both (“Import two files”)"
    else:
        message += f"the first line contains {listed(columns)}"
    return Fault(None, None, message)
