"""The rows of label files in long and wide format, with each item's annotators, labels and cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.tables import Row, TableStream, find_column

LONG = ("item", "annotator", "label")
EMPTY = "the cell is empty"
FREE_TEXT = 3

Votes = dict[tuple[str, str], tuple[str, int]]
"""Each annotator's label for each item, with its line number."""


class Clusters:
    """The cluster of each item, from the requested column. If no column is requested, items have no clusters."""

    def __init__(self, requested: str | None) -> None:
        self.requested = requested
        self.of_item: dict[str, str] = {}

    def column(self, stream: TableStream, faults: list[Fault]) -> str | None:
        """Return the column's name in the file. If the column is missing, add an error."""
        column = None if self.requested is None else find_column(stream.columns, self.requested)
        if self.requested is not None and column is None:
            present = f"the file has the columns {', '.join(stream.columns)}"
            faults.append(Fault(1, self.requested, f"the column is missing: {present}"))
        return column

    def add(self, line: int, item: str, column: str, cell: str, faults: list[Fault]) -> None:
        """Record an item's cluster, or add an error if the cell is empty or the item already has a different
        cluster.
        """
        if not cell:
            faults.append(Fault(line, column, EMPTY))
        elif self.of_item.setdefault(item, cell) != cell:
            faults.append(Fault(line, column, f"{item} belongs to {self.of_item[item]} on an earlier line"))


def is_wide(stream: TableStream) -> bool:
    """Return whether a file has one column per annotator instead of the columns `annotator` and `label`."""
    return all(find_column(stream.columns, column) is None for column in LONG[1:])


def with_columns(stream: TableStream, columns: Mapping[str, Sequence[str]], cluster: str | None) -> TableStream:
    """Return a table with the columns item, annotator and label, whatever the names of these columns in the file.

    `columns` maps each of the three names to columns of the file. The texts of several columns are joined with “/”. In
    a wide table, the joined columns are not columns of annotators. Raises TableError if a column is missing.
    """
    first = next(stream.rows, None)  # in JSON Lines, the rows define the columns
    if first is None:
        return stream
    joined: dict[str, list[str]] = {}
    for name, sources in columns.items():
        found = [find_column(stream.columns, source) for source in sources]
        missing = [source for source, column in zip(sources, found, strict=True) if column is None]
        if missing:
            present = f"the column is missing: the file has the columns {', '.join(stream.columns)}"
            raise TableError(stream.name, [Fault(1, source, present) for source in missing])
        joined[name] = [column for column in found if column is not None]
    wide = is_wide(stream) and not any(name in joined for name in LONG[1:])
    replaced = {find_column(stream.columns, name) for name in joined}
    if wide:
        replaced |= {column for sources in joined.values() for column in sources}
        replaced.discard(find_column(stream.columns, cluster) if cluster else None)

    def rows() -> Iterator[Row]:
        for row in chain([first], stream.rows):
            values = {column: cell for column, cell in row.values.items() if column not in replaced}
            for name, sources in joined.items():
                cells = [row.values.get(source, "").strip() for source in sources]
                values[name] = "/".join(cells) if any(cells) else ""
            yield Row(row.line, values)

    return TableStream(stream.name, [*(column for column in stream.columns if column not in replaced), *joined], rows())


def columns_without_shared_label(votes: Votes) -> Iterator[Fault]:
    """Yield an error for each column of a wide table that probably does not belong to an annotator.

    Such a column has no label in common with any other column, although other columns have labels in common, or it
    contains only different texts. Its cells, such as comments, would count as labels and lower the agreement.
    """
    cells: dict[str, Counter[str]] = {}
    for (_, column), (label, _) in votes.items():
        cells.setdefault(column, Counter())[label] += 1
    columns_with = Counter(label for labels in cells.values() for label in labels)
    others_share = any(columns > 1 for columns in columns_with.values())
    for column, labels in cells.items():
        free_text = len(labels) >= FREE_TEXT and max(labels.values()) == 1
        if len(cells) > 1 and max(columns_with[label] for label in labels) == 1 and (others_share or free_text):
            yield Fault(
                1,
                column,
                f"the column has no label in common with the other columns, for example “{min(labels)[:40]}”, so it is "
                "probably not the column of an annotator. Remove the column, or use the columns item, annotator and "
                "label",
            )


def label_rows(stream: TableStream, faults: list[Fault], clusters: Clusters) -> Iterator[tuple[int, str, str, str]]:
    """Yield (line, item, annotator, label) for each cell. An empty cell counts as a missing label."""
    rows = checked_rows(stream, faults)
    first = next(rows, None)
    if first is None:
        return
    places = [find_column(stream.columns, column) for column in LONG]
    wide = is_wide(stream)
    required = LONG[:1] if wide else LONG
    missing = [column for column, place in zip(required, places, strict=False) if place is None]
    if wide and len(stream.columns) < 2:
        missing = list(LONG[1:])
    if missing:
        layout = "labels need the columns item, annotator and label, or item and one column per annotator"
        faults += missing_columns(missing, stream, layout)
        return
    cluster = clusters.column(stream, faults)
    if faults:
        return
    item, annotator, label = (place or "" for place in places)
    every: Iterable[Row] = chain([first], rows)
    if cluster is not None:
        every = _with_clusters(every, item, cluster, clusters, faults)
    yield from (_wide(every, item, cluster, faults) if wide else _long(every, item, annotator, label, faults))


def _with_clusters(
    rows: Iterable[Row], item: str, column: str, clusters: Clusters, faults: list[Fault]
) -> Iterator[Row]:
    for row in rows:
        if what := row.values.get(item, "").strip():
            clusters.add(row.line, what, column, row.values.get(column, "").strip(), faults)
        yield row


def _long(
    rows: Iterable[Row], item: str, annotator: str, label: str, faults: list[Fault]
) -> Iterator[tuple[int, str, str, str]]:
    for line, values in rows:
        who, what = values.get(annotator, "").strip(), values.get(item, "").strip()
        if who and what:
            yield line, what, who, values.get(label, "").strip()
        else:
            faults += [Fault(line, column, EMPTY) for column, cell in ((item, what), (annotator, who)) if not cell]


def _wide(
    rows: Iterable[Row], item: str, cluster: str | None, faults: list[Fault]
) -> Iterator[tuple[int, str, str, str]]:
    first: dict[str, int] = {}
    for line, values in rows:
        what = values.get(item, "").strip()
        if not what:
            faults.append(Fault(line, item, EMPTY))
        elif first.setdefault(what, line) != line:
            faults.append(Fault(line, item, f"{what} is already on line {first[what]}. Each item must have one row"))
        else:
            yield from ((line, what, who, label.strip()) for who, label in values.items() if who not in (item, cluster))


def missing_columns(columns: Iterable[str], stream: TableStream, layout: str) -> list[Fault]:
    present = f"the file has the columns {', '.join(stream.columns)}"
    return [Fault(1, column, f"the column is missing: {present}, but {layout}") for column in columns]


def checked_rows(stream: TableStream, faults: list[Fault]) -> Iterator[Row]:
    """Yield the rows. Formatting errors are added to `faults` after the last row."""
    try:
        yield from stream.rows
    except TableError as error:
        faults += error.faults
