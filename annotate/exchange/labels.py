"""Label files, with the columns `item,annotator,label` or with one row per item and one column per annotator.

Only the reader of labels imports NumPy, because it returns arrays.
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
    """A file's labels as arrays, with the names of its items, annotators and labels.

    `items` and `annotators` are in order of first appearance. The labels in `names` are in numerical order if all of
    them are numbers, otherwise in alphabetical order. `items` includes items without labels.
    """

    labels: Labels
    items: list[str]
    annotators: list[str]
    names: list[str]


def read_labels(data: bytes, *, name: str, also: Iterable[str] = ()) -> LabelFile:
    """Read labels from CSV or JSON Lines with the columns item, annotator and label. Other columns are ignored.

    The case of column names does not matter. A file without the columns annotator and label is a wide table with a
    column item and one column per annotator. An empty label counts as missing. `also` contains possible labels that may
    not occur in the file. Raises TableError with all errors: a missing column, item or annotator, an annotator who
    labels an item twice, an item with two rows in a wide table, no labels, or more than 100 different labels.
    """
    import numpy as np

    from annotate.numerics.labels import Labels

    stream = iter_table(data, name=name, limits=NO_LIMITS)
    items: dict[str, int] = {}
    annotators: dict[str, int] = {}
    votes: Votes = {}
    faults = _read(stream, items, annotators, votes)
    used = dict.fromkeys(label for label, _ in votes.values())
    if not faults and not used:
        faults = [Fault(None, None, "the file has no labels")]
    if len(used) > MOST_LABELS:
        message = f"the file has {len(used):,} different labels, but at most {MOST_LABELS} are possible"
        faults.append(Fault(None, None, message))
    if faults:
        raise TableError(name, faults)
    names = _in_order({*used, *also})
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
    """Read the known label of each item from a file with the columns item and label. Other columns are ignored.

    Raises TableError with all errors: a missing column or cell, or an item that occurs twice.
    """
    stream = iter_table(data, name=name, limits=NO_LIMITS)
    known: dict[str, str] = {}
    first: dict[str, int] = {}
    faults: list[Fault] = []
    for line, item, label in _known(stream, faults):
        known[item] = label
        if first.setdefault(item, line) != line:
            faults.append(Fault(line, "item", f"{item} is already on line {first[item]}"))
    if faults:
        raise TableError(name, sorted(faults, key=lambda fault: fault.line or 0))
    return known


def numbers_of(names: Sequence[str]) -> list[float] | None:
    """Return the labels as numbers if they are all finite, distinct numbers. Otherwise, return None."""
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    return values if all(map(isfinite, values)) and len(set(values)) == len(values) else None


def write_labels(items: Sequence[str], names: Sequence[str], result: Aggregate) -> Iterator[str]:
    """Return a CSV with the columns `item,label,votes,n`, plus `probability` if the method calculates probabilities.

    `votes` is the number of the item's n labels that equal `label`. An unresolved tie has the label undecided, with the
    votes and the probability of the leading label. Probabilities have four decimals.
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
    """Read the rows into `items`, `annotators` and `votes`, and return the errors."""
    faults: list[Fault] = []
    for line, item, annotator, label in _votes(stream, faults):
        items.setdefault(item, len(items))
        annotators.setdefault(annotator, len(annotators))
        if not label:
            continue
        _, earlier = votes.setdefault((item, annotator), (label, line))
        if earlier != line:
            faults.append(Fault(line, "annotator", f"{annotator} has already labelled {item} on line {earlier}"))
    return sorted(faults, key=lambda fault: fault.line or 0)


def _votes(stream: TableStream, faults: list[Fault]) -> Iterator[tuple[int, str, str, str]]:
    """Yield (line, item, annotator, label) for each cell. An empty cell counts as a missing label."""
    rows = _rows(stream, faults)
    first = next(rows, None)
    if first is None:
        return
    places = [find_column(stream.columns, column) for column in LONG]
    wide = places[1:] == [None, None]
    required = LONG[:1] if wide else LONG
    missing = [column for column, place in zip(required, places, strict=False) if place is None]
    if wide and len(stream.columns) < 2:
        missing = list(LONG[1:])
    if missing:
        layout = "labels need the columns item, annotator and label, or item and one column per annotator"
        faults += _missing(missing, stream, layout)
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
            faults.append(Fault(line, item, f"{what} is already on line {first[what]}. Each item must have one row"))
        else:
            yield from ((line, what, who, label.strip()) for who, label in values.items() if who != item)


def _known(stream: TableStream, faults: list[Fault]) -> Iterator[tuple[int, str, str]]:
    """Yield (line, item, label) for each row with an item and a label."""
    rows = _rows(stream, faults)
    first = next(rows, None)
    if first is None:
        return
    columns = {name: find_column(stream.columns, name) for name in KNOWN}
    missing = [name for name, column in columns.items() if column is None]
    if missing:
        faults += _missing(missing, stream, "known labels need the columns item and label")
        return
    for line, values in chain([first], rows):
        item, label = (values.get(column or "", "").strip() for column in columns.values())
        if item and label:
            yield line, item, label
        else:
            faults += [
                Fault(line, column, EMPTY) for column, cell in zip(KNOWN, (item, label), strict=True) if not cell
            ]


def _missing(columns: Iterable[str], stream: TableStream, layout: str) -> list[Fault]:
    present = f"the file has the columns {', '.join(stream.columns)}"
    return [Fault(1, column, f"the column is missing: {present}, but {layout}") for column in columns]


def _rows(stream: TableStream, faults: list[Fault]) -> Iterator[Row]:
    """Yield the rows. Formatting errors are added to `faults` after the last row."""
    try:
        yield from stream.rows
    except TableError as error:
        faults += error.faults


def _in_order(labels: Iterable[str]) -> list[str]:
    names = sorted(labels)
    values = numbers_of(names)
    return names if values is None else [name for _, name in sorted(zip(values, names, strict=True))]
