"""Collected and predicted labels from files, for scoring systems on items with several annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.label_rows import EMPTY
from accord_core.exchange.numbers import read_number
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows, iter_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ITEM, LABEL, PROBABILITY = "item", "label", "probability"
CLOSE = 0.001
LAYOUT = (
    "predictions need the columns item and label, or item, label and probability, or item and one column of "
    "probabilities for each label"
)


@dataclass(frozen=True, eq=False)
class Predictions:
    """A probability for each item and label (n, q), in the order of the requested items and labels.

    If the file contains only labels, `probabilities` is false, and each row of `values` contains a single 1. `further`
    is the number of other items in the file, and `zeros` is the number of probabilities that are 0.
    """

    values: NDArray[np.float64]
    probabilities: bool
    further: int
    zeros: int


def read_label_predictions(data: bytes, items: Sequence[str], names: Sequence[str], *, name: str) -> Predictions:
    """Return the predictions for `items`, with a probability for each label in `names`.

    The file is CSV or JSON Lines in one of three layouts: a label for each item (item, label), a probability for each
    item and label (item, label, probability), or one row for each item with one column for each label. Labels without
    a row or a column have the probability 0. The probabilities of an item must sum to 1 within 0.001 and are divided by
    their sum. Raises TableError with every error: a missing column, an unknown label, a value that is not a
    probability, a repeated prediction, a wrong sum, and each item without a prediction.
    """
    import numpy as np

    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(iter_rows(stream, faults))
    given: dict[str, dict[str, float]] = {}
    first: dict[str, int] = {}
    with_label = find_column(stream.columns, LABEL) is not None
    with_probability = find_column(stream.columns, PROBABILITY) is not None
    for line, item, label, value in _cells(rows, stream, names, faults):
        first.setdefault(item, line)
        if label in given.setdefault(item, {}) or (given[item] and with_label and not with_probability):
            faults.append(Fault(line, ITEM, f"{item} already has a prediction on line {first[item]}"))
        given[item][label] = value
    if not faults:
        faults += _wrong(given, first, items)
    raise_faults(name, faults)
    number = {label: place for place, label in enumerate(names)}
    values = np.zeros((len(items), len(names)))
    for place, item in enumerate(items):
        for label, value in given[item].items():
            values[place, number[label]] = value
    values /= values.sum(axis=1, keepdims=True)
    probabilities = with_probability or not with_label
    return Predictions(values, probabilities, len(given.keys() - set(items)), int((values == 0).sum()))


def _cells(
    rows: Sequence[Row], stream: TableStream, names: Sequence[str], faults: list[Fault]
) -> list[tuple[int, str, str, float]]:
    """Return (line, item, label, probability) for each prediction in the rows."""
    item_column, label_column, probability_column = (
        find_column(stream.columns, name) for name in (ITEM, LABEL, PROBABILITY)
    )
    of_label = {label: column for label in names if (column := find_column(stream.columns, label)) is not None}
    if item_column is None or (label_column is None and not of_label):
        available = ", ".join(stream.columns)
        missing = ITEM if item_column is None else LABEL
        faults.append(Fault(1, missing, f"the column is missing. The columns are {available}, but {LAYOUT}"))
        return []
    cells: list[tuple[int, str, str, float]] = []
    for row in rows:
        item = row.values.get(item_column, "").strip()
        if not item:
            faults.append(Fault(row.line, item_column, EMPTY))
        elif label_column is None:
            cells += [(row.line, item, label, _probability(row, column, faults)) for label, column in of_label.items()]
        else:
            label = row.values.get(label_column, "").strip()
            value = 1.0 if probability_column is None else _probability(row, probability_column, faults)
            if label in names:
                cells.append((row.line, item, label, value))
            else:
                known = ", ".join(names)
                faults.append(Fault(row.line, label_column, f"“{label[:40]}” is not a label. The labels are {known}"))
    return cells


def _probability(row: Row, column: str, faults: list[Fault]) -> float:
    cell = row.values.get(column, "").strip()
    try:
        value = read_number(cell)
    except ValueError:
        value = -1.0
    if not isfinite(value) or not 0 <= value <= 1 + CLOSE:
        faults.append(Fault(row.line, column, f"“{cell[:40]}” is not a probability between 0 and 1"))
    return value


def _wrong(given: dict[str, dict[str, float]], first: dict[str, int], items: Sequence[str]) -> list[Fault]:
    faults = [
        Fault(first[item], None, f"the probabilities of {item} sum to {total:.4g} instead of 1")
        for item, values in given.items()
        if abs((total := sum(values.values())) - 1) > CLOSE
    ]
    return faults + [
        Fault(None, None, f"{item} is missing. A system must predict every item") for item in items if item not in given
    ]
