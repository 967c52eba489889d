"""The lexicon that the built-in aligner learns from extra sentence pairs, as evidence for other sentence pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LOWEST = 1e-3
"""Entries with a lower expected count are excluded, so that a model of many pairs stays small."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedLexicon:
    """The expected number of times that one word generated another word in the extra pairs.

    Word number `maker[n]` generated word number `made[n]` `count[n]` times. All three arrays have the shape (E,), and
    the entries are sorted and different. `words` is sorted, and case is ignored. `pairs` is the number of extra pairs.
    """

    words: Sequence[str]
    maker: Ints
    made: Ints
    count: Floats
    pairs: int

    @classmethod
    def of(cls, words: Sequence[str], maker: Ints, made: Ints, count: Floats, pairs: int) -> LearnedLexicon:
        """Return a lexicon without low-count entries, and without words that occur only in such entries."""
        kept = count >= LOWEST
        maker, made, count = maker[kept], made[kept], count[kept]
        used = np.union1d(maker, made)
        left = [words[number] for number in used.tolist()]
        return cls(left, np.searchsorted(used, maker), np.searchsorted(used, made), count, pairs)

    def evidence(self, words: Sequence[str], maker: Ints, made: Ints) -> tuple[Floats, Floats]:
        """Return the learned counts (N,) of the entries between the given `words`, and the sum (words,) of the
        remaining counts of each generating word.

        Word number `maker[n]` generates word number `made[n]`. The N entries must be sorted and different.
        """
        index = {word: number for number, word in enumerate(words)}
        number_of = np.array([index.get(word, -1) for word in self.words], dtype=np.int64)
        known = number_of[self.maker] >= 0
        makers, mades, count = number_of[self.maker[known]], number_of[self.made[known]], self.count[known]
        total = np.bincount(makers, count, len(words))
        wanted = maker * len(words) + made
        keys = np.where(mades < 0, -1, makers * len(words) + mades)
        place = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        found = wanted[place] == keys
        counts: Floats = np.bincount(place[found], count[found], len(wanted)).astype(np.float64)
        return counts, np.maximum(total - np.bincount(maker, counts, len(words)), 0)

    def plus(self, other: LearnedLexicon) -> LearnedLexicon:
        """Return the sum of two lexicons."""
        words = sorted({*self.words, *other.words})
        index = {word: number for number, word in enumerate(words)}
        keys, counts = [], []
        for each in (self, other):
            number_of = np.array([index[word] for word in each.words], dtype=np.int64)
            keys.append(number_of[each.maker] * len(words) + number_of[each.made])
            counts.append(each.count)
        unique, place = np.unique(np.concatenate(keys), return_inverse=True)
        count: Floats = np.bincount(place, np.concatenate(counts), len(unique)).astype(np.float64)
        maker, made = np.divmod(unique, max(1, len(words)))
        return LearnedLexicon(words, maker, made, count, self.pairs + other.pairs)
