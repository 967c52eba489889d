"""The collected labels for items, from a file of votes or a file of soft labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from accord_core.evaluation.numerics.soft_scores import Collected, part_of
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.label_rows import EMPTY, Clusters
from accord_core.exchange.label_studio_labels import label_table
from accord_core.exchange.labels import numbers_of, read_labels
from accord_core.exchange.numbers import read_number
from accord_core.exchange.tables import Row, TableStream, find_column, iter_rows
from accord_core.numerics.labels import Labels
from accord_core.numerics.soft_labels import Model, fitted

VOTES = "votes"
FIELD = "field"


@dataclass(frozen=True, eq=False)
class CollectedFile:
    """The collected labels in a file. `items` contains the items that have votes, `names` contains the labels, and
    `clusters` contains each item's cluster. `without` is the number of items without votes, and `not_votes` is the
    number of labels that count as missing.
    """

    items: list[str]
    names: list[str]
    collected: Collected
    clusters: list[str] | None
    without: int
    not_votes: int = 0
    warnings: tuple[str, ...] = ()


def read_collected(
    data: bytes,
    *,
    name: str,
    model: Model,
    cluster: str | None = None,
    missing: Collection[str] = (),
    field: str | None = None,
) -> CollectedFile:
    """Read a file with one row per vote (item, annotator, label), one column per annotator, or soft labels (item,
    label, votes), as in releases.

    The posteriors come from `model`, which is fitted to the votes. A file of soft labels contains the posteriors in the
    column `one_coin` or `dawid_skene`. If the file contains the soft labels of several fields of a layout, `field` is
    the field whose soft labels are returned. Raises TableError with every error in the file.
    """
    stream = label_table(data, name=name)
    if find_column(stream.columns, VOTES) is not None and find_column(stream.columns, "annotator") is None:
        return _soft_labels(_of_field(stream, field), name, model, cluster)
    if field is not None:
        message = "the column is missing. Only files of soft labels can have several fields"
        raise TableError(name, [Fault(1, FIELD, message)])
    file = read_labels(data, name=name, cluster=cluster, missing=missing)
    return collected_votes(file.labels, file.items, file.names, model, clusters=file.clusters, not_votes=file.not_votes)


def collected_votes(
    labels: Labels,
    items: list[str],
    names: list[str],
    model: Model,
    *,
    clusters: list[str] | None = None,
    not_votes: int = 0,
) -> CollectedFile:
    """Return the collected labels from single votes, excluding items without votes."""
    kept = np.flatnonzero(labels.counts.any(axis=1))
    place = np.full(labels.n_items, -1)
    place[kept] = np.arange(len(kept))
    voted = Labels(place[labels.item], labels.annotator, labels.label, len(kept), labels.n_annotators, labels.n_labels)
    estimates = fitted(voted, model)
    return CollectedFile(
        [items[row] for row in kept],
        names,
        Collected(voted.counts, estimates.posterior, voted, estimates, positions=numbers_of(names)),
        None if clusters is None else [clusters[row] for row in kept],
        len(items) - len(kept),
        not_votes,
        estimates.warnings,
    )


def restricted(file: CollectedFile, items: Collection[str], *, name: str) -> CollectedFile:
    """Return only the collected labels for `items`. The posteriors are still based on the votes for all items.

    Raises TableError if none of the items has votes.
    """
    kept = np.array([place for place, item in enumerate(file.items) if item in items], dtype=np.int64)
    if not len(kept):
        raise TableError.of_file(name, "no item in this part has votes")
    return replace(
        file,
        items=[file.items[row] for row in kept],
        collected=part_of(file.collected, kept),
        clusters=None if file.clusters is None else [file.clusters[row] for row in kept],
    )


def _of_field(stream: TableStream, field: str | None) -> TableStream:
    """Return the rows for one field. Raises TableError if the file has several fields and none is selected."""
    column = find_column(stream.columns, FIELD)
    if column is None:
        if field is not None:
            present = f"the file has the columns {', '.join(stream.columns)}"
            raise TableError(stream.name, [Fault(1, FIELD, f"the column is missing: {present}")])
        return stream
    rows = list(stream.rows)
    fields = list(dict.fromkeys(row.values.get(column, "") for row in rows))
    chosen = fields[0] if field is None and len(fields) == 1 else field
    if rows and chosen not in fields:
        known = f"the file has soft labels of the fields {', '.join(fields)}"
        message = f"{known}. Choose one of them with --field" if field is None else f"{known}, but not of “{field}”"
        raise TableError(stream.name, [Fault(None, FIELD, message)])
    return TableStream(stream.name, stream.columns, iter([row for row in rows if row.values.get(column, "") == chosen]))


def _soft_labels(stream: TableStream, name: str, model: Model, cluster: str | None) -> CollectedFile:
    faults: list[Fault] = []
    clusters = Clusters(cluster)
    rows = list(iter_rows(stream, faults))
    columns = [find_column(stream.columns, column) for column in ("item", "label", VOTES)]
    if None in columns:
        layout = f"The columns are {', '.join(stream.columns)}, but soft labels need the columns item, label and votes"
        raise TableError(name, [Fault(1, None, f"a column is missing. {layout}")])
    cluster_column = clusters.column(stream, faults)
    posterior_column = find_column(stream.columns, model)
    items: dict[str, int] = {}
    names: dict[str, int] = {}
    cells: dict[tuple[str, str], tuple[int, float | None]] = {}
    for row in rows:
        item, label, votes = (row.values.get(column or "", "").strip() for column in columns)
        faults += [
            Fault(row.line, column, EMPTY) for column, cell in zip(columns, (item, label), strict=False) if not cell
        ]
        if (item, label) in cells:
            faults.append(Fault(row.line, columns[0], f"{item} already has a row for the label {label}"))
        if not (votes.isascii() and votes.isdigit()):
            faults.append(Fault(row.line, columns[2], f"“{votes[:40]}” is not a number of votes"))
            continue
        if cluster_column is not None:
            clusters.add(row.line, item, cluster_column, row.values.get(cluster_column, "").strip(), faults)
        items.setdefault(item, len(items))
        names.setdefault(label, len(names))
        cells[item, label] = (int(votes), _posterior(row, posterior_column, faults))
    if not faults and not any(votes for votes, _ in cells.values()):
        faults.append(Fault(None, None, "the file has no votes"))
    raise_faults(name, faults)
    counts = np.zeros((len(items), len(names)), dtype=np.int64)
    posterior = np.zeros((len(items), len(names)))
    for (item, label), (number, probability) in cells.items():
        counts[items[item], names[label]] = number
        posterior[items[item], names[label]] = probability or 0.0
    kept = np.flatnonzero(counts.any(axis=1))
    known = list(items)
    return CollectedFile(
        [known[row] for row in kept],
        list(names),
        Collected(
            counts[kept],
            None if posterior_column is None else posterior[kept],
            positions=numbers_of(list(names)),
        ),
        None if cluster is None else [clusters.of_item[known[row]] for row in kept],
        len(items) - len(kept),
    )


def _posterior(row: Row, column: str | None, faults: list[Fault]) -> float | None:
    if column is None:
        return None
    cell = row.values.get(column, "").strip()
    try:
        value = read_number(cell)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        faults.append(Fault(row.line, column, f"“{cell[:40]}” is not a probability between 0 and 1"))
    return value
