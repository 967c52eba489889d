"""The file format for best–worst annotations: `Item1,…,Itemk,BestItem,WorstItem` with optional annotator, tuple and
seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from accord_core.exchange.csvtext import iter_records, write_csv
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.numbers import read_number
from accord_core.exchange.tables import refuse_spaces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from accord_core.bws.numerics.scoring import Judgements

Records = list[tuple[int, list[str]]]
OPTIONAL = ("Annotator", "Tuple", "Seconds")


@dataclass(frozen=True, eq=False)
class Annotations:
    """Arrays of the M annotations in a file.

    `items` contains the names of the items to which the indexes of `judgements` refer, and `annotators` contains the
    names for `judgements.annotator`, both in order of first appearance. `lines` contains the line of each row. `tuples`
    and `seconds` contain the columns with these names, or are None. `repeated_headers` counts the repeated headers,
    which are skipped. `repeated_items` counts the rows that show an item twice, which are kept.
    """

    judgements: Judgements
    items: list[str]
    annotators: list[str]
    lines: list[int]
    tuples: list[str] | None
    seconds: NDArray[np.float64] | None
    repeated_headers: int
    repeated_items: int


class AnnotationRow(NamedTuple):
    """One annotation to write. `seconds` is the time the annotator took to answer."""

    items: Sequence[str]
    best: str
    worst: str
    annotator: str = ""
    tuple: str = ""
    seconds: float | None = None


def annotation_columns(size: int) -> list[str]:
    """Return the full header for tuples of `size` items."""
    return [*(f"Item{n}" for n in range(1, size + 1)), "BestItem", "WorstItem", *OPTIONAL]


def write_annotations(rows: Iterable[AnnotationRow], *, size: int) -> Iterator[str]:
    """Yield annotations as CSV text with all columns of `annotation_columns(size)`. Seconds have one decimal."""
    cells = (
        [
            *row.items,
            row.best,
            row.worst,
            row.annotator,
            row.tuple,
            "" if row.seconds is None else f"{row.seconds:.1f}",
        ]
        for row in rows
    )
    return write_csv(cells, annotation_columns(size))


def read_annotations(
    data: bytes, *, name: str, renamed: Mapping[str, str] | None = None, positions: bool = False
) -> Annotations:
    """Return the annotations in a file as arrays. The header determines the tuple size. The column names are not
    case-sensitive. `renamed` maps column names in this format, such as Item1, to the names in the file. With
    `positions`, the choices are positions from 1 to k, such as 2 or Item2, instead of items.

    Other columns are ignored, and so are repeated headers, which occur in concatenated files. Rows that name the same
    item as best and worst, or that show an item twice, are kept, because published files contain such rows. Raises
    TableError with every error: a missing column or cell, or a choice that is not among the items of the row.
    """
    import numpy as np

    from accord_core.bws.numerics.scoring import Judgements

    records = iter_records(data, name=name)
    header_line, header = next(records, (1, []))
    refuse_spaces(header, ("Item1", "Item2", "BestItem", "WorstItem"), name=name, line=header_line)
    places = _find_places(_renamed(header, renamed or {}, name), header_line, name)
    rows, repeated_headers = _rows(records, header, name)
    lines = [line for line, _ in rows]
    columns = [tuple(map(str.strip, column)) for column in zip(*(cells for _, cells in rows), strict=True)]
    items = [columns[place] for place in places.items]
    if positions:
        for place in (places.best, places.worst):
            columns[place] = tuple(map(_at_position, columns[place], zip(*items, strict=True)))
    number = {item: n for n, item in enumerate(dict.fromkeys(item for row in zip(*items, strict=True) for item in row))}
    shown = np.array([[number[item] for item in column] for column in items], dtype=np.int64).T
    faults = _empty_items(items, lines, [header[place] for place in places.items])
    choices = []
    for place in (places.best, places.worst):
        chosen = np.array([number.get(item, -1) for item in columns[place]], dtype=np.int64)
        choices.append(chosen)
        for row in np.flatnonzero((shown != chosen[:, None]).all(axis=1)):
            item = columns[place][row]
            stray = f"{item} is not one of the items in this row" if item else "the cell is empty"
            faults.append(Fault(lines[row], header[place], stray))

    def cells(place: int | None) -> Sequence[str] | None:
        return None if place is None else columns[place]

    annotators, annotator = _annotators(cells(places.annotator), lines, faults)
    seconds = _seconds(cells(places.seconds), lines, faults)
    raise_faults(name, faults)
    in_order = np.sort(shown, axis=1)
    return Annotations(
        judgements=Judgements(shown, choices[0], choices[1], len(number), annotator),
        items=list(number),
        annotators=annotators,
        lines=lines,
        tuples=None if places.tuple is None else list(columns[places.tuple]),
        seconds=seconds,
        repeated_headers=repeated_headers,
        repeated_items=int((in_order[:, 1:] == in_order[:, :-1]).any(axis=1).sum()),
    )


class _Places(NamedTuple):
    items: list[int]
    best: int
    worst: int
    annotator: int | None
    tuple: int | None
    seconds: int | None


def _at_position(choice: str, items: Sequence[str]) -> str:
    """Return the item at a position such as 2 or Item2, or the choice itself if it is not a position."""
    digits = choice.casefold().removeprefix("item").strip()
    return items[int(digits) - 1] if digits.isdecimal() and 1 <= int(digits) <= len(items) else choice


def _renamed(header: list[str], renamed: Mapping[str, str], name: str) -> list[str]:
    """Return the header, with the requested columns under their names in this format.

    A column that already has such a name is hidden if another column takes its place. Raises TableError for a requested
    column that the file does not have.
    """
    folded = _folded(header)
    missing = [column for column in renamed.values() if column.strip().casefold() not in folded]
    if missing:
        message = f"the file has no column {', '.join(missing)}. The columns are {', '.join(header)}"
        raise TableError(name, [Fault(1, None, message)])
    standard = {column.strip().casefold(): own for own, column in renamed.items()}
    taken = {own.casefold() for own in renamed}
    return [standard.get(cell, "" if cell in taken else header[n]) for n, cell in enumerate(folded)]


def _find_places(header: Sequence[str], line: int, name: str) -> _Places:
    names = _folded(header)
    place = {column: n for n, column in reversed(list(enumerate(names)))}
    size = 0
    while f"item{size + 1}" in place:
        size += 1
    missing = [column for column in ("Item1", "Item2", "BestItem", "WorstItem") if column.casefold() not in place]
    if missing:
        message = (
            f"the file has no column {', '.join(missing)}. The header must be Item1,Item2,…,BestItem,WorstItem, "
            "optionally with Annotator,Tuple,Seconds"
        )
        raise TableError(name, [Fault(line, None, message)])
    recognised = [f"item{n}" for n in range(1, size + 1)] + [
        column.casefold() for column in ("BestItem", "WorstItem", *OPTIONAL)
    ]
    twice = [header[n] for n, column in enumerate(names) if column in recognised and place[column] != n]
    raise_faults(name, [Fault(line, column, "two columns have this name") for column in twice])
    optional = (place.get(column.casefold()) for column in OPTIONAL)
    return _Places([place[column] for column in recognised[:size]], place["bestitem"], place["worstitem"], *optional)


def _rows(records: Iterator[tuple[int, list[str]]], header: list[str], name: str) -> tuple[Records, int]:
    rows: Records = []
    faults = []
    repeated = 0
    width = len(header)
    for line, cells in records:
        if len(cells) != width and (len(cells) < width or any(cells[width:])):
            faults.append(Fault(line, None, f"the row has {len(cells)} cells for {width} columns"))
        elif not _is_header(cells):
            rows.append((line, cells[:width]))
        elif _folded(cells[:width]) == _folded(header):
            repeated += 1
        else:
            faults.append(
                Fault(line, None, "the line is a second header with different columns. Split the file at this line")
            )
    if not rows and not faults:
        faults.append(Fault(None, None, "the file has a header but no annotations"))
    raise_faults(name, faults)
    return rows, repeated


def _is_header(cells: Sequence[str]) -> bool:
    return "bestitem" in "\t".join(cells).casefold() and {"bestitem", "worstitem"} <= set(_folded(cells))


def _folded(cells: Sequence[str]) -> list[str]:
    return [cell.strip().casefold() for cell in cells]


def _empty_items(items: Sequence[Sequence[str]], lines: list[int], columns: list[str]) -> list[Fault]:
    return [
        Fault(lines[row], column, "the cell is empty")
        for column, cells in zip(columns, items, strict=True)
        if "" in cells
        for row, cell in enumerate(cells)
        if not cell
    ]


def _annotators(
    cells: Sequence[str] | None, lines: list[int], faults: list[Fault]
) -> tuple[list[str], NDArray[np.int64] | None]:
    import numpy as np

    if cells is None or not any(cells):
        return [], None
    faults += [
        Fault(line, "Annotator", "the cell is empty, but other rows name an annotator")
        for line, cell in zip(lines, cells, strict=True)
        if not cell
    ]
    number = {annotator: n for n, annotator in enumerate(dict.fromkeys(cells))}
    return list(number), np.array([number[cell] for cell in cells], dtype=np.int64)


def _seconds(cells: Sequence[str] | None, lines: list[int], faults: list[Fault]) -> NDArray[np.float64] | None:
    import numpy as np

    if cells is None:
        return None
    seconds = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        try:
            seconds[row] = read_number(cell) if cell else np.nan
        except ValueError:
            faults.append(Fault(lines[row], "Seconds", f"{cell} is not a number of seconds"))
        else:
            if seconds[row] < 0 or np.isinf(seconds[row]):
                faults.append(
                    Fault(lines[row], "Seconds", f"{cell} is not a valid time. Times must be finite and not negative")
                )
    return seconds
