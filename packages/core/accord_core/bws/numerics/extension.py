"""Extensions of best–worst designs: tuples that compare new items with each other and with existing items."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.design import DesignError
from accord_core.bws.numerics.design_report import count_components
from accord_core.bws.numerics.positions import balance_positions

# To find an item that shares no tuple with a row's items, the search compares at most this many items.
CANDIDATES = 12


def new_items_per_tuple(n_new: int, size: int) -> int:
    """Return the number of new items in each tuple of an extension. The other items in a tuple come from the existing
    design.

    Every tuple has at least one item from the existing design. A tuple contains at most half of the new items, so that
    a few new items are also compared with many of the other items.
    """
    return min(size - 1, max(1, n_new // 2))


def tuples_to_add(n_new: int, *, size: int, factor: float) -> int:
    """Return the number of tuples in an extension. Each new item appears factor · size times on average, and at least
    once.
    """
    return -(-max(n_new, round(n_new * factor * size)) // new_items_per_tuple(n_new, size))


def extend_design(tuples: NDArray[np.int64], n_old: int, n_new: int, *, factor: float, seed: int) -> NDArray[np.int64]:
    """Return an array (T, size) of additional tuples for `n_new` new items. The shape of `tuples` is (T₀, size).

    The existing items have the numbers 0 to n_old − 1, and the new items follow. Each additional tuple contains at
    least one existing and one new item, so the comparison graph stays connected. The numbers of appearances of two new
    items differ by at most one. The additional tuples use the existing items with the fewest appearances first. No
    tuple contains an item twice, no two tuples are equal as sets, and the counts of an item at different positions of
    the additional tuples differ by at most one. The search avoids repeated pairs, but does not exclude them.

    The same arguments always produce the same tuples. Raises DesignError if there is no new item, or if the existing
    comparison graph is not connected.
    """
    if n_new < 1:
        raise DesignError("An extension needs at least one new item.")
    if count_components(tuples, n_old) != 1:
        raise DesignError("The existing design cannot be extended, because its comparisons are not connected.")
    size = tuples.shape[1]
    rng = np.random.default_rng(seed)
    n_tuples, in_tuple = tuples_to_add(n_new, size=size, factor=factor), new_items_per_tuple(n_new, size)
    partners = _Partners()
    if size - in_tuple > 1:  # otherwise, no additional tuple contains two existing items
        for row in tuples.tolist():
            partners.add(row)
    new_items = _Even(np.zeros(n_new, dtype=np.int64), n_old, partners, rng)
    old_items = _Even(np.bincount(tuples.ravel(), minlength=n_old), 0, partners, rng)
    rows: set[frozenset[int]] = set()
    added = []
    for _ in range(n_tuples):
        row = new_items.draw([], in_tuple, rows)
        row = old_items.draw(row, size - in_tuple, rows)
        partners.add(row)
        rows.add(frozenset(row))
        added.append(row)
    if len(rows) < n_tuples:
        raise DesignError(
            f"{n_new} new items and {n_old} existing items cannot form {n_tuples} different tuples: use a smaller "
            "factor."
        )
    return balance_positions(np.array(added, dtype=np.int64), n_old + n_new, rng)


class _Partners:
    """The items that share a tuple with each item."""

    def __init__(self) -> None:
        self._of: dict[int, set[int]] = {}

    def add(self, row: list[int]) -> None:
        for item in row:
            self._of.setdefault(item, set()).update(row)

    def shared(self, item: int, row: list[int]) -> int:
        """Return the number of items in the row that already share a tuple with this item."""
        known = self._of.get(item, ())
        return sum(other in known for other in row)


class _Even:
    """A pool of items. Those with the fewest appearances are drawn first, in random order."""

    def __init__(
        self, appearances: NDArray[np.int64], first: int, partners: _Partners, rng: np.random.Generator
    ) -> None:
        self._partners, self._rng = partners, rng
        numbers = range(first, first + len(appearances))
        self._heap = [(count, rng.random(), item) for count, item in zip(appearances.tolist(), numbers, strict=True)]
        heapq.heapify(self._heap)

    def draw(self, row: list[int], count: int, rows: set[frozenset[int]]) -> list[int]:
        """Add `count` further items to the row, and return it. If possible, the last item is chosen so that the
        complete row does not repeat one of `rows`.
        """
        drawn: list[int] = []
        used: list[tuple[int, float, int]] = []
        for _ in range(count):
            chosen = self._best([*row, *drawn], rows)
            used.append(chosen)
            drawn.append(chosen[2])
        for appearances, _, item in used:
            heapq.heappush(self._heap, (appearances + 1, self._rng.random(), item))
        return [*row, *drawn]

    def _best(self, row: list[int], rows: set[frozenset[int]]) -> tuple[int, float, int]:
        """Take the item that shares the fewest tuples with the row, among the items with the fewest appearances. Items
        with more appearances are candidates only if every other item would repeat a tuple.
        """
        passed: list[tuple[int, float, int]] = []
        best: tuple[int, tuple[int, float, int]] | None = None
        for entry in self._candidates(passed):
            if best and (entry[0] > best[1][0] or len(passed) >= CANDIDATES):
                break
            if frozenset([*row, entry[2]]) in rows:
                continue
            shared = self._partners.shared(entry[2], row)
            if best is None or shared < best[0]:
                best = (shared, entry)
            if shared == 0:
                break
        chosen = best[1] if best else passed[0]
        for entry in passed:
            if entry is not chosen:
                heapq.heappush(self._heap, entry)
        return chosen

    def _candidates(self, passed: list[tuple[int, float, int]]) -> Iterator[tuple[int, float, int]]:
        """Yield the entries in the heap, fewest appearances first, and collect them in `passed`."""
        while self._heap:
            entry = heapq.heappop(self._heap)
            passed.append(entry)
            yield entry
