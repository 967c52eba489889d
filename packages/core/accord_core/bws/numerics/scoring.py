"""Judgements of best–worst tuples, and the items' counting-based scores with their standard errors."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Repeats = Literal["once", "cells"]


@dataclass(frozen=True, eq=False)
class Judgements:
    """The M judgements of best–worst questions, in file order.

    `items` (M, k) contains item indexes in [0, n_items), `best` and `worst` (M,) contain the chosen items of each row,
    and `annotator` (M,) contains the numbers of the annotators, or is None if the annotators are unknown. Rows can name
    the same item as best and worst, and can show an item twice, because published files contain such rows. `repeats`
    states how often such a row counts as an appearance of the item: `once`, or once in each of its `cells`. Raises
    ValueError with the row, counted from 0, if an index is out of range or a choice is not among the items of its row.
    """

    items: Ints
    best: Ints
    worst: Ints
    n_items: int
    annotator: Ints | None = None
    repeats: Repeats = "once"

    def __post_init__(self) -> None:
        items = _indexes("items", self.items, dimensions=2)
        if items.shape[1] < 2:
            raise ValueError(f"Each judgement needs at least two items, but each row has {items.shape[1]}.")
        row = _first(((items < 0) | (items >= self.n_items)).any(axis=1))
        if row is not None:
            raise ValueError(
                f"Row {row} has the items {items[row].tolist()}, but indexes must be from 0 to {self.n_items - 1}."
            )
        object.__setattr__(self, "items", items)
        for name in ("best", "worst"):
            chosen = _indexes(name, getattr(self, name), dimensions=1, length=len(items))
            row = _first((items != chosen[:, None]).all(axis=1))
            if row is not None:
                raise ValueError(
                    f"Row {row}: the {name} item, {chosen[row]}, is not one of the items {items[row].tolist()} in "
                    f"this row."
                )
            object.__setattr__(self, name, chosen)
        if self.annotator is not None:
            annotator = _indexes("annotator", self.annotator, dimensions=1, length=len(items))
            row = _first(annotator < 0)
            if row is not None:
                raise ValueError(
                    f"Row {row}: the annotator number {annotator[row]} is negative. Number annotators from 0."
                )
            object.__setattr__(self, "annotator", annotator)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def shown(self) -> Bools:
        """Return a mask (M, k) of the cells that count as appearances of their items."""
        return np.ones(self.items.shape, dtype=np.bool_) if self.repeats == "cells" else first_in_row(self.items)

    def take(self, rows: NDArray[np.int64] | Bools) -> "Judgements":
        """Return the judgements in the given rows (indexes or a mask). The items keep their numbers."""
        annotator = None if self.annotator is None else self.annotator[rows]
        return replace(self, items=self.items[rows], best=self.best[rows], worst=self.worst[rows], annotator=annotator)


@dataclass(frozen=True, eq=False)
class CountingScores:
    """Each item's figures, as arrays of shape (n_items,): the number of times best, the number of times worst, the
    number of judgements, and the score in [-1, 1].
    """

    best: Ints
    worst: Ints
    appearances: Ints
    score: Floats


def counting_scores(judgements: Judgements) -> CountingScores:
    """Return each score in [-1, 1], which is (times best − times worst) / appearances, or NaN for an item without
    judgements.

    Rows are not corrected. A row that names the same item as best and worst adds an appearance to its items, but does
    not change their scores. If a row repeats an item, `judgements.repeats` determines how often the item appears.
    Sources: Orme (2009); STR-2021, §2.2.
    """
    n = judgements.n_items
    best = np.bincount(judgements.best, minlength=n)
    worst = np.bincount(judgements.worst, minlength=n)
    appearances = np.bincount(judgements.items[judgements.shown], minlength=n)
    return CountingScores(best, worst, appearances, _ratio(best - worst, appearances))


def unit_scale(score: ArrayLike) -> Floats:
    """Convert scores in [-1, 1] to the scale from 0 to 1, using (s + 1) / 2."""
    return (np.asarray(score, dtype=np.float64) + 1) / 2


def consistent(judgements: Judgements) -> Bools:
    """Return a mask (M,) that is true for judgements whose best and worst items differ."""
    different: Bools = judgements.best != judgements.worst
    return different


def drop_inconsistent(judgements: Judgements) -> tuple[Judgements, int]:
    """Return the consistent judgements, and the number of inconsistent ones."""
    keep = consistent(judgements)
    return judgements.take(keep), int(len(keep) - keep.sum())


def counting_standard_errors(judgements: Judgements) -> Floats:
    """Return the standard errors, clustered by tuple, of the counting-based scores in [-1, 1]. The array has the shape
    (n_items,). The standard error is NaN for an item in fewer than two tuples.

    The score of an item is a ratio of totals over its R tuples, s = Σd / Σm. In each tuple, d is the number of times
    best minus the number of times worst, and m is the number of judgements. The linearised variance, with tuples as the
    sampled units, is R/(R − 1) · Σ(d − s·m)² / (Σm)² (Cochran 1977, Sampling Techniques, chapters 6 and 9A).

    Judgements of the same tuple are not independent. They compare the item with the same other items, so all of them
    err in the same direction if these items happen to be strong or weak. If the judgements were treated as independent,
    the standard errors would be about 10% too small (`bench/reliability.py`). If all judgements of an item are
    identical, the standard error is 0. This means that the data show no variation, not that the score is certain.
    """
    n = judgements.n_items
    tuples = tuple_index(judgements)
    shown = judgements.shown
    keys, m = np.unique((tuples[:, None] * n + judgements.items)[shown], return_counts=True)

    def chosen(item: Ints) -> Ints:
        return np.bincount(np.searchsorted(keys, tuples * n + item), minlength=len(keys))

    d = chosen(judgements.best) - chosen(judgements.worst)
    scores = counting_scores(judgements)
    item = keys % n if n else keys
    squares = np.bincount(item, weights=(d - scores.score[item] * m) ** 2, minlength=n)
    clusters = np.bincount(item, minlength=n)
    variance = _ratio(clusters * squares, (clusters - 1) * scores.appearances**2)
    variance[clusters < 2] = np.nan
    return np.sqrt(variance)


def tuple_index(judgements: Judgements) -> Ints:
    """Return each row's tuple number (M,), in order of first appearance. Rows with the same set of items belong to the
    same tuple. If repeated items count in each cell, the rows of a tuple must also repeat the same items.
    """
    rows = np.sort(judgements.items, axis=1)
    if judgements.repeats == "once":
        rows[:, 1:][rows[:, 1:] == rows[:, :-1]] = judgements.n_items
        rows.sort(axis=1)
    key = np.zeros(len(rows), dtype=np.int64)
    first = np.zeros(min(1, len(rows)), dtype=np.int64)
    for column in rows.T:
        _, first, key = np.unique(key * (judgements.n_items + 1) + column, return_index=True, return_inverse=True)
    number = np.empty_like(first)
    number[np.argsort(first)] = np.arange(len(first))
    return number[key]


def first_in_row(items: Ints) -> Bools:
    """Return a mask (M, k) that is true for the first occurrence of each item in a row."""
    first = np.ones(items.shape, dtype=np.bool_)
    for position in range(1, items.shape[1]):
        first[:, position] = (items[:, :position] != items[:, position, None]).all(axis=1)
    return first


def midranks(values: ArrayLike) -> Floats:
    """Return ranks (n,), starting at 1. Equal values share the mean of their ranks. Raises ValueError on NaN."""
    x = np.asarray(values, dtype=np.float64)
    if np.isnan(x).any():
        raise ValueError("A missing value (NaN) has no rank. Remove missing values first.")
    _, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Pearson's correlation of two (n,) arrays, or None if it is undefined."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(
            f"A correlation requires two arrays of equal length, not arrays with the shapes {a.shape} and {b.shape}."
        )
    # Values are compared before centring, because rounding can make the mean of equal values differ from the values.
    if len(a) < 2 or (a == a[0]).all() or (b == b[0]).all():
        return None
    a, b = a - a.mean(), b - b.mean()
    r = (a @ b) / np.sqrt((a @ a) * (b @ b))
    return float(min(1.0, max(-1.0, r)))


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    """Return Spearman's correlation of two (n,) arrays (Pearson's correlation of their midranks), or None if it is
    undefined.
    """
    return pearson(midranks(x), midranks(y))


def _indexes(name: str, values: ArrayLike, *, dimensions: int, length: int | None = None) -> Ints:
    array = np.asarray(values)
    if array.ndim != dimensions or (length is not None and len(array) != length):
        expected = "(M, k)" if dimensions == 2 else f"({length},)"
        raise ValueError(f"`{name}` has the shape {array.shape}. The array must have the shape {expected}.")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"`{name}` contains {array.dtype} values. All values must be integers.")
    return array.astype(np.int64)


def _first(wrong: ArrayLike) -> int | None:
    mask = np.asarray(wrong)
    return int(np.argmax(mask)) if mask.any() else None


def _ratio(numerator: NDArray[np.number], denominator: NDArray[np.number]) -> Floats:
    result = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result
