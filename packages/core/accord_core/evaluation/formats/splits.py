"""Files that assign items to the train, dev and test splits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from accord_core.evaluation.formats.predictions import ITEM
from accord_core.evaluation.numerics.splits import PARTS, Split
from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.label_rows import EMPTY
from accord_core.exchange.tables import Limits, TableStream, find_column, iter_rows, iter_table

SPLIT = "split"
COLUMNS = ("item", SPLIT, "group", "stratum")
TEXTS = ("text", "sentence", "sentence1", "sentence2")
PAIR = ("source", "target")


@dataclass(frozen=True, eq=False)
class ItemsToSplit:
    """The items in a file, with their texts, their strata, and the columns that contain the texts."""

    keys: list[str]
    texts: list[list[str]]
    cells: list[list[str]]
    linked: list[str]


def read_items_to_split(
    data: bytes, *, name: str, linked: Sequence[str] | None = None, strata: Sequence[str] = ()
) -> ItemsToSplit:
    """Read items from CSV or JSON Lines with the column item (or id, PairID).

    `linked` contains the columns whose texts keep items together. By default, these are the columns text, sentence,
    sentence1 and sentence2, and the columns source and target if the file contains both. `strata` contains the columns
    whose cells are returned as `cells`. Raises TableError with every error: a missing column, an empty ID or an item
    that occurs twice.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(iter_rows(stream, faults))
    item_column = _item_column(stream, faults)
    chosen = _usual_texts(stream) if linked is None else linked
    text_columns, stratum_columns = (_columns(stream, columns, faults) for columns in (chosen, strata))
    first: dict[str, int] = {}
    for row in rows:
        item = row.values.get(item_column, "").strip()
        if not item:
            faults.append(Fault(row.line, item_column, EMPTY))
        elif first.setdefault(item, row.line) != row.line:
            faults.append(Fault(row.line, item_column, f"{item} is already on line {first[item]}"))
    if not rows and not faults:
        faults.append(Fault(None, None, "the file has no items"))
    raise_faults(name, faults)
    return ItemsToSplit(
        list(first),
        [[row.values.get(column, "") for column in text_columns] for row in rows],
        [[row.values.get(column, "").strip() for column in stratum_columns] for row in rows],
        text_columns,
    )


def read_split(data: bytes, *, name: str) -> dict[str, str]:
    """Return each item's split from a file with the columns item and split. An item can have several rows that give the
    same split.

    Raises TableError with every error: a missing column, an empty cell, an unknown part, or an item in two parts.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(iter_rows(stream, faults))
    item_column, split_column = _item_column(stream, faults), find_column(stream.columns, SPLIT)
    if split_column is None:
        available = ", ".join(stream.columns)
        faults.append(Fault(1, SPLIT, f"the column is missing. The columns are {available}"))
    parts: dict[str, str] = {}
    for row in rows if not faults else ():
        item, part = (row.values.get(column or "", "").strip() for column in (item_column, split_column))
        if not item:
            faults.append(Fault(row.line, item_column, EMPTY))
        elif part not in PARTS:
            faults.append(Fault(row.line, split_column, f"“{part[:40]}” is not one of {', '.join(PARTS)}"))
        elif parts.setdefault(item, part) != part:
            faults.append(Fault(row.line, split_column, f"{item} is in the {parts[item]} part on an earlier line"))
    raise_faults(name, faults)
    return parts


def write_split(keys: Iterable[str], split: Split, strata: Iterable[str]) -> Iterator[str]:
    """Yield a CSV file with the columns item, split, group and stratum."""
    return write_csv(zip(keys, split.parts, split.groups, strata, strict=True), COLUMNS)


def _item_column(stream: TableStream, faults: list[Fault]) -> str:
    column = next((column for name in ITEM if (column := find_column(stream.columns, name)) is not None), None)
    if column is None and stream.columns:
        faults.append(Fault(1, ITEM[0], f"the column is missing. The columns are {', '.join(stream.columns)}"))
    return column or ITEM[0]


def _usual_texts(stream: TableStream) -> list[str]:
    # If a file has a column `source` but no column `target`, `source` contains the item's origin, which is not a text.
    pair = PAIR if all(find_column(stream.columns, column) for column in PAIR) else ()
    return [column for column in (*TEXTS, *pair) if find_column(stream.columns, column)]


def _columns(stream: TableStream, names: Iterable[str], faults: list[Fault]) -> list[str]:
    columns = []
    for name in names:
        column = find_column(stream.columns, name)
        if column is None:
            faults.append(Fault(1, name, f"the column is missing. The columns are {', '.join(stream.columns)}"))
        else:
            columns.append(column)
    return columns
