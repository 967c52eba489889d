"""Label files: the columns `item,annotator,label`, or one row per item and one column per annotator.

Only the reader of labels imports NumPy, because it returns arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.label_rows import (
    EMPTY,
    Clusters,
    Votes,
    checked_rows,
    columns_without_shared_label,
    is_wide,
    label_rows,
    missing_columns,
    with_columns,
)
from accord_core.exchange.label_studio_labels import label_table
from accord_core.exchange.printed_tables import PrintedTable
from accord_core.exchange.tables import Limits, TableStream, find_column, iter_table

if TYPE_CHECKING:
    from accord_core.numerics.labels import Aggregate, Labels

KNOWN = ("item", "label")
UNDECIDED_NAME = "undecided"
MOST_LABELS = 100
NO_LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class LabelFile:
    """A file's labels as arrays, with the names of its items, annotators and labels.

    `items` and `annotators` are in order of first appearance. The labels in `names` are in numerical order if all of
    them are numbers, otherwise in alphabetical order. `items` includes items without labels. `not_votes` is the number
    of labels that count as missing. `clusters` contains the cluster of each item, or None without a cluster column.
    """

    labels: Labels
    items: list[str]
    annotators: list[str]
    names: list[str]
    not_votes: int = 0
    clusters: list[str] | None = None


def read_labels(
    data: bytes,
    *,
    name: str,
    also: Iterable[str] = (),
    missing: Collection[str] = (),
    cluster: str | None = None,
    columns: Mapping[str, Sequence[str]] | None = None,
) -> LabelFile:
    """Read labels from a CSV or JSON Lines file with the columns item, annotator and label, or from a Label Studio
    export. Other columns are ignored.

    The case of column names does not matter. A file without the columns annotator and label is a wide table with a
    column item and one column per annotator. An empty label counts as missing, and so does each label in `missing`.
    `also` contains possible labels that may not occur in the file. `cluster` is the column with the cluster of each
    item, such as the question to which a candidate belongs. `columns` maps item, annotator and label to the columns of
    the file, if they have other names. Raises TableError with all errors: a missing column, item
    or annotator, an annotator who labels an item twice, an item with two rows in a wide table, a column of a wide table
    that has no label in common with the other columns, an item with two clusters, no labels, or more than 100 different
    labels.
    """
    import numpy as np

    from accord_core.numerics.labels import Labels

    stream = label_table(data, name=name)
    if columns:
        stream = with_columns(stream, columns, cluster)
    items: dict[str, int] = {}
    annotators: dict[str, int] = {}
    votes: Votes = {}
    clusters = Clusters(cluster)
    not_votes, faults = _read(stream, items, annotators, votes, missing, clusters)
    used = dict.fromkeys(label for label, _ in votes.values())
    if not faults and not used:
        faults = [Fault(None, None, "the file has no labels")]
    if len(used) > MOST_LABELS:
        message = f"the file has {len(used):,} different labels, but at most {MOST_LABELS} are possible"
        faults.append(Fault(None, None, message))
    raise_faults(name, faults)
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
    of_item = None if cluster is None else [clusters.of_item[item] for item in items]
    return LabelFile(labels, list(items), list(annotators), names, not_votes, of_item)


def read_known_labels(data: bytes, *, name: str) -> dict[str, str]:
    """Read each item's known label from a file with the columns item and label. Other columns are ignored.

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
    raise_faults(name, faults)
    return known


def numbers_of(names: Sequence[str]) -> list[float] | None:
    """Return the labels as numbers if they are all finite, distinct numbers. Otherwise, return None."""
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    return values if all(map(isfinite, values)) and len(set(values)) == len(values) else None


def labels_table(items: Sequence[str], names: Sequence[str], result: Aggregate) -> PrintedTable:
    """Return a table with the columns `item,label,votes,n`, plus `probability` if the method calculates probabilities.

    `votes` is the number of the item's n labels that equal `label`. An unresolved tie has the label undecided, with the
    votes and the probability of the leading label. Probabilities have four decimals.
    """
    labels = [names[label] if label >= 0 else UNDECIDED_NAME for label in result.label.tolist()]
    columns: dict[str, Sequence[str | float]] = {
        "item": items,
        "label": labels,
        "votes": result.votes.tolist(),
        "n": result.n.tolist(),
    }
    if result.probability is not None:
        columns["probability"] = result.probability.tolist()
    return PrintedTable(list(columns), list(zip(*columns.values(), strict=True)), places=4)


def _read(
    stream: TableStream,
    items: dict[str, int],
    annotators: dict[str, int],
    votes: Votes,
    missing: Collection[str],
    clusters: Clusters,
) -> tuple[int, list[Fault]]:
    """Read the rows into `items`, `annotators`, `votes` and `clusters`. Return the number of labels that count as
    missing, and the errors.
    """
    faults: list[Fault] = []
    not_votes = 0
    for line, item, annotator, label in label_rows(stream, faults, clusters):
        items.setdefault(item, len(items))
        annotators.setdefault(annotator, len(annotators))
        not_votes += label in missing
        if not label or label in missing:
            continue
        _, earlier = votes.setdefault((item, annotator), (label, line))
        if earlier != line:
            faults.append(Fault(line, "annotator", f"{annotator} has already labelled {item} on line {earlier}"))
    if is_wide(stream):
        faults += columns_without_shared_label(votes)
    return not_votes, sorted(faults, key=lambda fault: fault.line or 0)


def _known(stream: TableStream, faults: list[Fault]) -> Iterator[tuple[int, str, str]]:
    """Yield (line, item, label) for each row that has an item and a label."""
    rows = checked_rows(stream, faults)
    first = next(rows, None)
    if first is None:
        return
    columns = {name: find_column(stream.columns, name) for name in KNOWN}
    missing = [name for name, column in columns.items() if column is None]
    if missing:
        faults += missing_columns(missing, stream, "known labels need the columns item and label")
        return
    for line, values in chain([first], rows):
        item, label = (values.get(column or "", "").strip() for column in columns.values())
        if item and label:
            yield line, item, label
        else:
            faults += [
                Fault(line, column, EMPTY) for column, cell in zip(KNOWN, (item, label), strict=True) if not cell
            ]


def _in_order(labels: Iterable[str]) -> list[str]:
    names = sorted(labels)
    values = numbers_of(names)
    return names if values is None else [name for _, name in sorted(zip(values, names, strict=True))]
