"""Measures of word overlap between two sentences, such as the Dice coefficient, the IDF-weighted Dice coefficient, and
the share of the first sentence's words.

A sentence is represented by the set X of its unique lower-cased words (STR-2021, §3.2, equation 1, and Appendix A).
Words are sequences of letters and digits, which can be joined by apostrophes and hyphens. Punctuation marks do not
count as words, because otherwise every pair would share a full stop.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def words(sentence: str) -> list[str]:
    """Return a sentence's words in lower case, in order. A curly apostrophe counts as a straight apostrophe."""
    return _WORD.findall(sentence.lower().replace("’", "'"))


class WordSets(NamedTuple):
    """Sentences stored as sets of word numbers. Sentence i has the numbers `numbers[starts[i]:starts[i + 1]]` in
    ascending order.

    `starts` (n + 1,) is an int64 array, `numbers` is an int32 array with values below `vocabulary`, and `lengths` (n,)
    is an int32 array with the number of words, including repeated words.
    """

    starts: Ints
    numbers: NDArray[np.int32]
    lengths: NDArray[np.int32]
    vocabulary: int

    def __len__(self) -> int:  # the number of sentences, not the number of fields
        return len(self.lengths)

    @property
    def sizes(self) -> Ints:
        """Return the number of unique words (n,) in each sentence."""
        return np.diff(self.starts)

    def rows(self, chosen: Ints) -> WordSets:
        """Return the `chosen` sentences, in the given order."""
        sizes = self.sizes[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], sizes)
        return WordSets(starts, self.numbers[places], self.lengths[chosen], self.vocabulary)


def word_sets(sentences: Iterable[str], synonyms: Mapping[str, str] | None = None) -> WordSets:
    """Return the words of the sentences as numbers, in order of first occurrence. Words in `synonyms` are replaced
    first, and each word is replaced only once.
    """
    replaced = synonyms or {}
    known: dict[str, int] = {}
    starts, numbers, lengths = array("q", [0]), array("i"), array("i")
    for sentence in sentences:
        sentence_words = words(sentence)
        lengths.append(len(sentence_words))
        if replaced:
            sentence_words = [replaced.get(word, word) for word in sentence_words]
        numbers.extend(sorted({known.setdefault(word, len(known)) for word in sentence_words}))
        starts.append(len(numbers))
    return WordSets(
        np.frombuffer(starts, np.int64),
        np.frombuffer(numbers, np.int32) if numbers else np.empty(0, np.int32),
        np.frombuffer(lengths, np.int32) if lengths else np.empty(0, np.int32),
        len(known),
    )


def inverse_document_frequency(sets: WordSets) -> Floats:
    """Return ln(N / df) (vocabulary,) for each word that occurs in df of the N sentences, or 0 for an unused word."""
    frequency = np.bincount(sets.numbers, minlength=sets.vocabulary)
    return np.where(frequency > 0, np.log(max(len(sets), 1) / np.maximum(frequency, 1)), 0.0)


def dice(sets: WordSets, first: Ints, second: Ints) -> Floats:
    """Return 2|X ∩ Y| / (|X| + |Y|) (k,) for the pairs (first[i], second[i]), or 0 if both sentences are empty."""
    total = sets.sizes[first] + sets.sizes[second]
    return np.asarray(2 * shared(sets, first, second) / np.maximum(total, 1))


def idf_dice(sets: WordSets, first: Ints, second: Ints, idf: Floats) -> Floats:
    """Return the Dice coefficient (k,) with words weighted by their IDF, or 0 if neither sentence has a word with a
    weight.
    """
    running = np.concatenate([[0.0], np.cumsum(idf[sets.numbers])])
    weight = running[sets.starts[1:]] - running[sets.starts[:-1]]
    total = weight[first] + weight[second]
    both = shared(sets, first, second, idf)
    # Differences between running sums contain rounding errors. If a sum should be zero, the share must be exactly zero
    # instead of a very small number.
    ratio = np.divide(2 * both, total, out=np.zeros(len(total)), where=total > 1e-9)
    return np.asarray(np.clip(ratio, 0.0, 1.0))


def share_of_first(sets: WordSets, first: Ints, second: Ints) -> Floats:
    """Return |X ∩ Y| / |X| (k,), where X is the first sentence, or 0 if the first sentence is empty."""
    return np.asarray(shared(sets, first, second) / np.maximum(sets.sizes[first], 1))


def shared(sets: WordSets, first: Ints, second: Ints, weights: Floats | None = None) -> Floats:
    """Return the number of words (k,) that each pair's sentences share, or the sum of these words' weights."""
    from scipy.sparse import csr_matrix

    shape = (len(sets), sets.vocabulary)
    one = csr_matrix((np.ones(len(sets.numbers)), sets.numbers, sets.starts), shape=shape)
    other = one if weights is None else csr_matrix((weights[sets.numbers], sets.numbers, sets.starts), shape=shape)
    both = [
        one[first[start : start + _CHUNK]].multiply(other[second[start : start + _CHUNK]]).sum(axis=1)
        for start in range(0, len(first), _CHUNK)
    ]
    return np.concatenate([np.zeros(0), *(np.asarray(each, dtype=float).ravel() for each in both)])


_CHUNK = 100_000  # number of pairs per step, with about 50 MB of words
