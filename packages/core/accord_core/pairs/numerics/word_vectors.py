"""Vectors that compare words by their letters and their neighbouring words in a study's sentences.

Two words with similar letters, such as “colour” and “coloured”, share parts of words. Two words with similar
neighbours, such as “the” and “a”, can often replace each other. The cosine of two vectors measures these similarities.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

PARTS = 256
"""The number of dimensions of letter vectors. Each part of a word adds 1 to the dimension that its checksum selects."""
PART_LENGTHS = (2, 3)
FREQUENT = 300
"""The number of frequent words whose co-occurrences with each word are counted."""
DIMENSIONS = 50
RARE = 1.0
"""A constant that is added to the length of a neighbour vector before the vector is normalised. Rare words have short
vectors, so their similarity to all words is low.
"""


def letter_vectors(words: Sequence[str]) -> Floats:
    """Return unit vectors (word, `PARTS`) that count the sequences of two and three letters in each word.

    The beginning and the end of a word count as letters, so words of one letter have parts, too.
    """
    counts = np.zeros((len(words), PARTS), dtype=np.float32)
    for row, word in enumerate(words):
        text = f"^{word}$"
        for size in PART_LENGTHS:
            for start in range(len(text) - size + 1):
                counts[row, crc32(text[start : start + size].encode("utf-8", "surrogatepass")) % PARTS] += 1
    unit: Floats = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    return unit


def neighbour_vectors(sentences: Sequence[Ints], words: int) -> Floats:
    """Return vectors (word, dimension) that describe the words directly before and after each word.

    `sentences` contains the indexes of the words, from 0 to `words` − 1. Each vector has a length of at most 1.
    """
    column = np.append(_columns(sentences, words), min(words, FREQUENT))  # The last column counts sentence boundaries.
    width = int(column[words]) + 1
    counts = np.zeros((words, 2 * width), dtype=np.float32)
    framed = np.concatenate([[words], *(np.append(sentence, words) for sentence in sentences)])
    for offset, places, beside in ((0, framed[1:], framed[:-1]), (width, framed[:-1], framed[1:])):
        counted = (places != words) & (column[beside] >= 0)
        np.add.at(counts, (places[counted], offset + column[beside[counted]]), 1)
    return _projected(counts)


def company_vectors(sentences: Sequence[Ints], words: int, reach: int) -> Floats:
    """Return vectors (word, dimension) that describe the words within `reach` words before or after each word, in any
    order. Each vector has a length of at most 1.
    """
    column = _columns(sentences, words)
    counts = np.zeros((words, min(words, FREQUENT)), dtype=np.float32)
    text = np.concatenate(sentences)
    number = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    for distance in range(1, min(reach, len(text) - 1) + 1):
        together = number[distance:] == number[:-distance]
        for places, beside in ((text[distance:], text[:-distance]), (text[:-distance], text[distance:])):
            counted = together & (column[beside] >= 0)
            np.add.at(counts, (places[counted], column[beside[counted]]), 1)
    return _projected(counts)


def _columns(sentences: Sequence[Ints], words: int) -> Ints:
    """Return the rank of each of the most frequent words, and −1 for all other words."""
    frequency = np.bincount(np.concatenate(sentences), minlength=words)
    column = np.full(words, -1, dtype=np.int64)
    frequent = np.lexsort((np.arange(words), -frequency))[:FREQUENT]
    column[frequent] = np.arange(len(frequent))
    return column


def _projected(counts: Floats) -> Floats:
    """Weight the counts (word, column) by positive pointwise mutual information, and project them on the principal
    dimensions.
    """
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / max(float(counts.sum()), 1.0)
    information = np.log(np.maximum(np.divide(counts, expected, where=counts > 0, out=np.ones_like(counts)), 1))
    _, directions = np.linalg.eigh((information.T @ information).astype(np.float64))
    vectors = information @ directions[:, -DIMENSIONS:].astype(np.float32)
    short: Floats = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + RARE)
    return short
