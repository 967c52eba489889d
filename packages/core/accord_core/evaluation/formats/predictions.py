"""Readers for collected scores and for a system's predictions, both with the columns `item,score`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.exchange.numbers import decimal_hint, read_number
from accord_core.exchange.tables import Limits, Row, TableStream, find_column, iter_rows, iter_table

ITEM = ("item", "id", "pairid", "pair_id")
SCORE = ("score", "prediction")
SENTENCES = ("sentence1", "sentence2")


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """The collected scores by item, in file order. All lists in this class have the same length.

    `sentences` contains the two sentences of each item, if the file contains them. `columns` contains the cells of all
    other columns. `unscored` contains the items with an empty score, which are excluded.
    """

    items: list[str]
    scores: list[float]
    sentences: list[tuple[str, str]] | None
    columns: dict[str, list[str]]
    unscored: list[str]


def read_scores(data: bytes, *, name: str) -> ScoreFile:
    """Read scores from CSV or JSON Lines with the columns item (or id, PairID) and score. Other columns are kept.

    The sentences are in the columns sentence1 and sentence2 or, as in STR-2021, in one column text with a line break
    between the sentences. Raises TableError with every error: a missing column, a repeated item, or a score that is not
    a finite number.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = [(row, item, score) for row, item, score in _scored(stream, faults) if item]
    if not faults and all(score is None for _, _, score in rows):
        faults.append(Fault(None, None, "no item has a score"))
    raise_faults(name, faults)
    scored = [(row, item, score) for row, item, score in rows if score is not None]
    others = [column for column in stream.columns if column not in (_find(stream, ITEM), _find(stream, SCORE))]
    return ScoreFile(
        items=[item for _, item, _ in scored],
        scores=[score for _, _, score in scored],
        sentences=_sentences([row for row, _, _ in scored], stream),
        columns={column: [row.values.get(column, "").strip() for row, _, _ in scored] for column in others},
        unscored=[item for _, item, score in rows if score is None],
    )


def with_items(file: ScoreFile, data: bytes, *, name: str) -> ScoreFile:
    """Add the items' sentences and other columns from the study's item file to a score file.

    Existing columns of the scores do not change. Raises TableError with every error: a repeated item, a missing item,
    or a missing column id.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows: dict[str, Row] = {}
    for row in iter_rows(stream, faults):
        item = row.values.get(_find(stream, ITEM) or "", "").strip()
        if item and rows.setdefault(item, row) is not row:
            faults.append(Fault(row.line, _find(stream, ITEM), f"{item} is already on line {rows[item].line}"))
    if _find(stream, ITEM) is None and stream.columns:
        faults.append(Fault(1, "id", f"the column is missing. The columns are {', '.join(stream.columns)}"))
    elif not faults:
        faults += [
            Fault(None, None, f"{item} has a score, but is missing from this file")
            for item in file.items
            if item not in rows
        ]
    raise_faults(name, faults)
    here = [rows[item] for item in file.items]
    new = [column for column in stream.columns if find_column([*file.columns, *ITEM, *SCORE], column) is None]
    columns = file.columns | {column: [row.values.get(column, "").strip() for row in here] for column in new}
    return replace(file, sentences=file.sentences or _sentences(here, stream), columns=columns)


def only_items(file: ScoreFile, items: Collection[str], *, name: str) -> ScoreFile:
    """Return only the scores of `items`. Raises TableError if none of the items has a score."""
    places = [place for place, item in enumerate(file.items) if item in items]
    if not places:
        raise TableError.of_file(name, "no item in this part has a score")
    return replace(
        file,
        items=[file.items[place] for place in places],
        scores=[file.scores[place] for place in places],
        sentences=None if file.sentences is None else [file.sentences[place] for place in places],
        columns={name: [cells[place] for place in places] for name, cells in file.columns.items()},
    )


def read_predictions(data: bytes, items: Sequence[str], *, name: str) -> tuple[list[float], int]:
    """Return the system's scores in the order of `items`, and the number of other items in the file.

    Raises TableError with every error, including items without a prediction. If such items were excluded, systems that
    omit difficult items would have an advantage.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    predictions: dict[str, float] = {}
    listed: set[str] = set()
    expected = set(items)
    for row, item, score in _scored(stream, faults):
        listed.add(item)
        if score is not None:
            predictions[item] = score
        elif item in expected:
            faults.append(
                Fault(row.line, _find(stream, SCORE), f"{item} has no score. A system must predict every item")
            )
    if not faults:
        missing = [item for item in items if item not in listed]
        faults += [Fault(None, None, f"{item} is missing. A system must predict every item") for item in missing]
    raise_faults(name, faults)
    return [predictions[item] for item in items], len(listed - expected)


def numbers_in(file: ScoreFile, column: str, *, name: str) -> list[float | None]:
    """Return the numbers in a column of a score file, with None for empty cells. Raises TableError with the names of
    the missing items.
    """
    numbers: list[float | None] = []
    faults = []
    for item, cell in zip(file.items, file.columns[column], strict=True):
        value = _number(cell) if cell else None
        if cell and value is None:
            faults.append(Fault(None, column, f"{item}: “{cell[:40]}” is not a finite number{decimal_hint(cell)}"))
        numbers.append(value)
    raise_faults(name, faults)
    return numbers


def _scored(stream: TableStream, faults: list[Fault]) -> list[tuple[Row, str, float | None]]:
    scored: list[tuple[Row, str, float | None]] = []
    first: dict[str, int] = {}
    rows = list(iter_rows(stream, faults))
    item_column, score_column = _find(stream, ITEM), _find(stream, SCORE)
    for column, names in ((item_column, ITEM), (score_column, SCORE)):
        if column is None and stream.columns:
            available = ", ".join(stream.columns)
            faults.append(
                Fault(1, names[0], f"the column is missing. The columns are {available}, but scores need item,score")
            )
    if item_column is None or score_column is None:
        return []
    for row in rows:
        item, cell = row.values.get(item_column, "").strip(), row.values.get(score_column, "").strip()
        value = _number(cell) if cell else None
        if not item:
            faults.append(Fault(row.line, item_column, "the cell is empty"))
        elif first.setdefault(item, row.line) != row.line:
            faults.append(Fault(row.line, item_column, f"{item} is already on line {first[item]}"))
        elif cell and value is None:
            faults.append(Fault(row.line, score_column, f"“{cell[:40]}” is not a finite number{decimal_hint(cell)}"))
        else:
            scored.append((row, item, value))
    return scored


def _sentences(rows: Sequence[Row], stream: TableStream) -> list[tuple[str, str]] | None:
    one, two = (find_column(stream.columns, column) for column in SENTENCES)
    if one is not None and two is not None:
        return [(row.values.get(one, ""), row.values.get(two, "")) for row in rows]
    text = find_column(stream.columns, "text")
    if text is None:
        return None
    pairs = [row.values.get(text, "").strip().splitlines() for row in rows]
    return [(pair[0], pair[1]) for pair in pairs] if all(len(pair) == 2 for pair in pairs) else None


def _find(stream: TableStream, names: Sequence[str]) -> str | None:
    return next((column for name in names if (column := find_column(stream.columns, name)) is not None), None)


def _number(cell: str) -> float | None:
    try:
        value = read_number(cell)
    except ValueError:
        return None
    return value if isfinite(value) else None
