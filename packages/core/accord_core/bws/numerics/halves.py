"""Counting-based scores from many random splits of the judgements, and the correlations between both halves.

All arrays have the shape (rows, splits). Each column represents one split, so one pass over the rows processes a whole
batch.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, counting_scores, tuple_index

Unit = Literal["judgements", "tuples"]
Progress = Callable[[int, int], None]
Whole = NDArray[np.integer]

# The approximate number of cells in a batch, chosen so that the batch's arrays fit into the processor cache. The batch
# size depends only on the data, because a different batch size would change the random numbers for the same seed.
CELLS = 4_000_000
LARGEST_BATCH = 128
# For up to ten judgements, a table lists all possible halves (at most 252), so one byte can store the number of a half.
LISTED = 10
# If fewer items remain, each is summed separately, because a gold item can have a thousand times as many rows as other
# items.
FEW = 16


def split_correlations(
    judgements: Judgements, *, splits: int, seed: int, unit: Unit, progress: Progress | None = None
) -> tuple[Floats, Floats, Ints]:
    """Return the Spearman and Pearson correlations between the scores of random halves, and the number of excluded
    items. All arrays have the shape (splits,).

    Both correlations are calculated over the items that occur in both halves, and are NaN if all of these items have
    the same score in one of the halves. After each batch, `progress` is called with the number of completed splits and
    the total number of splits.
    """
    generator = np.random.default_rng([seed, 0x5F])
    draw: Callable[[np.random.Generator, int], tuple[Whole, Whole]]
    draw = _judgement_halves(judgements) if unit == "judgements" else _tuple_halves(judgements)
    totals = counting_scores(judgements)
    judged = totals.appearances > 0
    score, appearances = (totals.best - totals.worst)[judged, None], totals.appearances[judged, None]
    batch = max(1, min(LARGEST_BATCH, splits, CELLS // max(1, len(judgements))))
    results = []
    for start in range(0, splits, batch):
        size = min(batch, splits - start)
        half, shown = (cells[judged] for cells in draw(generator, size))
        results.append(correlate(half, shown, score - half, appearances - shown))
        if progress is not None:
            progress(start + size, splits)
    spearman, pearson, dropped = (np.concatenate(column) for column in zip(*results, strict=True))
    return spearman, pearson, dropped


def _judgement_halves(judgements: Judgements) -> Callable[[np.random.Generator, int], tuple[Whole, Whole]]:
    """Draw random halves of each tuple's judgements. Return the counts (best − worst) and the appearances, each as an
    array of shape (n_items, splits).
    """
    tuples = tuple_index(judgements)
    per_tuple = np.bincount(tuples)
    by_tuple, start = np.argsort(tuples, kind="stable"), np.cumsum(per_tuple) - per_tuple
    groups = [(int(m), np.flatnonzero(per_tuple == m)) for m in np.unique(per_tuple)]
    # Judgements are sorted by m, by position in the tuple and by tuple, so that each random draw fills a contiguous
    # block.
    row = np.concatenate([by_tuple[start[group] + place] for m, group in groups for place in range(m)])
    place = np.empty_like(row)
    place[row] = np.arange(len(row))
    n, items = judgements.n_items, judgements.items[by_tuple[start]]
    best, worst = _SumByItem(judgements.best, place, n), _SumByItem(judgements.worst, place, n)
    # Each tuple with m judgements adds ⌊m/2⌋ appearances to its items. If m is odd and the half contains the extra
    # judgement, each item in the tuple appears one more time.
    tuple_number, position = np.nonzero(judgements.shown[by_tuple[start]])
    item = items[tuple_number, position]
    always = np.bincount(item, weights=per_tuple[tuple_number] // 2, minlength=n).astype(np.int64)[:, None]
    odd = [(m, group) for m, group in groups if m % 2]
    odd_place = np.full(len(per_tuple), -1)
    for first, (_, group) in zip(np.cumsum([0, *(len(group) for _, group in odd)]), odd, strict=False):
        odd_place[group] = first + np.arange(len(group))
    with_odd = odd_place[tuple_number] >= 0
    extra = _SumByItem(item[with_odd], odd_place[tuple_number[with_odd]], n)

    def draw(generator: np.random.Generator, splits: int) -> tuple[Whole, Whole]:
        chosen = np.empty((len(row), splits), dtype=np.int8)
        larger = [np.empty((0, splits), dtype=np.int8)]
        first = 0
        for m, group in groups:
            block = chosen[first : first + m * len(group)].reshape(m, len(group), splits)
            is_larger = draw_halves(generator, block)
            if m % 2:
                larger.append(is_larger)
            first += m * len(group)
        half = best(chosen) - worst(chosen)
        return half, always + extra(np.concatenate(larger)) if odd else always

    return draw


def draw_halves(generator: np.random.Generator, block: NDArray[np.int8]) -> NDArray[np.int8]:
    """Fill an array of shape (m, tuples, splits) with 1 for a random half of the m judgements. Return an array of shape
    (tuples, splits) that is 1 for each half with ⌈m/2⌉ judgements.
    """
    m, small = len(block), len(block) // 2
    if m <= LISTED:
        sizes = {small, m - small}
        halves = [half for size in sorted(sizes) for half in combinations(range(m), size)]
        table = np.array([[place in half for half in halves] for place in range(m)], dtype=np.int8)
        which = generator.integers(0, len(halves), size=block.shape[1:], dtype=np.uint8)
        for place in range(m):
            table[place].take(which, out=block[place], mode="clip")
        is_larger: NDArray[np.int8] = (table.sum(axis=0) > small).astype(np.int8).take(which)
        return is_larger
    keys = generator.random((*block.shape[1:], m))
    chosen = keys <= np.partition(keys, small - 1, axis=2)[:, :, small - 1 : small]
    other = generator.integers(0, 1 + m % 2, size=block.shape[1:], dtype=np.int8)
    block[:] = np.moveaxis(chosen ^ other[:, :, None].astype(np.bool_), 2, 0)
    return other


def _tuple_halves(judgements: Judgements) -> Callable[[np.random.Generator, int], tuple[Whole, Whole]]:
    """Draw random halves of the tuples. Each tuple keeps all of its judgements. Return the same arrays as
    `_judgement_halves`.
    """
    tuples = tuple_index(judgements)
    per_tuple = np.bincount(tuples)
    count, n = len(per_tuple), judgements.n_items
    first_rows = np.unique(tuples, return_index=True)[1]
    items = judgements.items[first_rows]
    tuple_number, position = np.nonzero(judgements.shown[first_rows])
    item, times = items[tuple_number, position], per_tuple[tuple_number]
    shown = {m: _SumByItem(item[times == m], tuple_number[times == m], n) for m in np.unique(times).tolist()}
    best, worst = _SumByItem(judgements.best, tuples, n), _SumByItem(judgements.worst, tuples, n)
    ordered = (np.arange(count) < count // 2).astype(np.int8)

    def draw(generator: np.random.Generator, splits: int) -> tuple[Whole, Whole]:
        half = generator.permuted(np.tile(ordered, (splits, 1)), axis=1)
        if count % 2:
            half ^= generator.integers(0, 2, size=(splits, 1), dtype=np.int8)
        chosen = np.ascontiguousarray(half.T)
        appearances = sum(m * judged_so_often(chosen) for m, judged_so_often in shown.items())
        return best(chosen) - worst(chosen), np.asarray(appearances)

    return draw


class _SumByItem:
    """Sum the rows of each item in a (rows, splits) array of zeros and ones. Entry e adds row `row[e]` to item
    `item[e]`."""

    def __init__(self, item: Ints, row: Ints, n_items: int) -> None:
        counts = np.bincount(item, minlength=n_items)
        self.busiest = np.argsort(-counts, kind="stable")
        row = row[np.argsort(item, kind="stable")]
        start = (np.cumsum(counts) - counts)[self.busiest]
        counts = counts[self.busiest]
        # Round r adds the r-th row of every item that has at least r rows. This order of operations reads whole rows in
        # long passes, and avoids scattered writes.
        rounds = int(counts[FEW - 1]) if n_items >= FEW else 0
        self.rounds = [row[start[: np.searchsorted(-counts, -r)] + r] for r in range(rounds)]
        self.rest = [row[s + rounds : s + c] for s, c in zip(start[:FEW], counts[:FEW], strict=True) if c > rounds]

    def __call__(self, values: NDArray[np.int8]) -> NDArray[np.int32]:
        total = np.zeros((len(self.busiest), values.shape[1]), dtype=np.int32)
        for rows in self.rounds:
            total[: len(rows)] += values.take(rows, axis=0)
        for place, rows in enumerate(self.rest):
            total[place] += values.take(rows, axis=0).sum(axis=0, dtype=np.int32)
        result = np.empty_like(total)
        result[self.busiest] = total
        return result


def correlate(score: Whole, shown: Whole, other: Whole, other_shown: Whole) -> tuple[Floats, Floats, Ints]:
    """Return the correlations between score/shown and other/other_shown, over the items in both halves. The array has
    the shape (splits,).
    """
    missing = np.broadcast_to((shown == 0) | (other_shown == 0), score.shape)
    dropped = missing.sum(axis=0)
    missing_somewhere = missing if dropped.any() else None
    first = _standardised(score, shown, missing_somewhere)
    second = _standardised(other, other_shown, missing_somewhere)
    spearman, pearson = (np.einsum("is,is->s", a, b) for a, b in zip(first, second, strict=True))
    return np.clip(spearman, -1, 1), np.clip(pearson, -1, 1), dropped


def _standardised(score: Whole, shown: Whole, missing: NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
    """Return the midranks and the scores as arrays of shape (items, splits). Each column is centred and scaled to
    length 1. Constant columns are filled with NaN, and missing values are replaced with 0.

    The values of score/shown are ratios of small numbers, so there are few different values. Ranks are therefore
    calculated by counting each value in a column, which is several times faster than sorting the columns.
    """
    values, cell = _distinct_ratios(score, shown)
    splits = score.shape[1]
    if missing is not None:
        cell = np.where(missing, len(values), cell)
    cell = cell * splits + np.arange(splits)
    counts = np.bincount(cell.ravel(), minlength=(len(values) + 1) * splits).reshape(-1, splits)
    counts, n = counts[:-1], counts[:-1].sum(axis=0)
    # Ranks are stored as twice the midrank minus twice the mean rank. Therefore, ranks are integers and the variance of
    # a constant column is exactly zero.
    rank = (2 * np.cumsum(counts, axis=0) - counts - n).astype(np.float64)
    varies = (counts > 0).sum(axis=0) > 1
    mean = np.divide(values @ counts, n, out=np.zeros(splits), where=n > 0)
    by_value = []
    for centred in (rank, values[:, None] - mean):
        length = np.sqrt((counts * centred**2).sum(axis=0))
        table = np.full((len(values) + 1, splits), np.nan)
        np.divide(centred, length, out=table[:-1], where=varies)
        table[-1, varies] = 0
        by_value.append(table.ravel().take(cell))
    return by_value[0], by_value[1]


def _distinct_ratios(score: Whole, shown: Whole) -> tuple[Floats, Ints]:
    """Return the sorted distinct values of score/shown, and an array (items, splits) with the index of each cell's
    value. 0/0 counts as 0.
    """
    present = np.flatnonzero(np.bincount(shown.ravel()))
    width = np.zeros(present[-1] + 1, dtype=np.int64)
    width[present] = 2 * present + 1
    if width.sum() > 4096 + score.size // 4:
        cells = np.divide(score, shown, out=np.zeros(score.shape), where=shown > 0)
        values, cell = np.unique(cells, return_inverse=True)
        return values, cell.reshape(score.shape)
    # The table has one cell for each possible ratio. Ratios with the denominator a are stored next to each other, from
    # −a/a to a/a.
    offset = np.cumsum(width) - width
    denominator = np.repeat(present, width[present])
    numerator = np.arange(len(denominator)) - offset[denominator] - denominator
    values, number = np.unique(numerator / np.maximum(denominator, 1), return_inverse=True)
    return values, number.take((offset + np.arange(len(width))).take(shown) + score)
