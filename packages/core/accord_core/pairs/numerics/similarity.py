"""The similarity of two words: the length of the common prefix or suffix, divided by the length of the longer word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LETTERS = 24
"""The number of letters that are compared at the beginning and at the end of words. The middle of longer words is
ignored.
"""

CHUNK = 1 << 18


def similarity(words: Sequence[str], left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the similarity of each pair of words `words[left[k]]` and `words[right[k]]`, from 0 to 1. Equal words have
    a similarity of 1.

    The longer of the common prefix and the common suffix is divided by the length of the longer word. For example,
    “walks” and “walked” have a similarity of 4/6. Letters are code points, so the measure works for any script.
    """
    length = np.array([min(len(word), LETTERS) for word in words], dtype=np.int64)
    heads = _letters([word[:LETTERS] for word in words])
    tails = _letters([word[: -LETTERS - 1 : -1] for word in words])
    shares = np.zeros(len(left))
    for start in range(0, len(left), CHUNK):
        a, b = left[start : start + CHUNK], right[start : start + CHUNK]
        common = np.maximum(_common(heads, a, b), _common(tails, a, b))
        shares[start : start + CHUNK] = common / np.maximum(length[a], length[b])
    return shares


def common_ends(
    words: Sequence[str], left: NDArray[np.int64], right: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compare each word in `left` with each in `right`. Return the lengths (left, right) of their common prefixes and
    of their common suffixes, divided by the length of the longer word.
    """
    chosen, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    some = [words[number] for number in chosen]
    a, b = (side.ravel() for side in np.broadcast_arrays(place[: len(left), None], place[None, len(left) :]))
    length = np.array([max(min(len(word), LETTERS), 1) for word in some], dtype=np.int64)
    longer = np.maximum(length[a], length[b])
    heads = _common(_letters([word[:LETTERS] for word in some]), a, b) / longer
    tails = _common(_letters([word[: -LETTERS - 1 : -1] for word in some]), a, b) / longer
    shape = len(left), len(right)
    return heads.reshape(shape), tails.reshape(shape)


def _letters(words: Sequence[str]) -> NDArray[np.int32]:
    """Return each word's code points (words, longest), padded with −1."""
    table = np.full((len(words), max(map(len, words), default=0)), -1, dtype=np.int32)
    for row, word in enumerate(words):
        table[row, : len(word)] = [ord(letter) for letter in word]
    return table


def _common(table: NDArray[np.int32], a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the length of the common prefix for each pair of rows."""
    same = np.ones(len(a), dtype=bool)
    count = np.zeros(len(a), dtype=np.int64)
    for column in table.T:
        same &= (column[a] == column[b]) & (column[a] != -1)
        if not same.any():
            break
        count += same
    return count
