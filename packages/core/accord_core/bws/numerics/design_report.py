"""The properties of a design, calculated from its tuples alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.bws.numerics.repeated_pairs import pair_codes

# The breadth-first search starts from all items at the same time. Each round needs items² / 8 bytes of memory.
MOST_ITEMS_FOR_STEPS = 10_000
SOURCES_AT_ONCE = 1_024


@dataclass(frozen=True)
class Range:
    min: int
    max: int


@dataclass(frozen=True)
class DesignReport:
    """Figures that describe a best–worst design. A pair always consists of two different items. A pair is repeated if
    at least two tuples contain both items.
    """

    items: int
    tuples: int
    size: int
    seed: int
    appearances: Range
    repeated_pairs: int
    max_pair_count: int
    duplicate_tuples: int
    positions: Range
    components: int
    tuples_with_item_twice: int
    pairs_shown: int
    sum_of_squared_pair_counts: int
    prefix_imbalance: int
    prefix_position_imbalance: int
    max_steps_apart: int | None
    appearance_counts: dict[int, int]
    place_counts: dict[int, int]

    def as_dict(self) -> dict[str, object]:
        """Return the report as a JSON object, with its keys in field order."""
        return {
            name: {"min": value.min, "max": value.max}
            if isinstance(value, Range)
            else {str(key): count for key, count in value.items()}
            if isinstance(value, dict)
            else value
            for name, value in vars(self).items()
        }


def describe_design(tuples: ArrayLike, n_items: int, *, seed: int) -> DesignReport:
    """Return the figures for `tuples`, which have the shape (T, k) and contain items from 0 to n_items − 1. The value
    of `seed` is copied to the report.

    - `appearances`: the number of tuples that contain an item.
    - `appearance_counts`: the number of items with each number of appearances.
    - `place_counts`: the number of (item, position) pairs with each count of the item at the position.
    - `repeated_pairs`: the number of pairs that are in two or more tuples.
    - `max_pair_count`: the maximum number of tuples that contain the same pair.
    - `duplicate_tuples`: the number of tuples that equal an earlier tuple as a set.
    - `tuples_with_item_twice`: the number of tuples that contain an item twice.
    - `positions`: the minimum and maximum count of any item at any position.
    - `components`: the number of connected components of the graph whose edges are the pairs in tuples, including items
      that are in no tuple.
    - `prefix_imbalance`: the largest difference in appearances between two items after any number of rows.
    - `prefix_position_imbalance`: the same difference between two (item, position) pairs.
    - `max_steps_apart`: the longest shortest path between two items, or None if the graph is disconnected or has more
      than 10,000 items.

    Raises ValueError if `tuples` is not a non-empty matrix of items in range.
    """
    rows = np.asarray(tuples)
    if rows.ndim != 2 or not rows.size or not np.issubdtype(rows.dtype, np.integer):
        raise ValueError("A design must be a non-empty matrix of integers with one row per tuple.")
    if rows.min() < 0 or rows.max() >= n_items:
        raise ValueError(f"A design of {n_items} items can contain only numbers from 0 to {n_items - 1}.")
    rows = rows.astype(np.int64)
    n_tuples, size = rows.shape
    sets = np.sort(rows, axis=1)
    twice = (sets[:, 1:] == sets[:, :-1]).any(axis=1)
    appearances = np.bincount(rows.ravel(), minlength=n_items)
    places = rows * size + np.arange(size)
    standing = np.bincount(places.ravel(), minlength=n_items * size)
    pair_counts = _pair_counts(sets, n_items)
    components = count_components(rows, n_items)
    numbers, having = np.unique(appearances, return_counts=True)
    times, standing_so = np.unique(standing, return_counts=True)
    return DesignReport(
        items=n_items,
        tuples=n_tuples,
        size=size,
        seed=seed,
        appearances=Range(int(appearances.min()), int(appearances.max())),
        repeated_pairs=int((pair_counts > 1).sum()),
        max_pair_count=int(pair_counts.max(initial=0)),
        duplicate_tuples=n_tuples - len(np.unique(sets, axis=0)),
        positions=Range(int(standing.min()), int(standing.max())),
        components=components,
        tuples_with_item_twice=int(twice.sum()),
        pairs_shown=int(pair_counts.sum()),
        sum_of_squared_pair_counts=int((pair_counts**2).sum()),
        prefix_imbalance=_prefix_imbalance(rows, n_items),
        prefix_position_imbalance=_prefix_imbalance(places, n_items * size),
        max_steps_apart=_max_steps_apart(rows, n_items) if components == 1 else None,
        appearance_counts=dict(zip(numbers.tolist(), having.tolist(), strict=True)),
        place_counts=dict(zip(times.tolist(), standing_so.tolist(), strict=True)),
    )


def count_components(tuples: NDArray[np.int64], n_items: int) -> int:
    """Return the number of connected components in the comparison graph. An item that occurs in no tuple counts as a
    separate component.
    """
    label = np.arange(n_items)
    while True:
        lowest = label[tuples].min(axis=1)
        new = label.copy()
        np.minimum.at(new, tuples.ravel(), np.repeat(lowest, tuples.shape[1]))
        new = new[new]
        if np.array_equal(new, label):
            return len(np.unique(label))
        label = new


def _pair_counts(sets: NDArray[np.int64], n_items: int) -> NDArray[np.int64]:
    """Return the number of tuples that contain each pair, for all pairs that occur. Each row of the array must be in
    ascending order.
    """
    codes = pair_codes(sets, n_items)
    codes = np.sort(codes[codes // n_items != codes % n_items])
    starts = np.flatnonzero(np.concatenate([[True] if len(codes) else [], codes[1:] != codes[:-1]]))
    return np.diff(np.append(starts, len(codes)))


def _prefix_imbalance(rows: NDArray[np.int64], n_values: int) -> int:
    """Return the largest difference, over all prefixes of `rows`, between the highest and the lowest count of the
    values 0 to n_values − 1.

    The count of the most frequent value is the largest ordinal so far. The count of the rarest value is the number of
    ordinals that all values have reached, which is known from the last row in which a value reaches each ordinal.
    """
    flat = rows.ravel()
    order = np.argsort(flat, kind="stable")
    counts = np.bincount(flat, minlength=n_values)
    ordinal = np.empty_like(flat)
    ordinal[order] = np.arange(len(flat)) - (np.cumsum(counts) - counts)[flat[order]]
    row = np.arange(len(flat)) // rows.shape[1]
    reached_by_all = np.zeros(int(counts.max()), dtype=np.int64)
    np.maximum.at(reached_by_all, ordinal, row)
    most = np.maximum.accumulate(ordinal.reshape(rows.shape).max(axis=1)) + 1
    least = np.searchsorted(reached_by_all[: counts.min()], np.arange(len(rows)), side="right")
    return int((most - least).max())


def _max_steps_apart(rows: NDArray[np.int64], n_items: int) -> int | None:
    """Return the diameter of a connected comparison graph: the largest distance between two items. The search
    represents sets of items as bits.
    """
    if n_items > MOST_ITEMS_FOR_STEPS:
        return None
    order = np.argsort(rows.ravel(), kind="stable")
    tuple_of = order // rows.shape[1]
    starts = np.searchsorted(rows.ravel()[order], np.arange(n_items))
    longest = 0
    for first in range(0, n_items, SOURCES_AT_ONCE):
        sources = np.arange(first, min(first + SOURCES_AT_ONCE, n_items))
        marked = np.zeros((n_items, SOURCES_AT_ONCE), dtype=bool)
        marked[sources, sources - first] = True
        reached, steps = np.packbits(marked, axis=1).view(np.uint64), 0
        everyone = np.bitwise_or.reduce(reached, axis=0)
        while not (reached == everyone).all():
            reached_by_tuple = reached[rows[:, 0]]
            for column in range(1, rows.shape[1]):
                reached_by_tuple |= reached[rows[:, column]]
            reached = np.bitwise_or.reduceat(reached_by_tuple[tuple_of], starts, axis=0)
            steps += 1
        longest = max(longest, steps)
    return longest
