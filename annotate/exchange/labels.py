"""Files of labels: `item,annotator,label`, or a table with a row an item and a column an annotator.

numpy is imported by the reader of labels only, which gives arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING

from annotate.exchange.csvtext import write_csv
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.tables import Limits, Row, TableStream, find_column, iter_table

if TYPE_CHECKING:
    from annotate.numerics.labels import Aggregate, Labels

LONG = ("item", "annotator", "label")
KNOWN = ("item", "label")
UNDECIDED_NAME = "undecided"
MOST_LABELS = 100
NO_LIMITS = Limits()
EMPTY = "the cell is empty"

Votes = dict[tuple[str, str], tuple[str, int]]


@dataclass(frozen=True, eq=False)
class LabelFile:
    """A file of labels as arrays, and the names behind the numbers.

    `items` and `annotators` are in order of first appearance, `names` (the labels) by number where all are
    numbers, else alphabetical. Items that nobody labelled are among `items`.
    """

    labels: Labels
    items: list[str]
    annotators: list[str]
    names: list[str]


def read_labels(data: bytes, *, name: str, also: Iterable[str] = ()) -> LabelFile:
    """Labels from CSV or JSON Lines with the columns item, annotator and label, in any case; others are left out.

    Without the columns annotator and label it is a wide table: a column item, and each other column an annotator. An
    empty label is a missing one. `also` names labels that can be given though nobody did.
    Raises TableError with every fault: a missing column, item or annotator, an annotator who labels an item twice, an
    item with two rows in a wide table, no label at all, more than 100 different labels.
    """
    import numpy as np

    from annotate.numerics.labels import Labels

    stream = iter_table(data, name=name, limits=NO_LIMITS)
    items: dict[str, int] = {}
    annotators: dict[str, int] = {}
    votes: Votes = {}
    faults = _read(stream, items, annotators, votes)
    given = dict.fromkeys(label for label, _ in votes.values())
    if not faults and not given:
        faults = [Fault(None, None, "not one cell has a label")]
    if len(given) > MOST_LABELS:
        message = f"{len(given):,} different labels, the most is {MOST_LABELS}; are these labels of a few kinds?"
        faults.append(Fault(None, None, message))
    if faults:
        raise TableError(name, faults)
    names = _in_order({*given, *also})
    number = {label: n for n, label in enumerate(names)}
    labels = Labels(
        item=np.array([items[item] for item, _ in votes], dtype=np.int64),
        annotator=np.array([annotators[annotator] for _, annotator in votes], dtype=np.int64),
        label=np.array([number[label] for label, _ in votes.values()], dtype=np.int64),
        n_items=len(items),
        n_annotators=len(annotators),
        n_labels=len(names),
    )
    return LabelFile(labels, list(items), list(annotators), names)


def read_known_labels(data: bytes, *, name: str) -> dict[str, str]:
    """The known label of each item, from a file with the columns item and label; others are left out.

    Raises TableError with every fault: a missing column or cell, an item that comes twice.
    """
    stream = iter_table(data, name=name, limits=NO_LIMITS)
    known: dict[str, str] = {}
    first: dict[str, int] = {}
    faults: list[Fault] = []
    for line, item, label in _known(stream, faults):
        known[item] = label
        if first.setdefault(item, line) != line:
            faults.append(Fault(line, "item", f"{item} is on line {first[item]} already"))
    if faults:
        raise TableError(name, sorted(faults, key=lambda fault: fault.line or 0))
    return known


def numbers_of(names: Sequence[str]) -> list[float] | None:
    """What the labels are as numbers, where all of them are finite numbers and no two are the same one."""
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    return values if all(map(isfinite, values)) and len(set(values)) == len(values) else None


def write_labels(items: Sequence[str], names: Sequence[str], result: Aggregate) -> Iterator[str]:
    """A CSV of `item,label,votes,n`, with `probability` (four decimals) where the method has one, in order of `items`.

    `votes` is how many of the item's n labels are this one. A tie that is left open is called undecided; its votes
    and probability are those of the leading label.
    """
    columns = ["item", "label", "votes", "n"]
    labels = [names[label] if label >= 0 else UNDECIDED_NAME for label in result.label.tolist()]
    rows: Iterable[tuple[str, ...]] = zip(
        items, labels, map(str, result.votes.tolist()), map(str, result.n.tolist()), strict=True
    )
    if result.probability is None:
        return write_csv(rows, columns)
    decimals = (f"{probability:.4f}" for probability in result.probability.tolist())
    return write_csv(((*row, cell) for row, cell in zip(rows, decimals, strict=True)), [*columns, "probability"])


def _read(stream: TableStream, items: dict[str, int], annotators: dict[str, int], votes: Votes) -> list[Fault]:
    """Fill what is read into the three, and return what is wrong."""
    faults: list[Fault] = []
    for line, item, annotator, label in _votes(stream, faults):
        items.setdefault(item, len(items))
        annotators.setdefault(annotator, len(annotators))
        if not label:
            continue
        _, earlier = votes.setdefault((item, annotator), (label, line))
        if earlier != line:
            faults.append(Fault(line, "annotator", f"{annotator} has labelled {item} on line {earlier} already"))
    return sorted(faults, key=lambda fault: fault.line or 0)


def _votes(stream: TableStream, faults: list[Fault]) -> Iterator[tuple[int, str, str, str]]:
    """(line, item, annotator, label) of each cell; the label is empty where it is missing."""
    rows = _rows(stream, faults)
    first = next(rows, None)
    if first is None:
        return
    places = [find_column(stream.columns, wanted) for wanted in LONG]
    wide = places[1:] == [None, None]
    wanted = LONG[:1] if wide else LONG
    missing = [column for column, place in zip(wanted, places, strict=False) if place is None]
    if wide and len(stream.columns) < 2:
        missing = list(LONG[1:])
    if missing:
        way = "labels are item,annotator,label, or a column item and a column for each annotator"
        faults += _missing(missing, stream, way)
        return
    item, annotator, label = (place or "" for place in places)
    every = chain([first], rows)
    yield from _wide(every, item, faults) if wide else _long(every, item, annotator, label, faults)


def _long(
    rows: Iterable[Row], item: str, annotator: str, label: str, faults: list[Fault]
) -> Iterator[tuple[int, str, str, str]]:
    for line, values in rows:
        who, what = values.get(annotator, "").strip(), values.get(item, "").strip()
        if who and what:
            yield line, what, who, values.get(label, "").strip()
        else:
            faults += [Fault(line, column, EMPTY) for column, cell in ((item, what), (annotator, who)) if not cell]


def _wide(rows: Iterable[Row], item: str, faults: list[Fault]) -> Iterator[tuple[int, str, str, str]]:
    first: dict[str, int] = {}
    for line, values in rows:
        what = values.get(item, "").strip()
        if not what:
            faults.append(Fault(line, item, EMPTY))
        elif first.setdefault(what, line) != line:
            faults.append(Fault(line, item, f"{what} is on line {first[what]} already; an item has one row"))
        else:
            yield from ((line, what, who, label.strip()) for who, label in values.items() if who != item)


def _known(stream: TableStream, faults: list[Fault]) -> Iterator[tuple[int, str, str]]:
    """(line, item, label) of each row that has both."""
    rows = _rows(stream, faults)
    first = next(rows, None)
    if first is None:
        return
    columns = {wanted: find_column(stream.columns, wanted) for wanted in KNOWN}
    missing = [wanted for wanted, column in columns.items() if column is None]
    if missing:
        faults += _missing(missing, stream, "known labels are item,label")
        return
    for line, values in chain([first], rows):
        item, label = (values.get(column or "", "").strip() for column in columns.values())
        if item and label:
            yield line, item, label
        else:
            faults += [
                Fault(line, column, EMPTY) for column, cell in zip(KNOWN, (item, label), strict=True) if not cell
            ]


def _missing(columns: Iterable[str], stream: TableStream, way: str) -> list[Fault]:
    there = f"the columns are {', '.join(stream.columns)}"
    return [Fault(1, column, f"it is missing: {there}; {way}") for column in columns]


def _rows(stream: TableStream, faults: list[Fault]) -> Iterator[Row]:
    """The rows; faults of form, which are raised after the last of them, are put with the others."""
    try:
        yield from stream.rows
    except TableError as error:
        faults += error.faults


def _in_order(labels: Iterable[str]) -> list[str]:
    names = sorted(labels)
    values = numbers_of(names)
    return names if values is None else [name for _, name in sorted(zip(values, names, strict=True))]
