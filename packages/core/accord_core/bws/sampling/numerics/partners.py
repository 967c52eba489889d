"""An exact search, in a given order, for the first sentence that has a similar length to a given sentence and shares
enough words with it.

A comparison of all pairs of a million sentences would take days. Therefore, each word has a list of the sentences that
contain the word, in the order of the search. The words that a sentence shares with a range of sentences are counted
from the few list entries in the range. The 64 most frequent words, which make up half of running text, have no list,
and are stored as bits of one number per sentence. The length of the ranges doubles, because most sentences find a
partner soon and few sentences need a search through all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.numerics.overlap import Ints, WordSets

_FREQUENT = 64  # one per bit of a 64-bit number
_STRETCH = 128


@dataclass(frozen=True)
class Window:
    """The conditions that a partner Y of a sentence X must meet. The overlap of unique words must satisfy `low` ≤ |X ∩
    Y| / |X| < `high`. The difference in length, as a share of the longer sentence's length, must be at most
    `length_difference`.
    """

    low: float = 0.25
    high: float = 0.75
    length_difference: float = 0.25

    def shares(self, size: int) -> NDArray[np.bool_]:
        """Return a mask (size + 1,) of the acceptable numbers of shared words for a sentence with `size` unique
        words.
        """
        share = np.arange(size + 1) / max(size, 1)
        return (share >= self.low) & (share < self.high)

    def lengths(self, length: int, longest: int) -> NDArray[np.bool_]:
        """Return a mask (longest + 1,) of the acceptable partner lengths for a sentence with `length` words."""
        other = np.arange(longest + 1)
        return np.abs(other - length) <= self.length_difference * np.maximum(other, length)


class Partners:
    """A search for partners among the sentences in `sets`, in sentence order."""

    def __init__(self, sets: WordSets, window: Window) -> None:
        self._sets, self._window = sets, window
        self._longest = int(sets.lengths.max(initial=0))
        rows = np.repeat(np.arange(len(sets), dtype=np.int32), sets.sizes)
        counts = np.bincount(sets.numbers, minlength=sets.vocabulary)
        frequent = np.argsort(-counts, kind="stable")[:_FREQUENT]
        self._bit = np.full(sets.vocabulary, -1, np.int64)
        self._bit[frequent] = np.arange(len(frequent))
        bits = self._bit[sets.numbers]
        has_bit = bits >= 0
        self._bits = np.zeros(len(sets), np.uint64)
        np.bitwise_or.at(self._bits, rows[has_bit], np.uint64(1) << bits[has_bit].astype(np.uint64))
        # The sort is stable, so each word's rows remain in ascending order.
        numbers, rows = sets.numbers[~has_bit], rows[~has_bit]
        self._rows = rows[np.argsort(numbers, kind="stable")]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=sets.vocabulary))])

    def first(self, row: int, free: NDArray[np.bool_]) -> int | None:
        """Return the first partner after the sentence `row`, in circular order. The boolean array `free` (n,) marks the
        available sentences.

        The result is None if there is no partner. A sentence is never its own partner.
        """
        size = int(self._sets.starts[row + 1] - self._sets.starts[row])
        share_fits = self._window.shares(size)
        length_fits = self._window.lengths(int(self._sets.lengths[row]), self._longest)
        if not size or not share_fits.any():
            return None
        least = np.flatnonzero(share_fits)[0]
        numbers = self._sets.numbers[self._sets.starts[row] : self._sets.starts[row + 1]]
        lists = [self._rows[self._starts[n] : self._starts[n + 1]] for n in numbers if self._bit[n] < 0]
        for start, end in self._stretches(row):
            shared = np.bitwise_count(self._bits[start:end] & self._bits[row]).astype(np.uint16)
            # The array has the same type as the lists, because otherwise each list would be converted.
            ends = np.array([start, end], np.int32)
            for each in lists:
                first, last = each.searchsorted(ends)
                shared[each[first:last] - start] += 1
            enough = np.flatnonzero(shared >= least)
            fits = share_fits[shared[enough]] & length_fits[self._sets.lengths[start + enough]] & free[start + enough]
            if fits.any():
                return int(start + enough[fits.argmax()])
        return None

    def _stretches(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the positions after `row`, followed by those before it, in ranges whose length doubles each time."""
        width = _STRETCH
        for start, last in ((row + 1, len(self._sets)), (0, row)):
            while start < last:
                end = min(start + width, last)
                yield start, end
                start, width = end, 2 * width


def first_choices(most: int, sets: WordSets, window: Window, *, reuse: bool) -> tuple[Ints, int]:
    """Return (pairs, tried): each sentence, in order, with its first partner, as an array (k, 2).

    There are at most `most` pairs. `tried` is the number of sentences for which a partner was searched. Without
    `reuse`, a sentence is in at most one pair. With `reuse`, a sentence is the first sentence of at most one pair, and
    no two pairs contain the same two sentences.
    """
    partners = Partners(sets, window)
    free = np.ones(len(sets), bool)
    chosen_by: dict[int, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    tried = 0
    for row in range(len(sets)):
        if len(pairs) >= most:
            break
        if not free[row]:
            continue
        tried += 1
        earlier_partners = chosen_by.get(row, [])
        free[earlier_partners] = False
        partner = partners.first(row, free)
        free[earlier_partners] = True
        if partner is None:
            continue
        pairs.append((row, partner))
        if reuse:
            chosen_by.setdefault(partner, []).append(row)
        else:
            free[[row, partner]] = False
    return np.array(pairs, np.int64).reshape(-1, 2), tried
