"""Features of word pairs, from which a network estimates how likely annotators are to link the two words.

A cell is a pair of a source word and a target word. Each feature is symmetric: if source and target are swapped, the
cell keeps its features. Only word vectors depend on the language and on particular words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.pairs.numerics.hidden_markov import Pair, Posterior
from accord_core.pairs.numerics.similarity import common_ends
from accord_core.pairs.numerics.word_vectors import company_vectors, letter_vectors, neighbour_vectors

Floats = NDArray[np.float64]
Vectors = Mapping[str, Floats]
"""Word vectors (d,) by word in the form for comparisons without case (`str.casefold`)."""

SURE_LOG_ODDS = 1e-4
"""The probability above which log odds no longer increase."""
UNSEEN = 1e-5
REACHES = (5, 20)
"""The distances within which other words count as neighbours of a word."""
VECTOR_FEATURES = 2
"""The number of features from word vectors. They are the last features."""
AROUND = 3
"""The number of words on each side that count as neighbours of a cell."""


class Cells:
    """The cells of all sentence pairs in a study. A word's features depend on the words in all sentences.

    With word `vectors`, cells have `VECTOR_FEATURES` additional features.
    """

    def __init__(self, pairs: Sequence[Pair], vectors: Vectors | None = None) -> None:
        folded = [[[word.casefold() for word in side] for side in pair] for pair in pairs]
        words = sorted({word for pair in folded for side in pair for word in side})
        index = {word: number for number, word in enumerate(words)}
        self.sides = [[np.array([index[word] for word in side], dtype=np.int64) for side in pair] for pair in folded]
        sentences = [side for pair in self.sides for side in pair if len(side)]
        self.words = words
        frequency = np.bincount(np.concatenate(sentences), minlength=len(words))
        self.size = np.log(np.array(float(frequency.sum())))
        self.log_frequency: Floats = np.log(frequency / frequency.sum())
        length = np.array([len(word) for word in words], dtype=np.float64)
        self.log_length: Floats = np.log(np.maximum(length, 1))
        self.letters = np.array([any(letter.isalpha() for letter in word) for word in words], dtype=np.float64)
        self.digits = np.array([any(letter.isdigit() for letter in word) for word in words], dtype=np.float64)
        self.spelling = letter_vectors(words)
        self.company = [
            neighbour_vectors(sentences, len(words)),
            *(company_vectors(sentences, len(words), reach) for reach in REACHES),
        ]
        self.meaning = None if vectors is None else _directions(words, vectors)

    def equal(self, place: int) -> NDArray[np.bool_]:
        """Return the cells (source, target) in which both words are equal, for the pair at this index."""
        source, target = self.sides[place]
        equal: NDArray[np.bool_] = source[:, None] == target
        return equal

    def features(self, place: int, posterior: Posterior) -> NDArray[np.float32]:
        """Return the features (source, target, feature) of the pair at this index."""
        columns = [
            *_generated(posterior),
            *self._alike(place),
            *_positions(*posterior.forward.shape),
            *self._words(place),
            *_left_over(posterior),
            *_surroundings(np.sqrt(posterior.forward * posterior.backward)),
            *self._related(place),
        ]
        shape = posterior.forward.shape
        return np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1).astype(np.float32)

    def _alike(self, place: int) -> list[Floats]:
        """Return the similarities between the two words."""
        source, target = self.sides[place]
        heads, tails = common_ends(self.words, source, target)
        return [
            self.equal(place).astype(np.float64),
            heads,
            tails,
            np.maximum(heads, tails) ** 3,
            self.spelling[source] @ self.spelling[target].T,
            *(vectors[source] @ vectors[target].T for vectors in self.company),
        ]

    def _related(self, place: int) -> list[Floats]:
        """Return the cosine of the two words' vectors, and whether both words have a vector. Without vectors, the
        cosine is 1 for equal words and 0 for others.
        """
        if self.meaning is None:
            return []
        source, target = (self.meaning[side] for side in self.sides[place])
        known = np.outer(source.any(axis=1), target.any(axis=1))
        return [np.where(known, source @ target.T, self.equal(place)), known.astype(np.float64)]

    def _words(self, place: int) -> list[Floats]:
        """Return the size of the study, properties of the two words alone, and the equal words in the pair."""
        source, target = self.sides[place]
        shared = self.equal(place)
        source_shared, target_shared = (np.asarray(shared.any(axis=axis), dtype=np.float64) for axis in (1, 0))
        return [
            self.size,
            *_both_orders(self.log_frequency[source], self.log_frequency[target]),
            *_both_orders(self.letters[source], self.letters[target]),
            *_both_orders(self.digits[source], self.digits[target]),
            *_both_orders(_repeated(source), _repeated(target)),
            *_both_orders(source_shared, target_shared),
            *_both_orders(self.log_length[source], self.log_length[target]),
        ]


def _directions(words: Sequence[str], vectors: Vectors) -> Floats:
    """Return the words' vectors (word, d) with a length of 1, or 0 for words without a vector."""
    nothing = np.zeros(len(next(iter(vectors.values()), ())))
    values = np.array([vectors.get(word, nothing) for word in words])
    length = np.linalg.norm(values, axis=1, keepdims=True)
    directions: Floats = values / np.where(length == 0, 1, length)
    return directions


def _generated(posterior: Posterior) -> list[Floats]:
    """Return the probability that either word generated the other."""
    forward, backward = posterior.forward, posterior.backward
    lower, higher = _in_order(forward, backward)
    both = np.sqrt(forward * backward)
    rarer, likelier = _in_order(posterior.forward_lexicon, posterior.backward_lexicon)
    return [
        _log_odds(lower),
        _log_odds(higher),
        _log_odds(both),
        both,
        (forward + backward) / 2,
        np.log(rarer + UNSEEN),
        np.log(likelier + UNSEEN),
    ]


def _positions(sources: int, targets: int) -> list[Floats]:
    """Return the distance from the diagonal, and the sentence lengths."""
    place = (np.arange(sources) + 0.5)[:, None] / sources - (np.arange(targets) + 0.5) / targets
    return [
        np.abs(place),
        np.minimum(np.abs(place) * (sources + targets) / 2, 10),
        np.array(float(abs(sources - targets))),
        np.log(np.array(float(sources * targets))),
    ]


def _left_over(posterior: Posterior) -> list[Floats]:
    """Return, for both directions, the probability that no word generated a word."""
    return list(_both_orders(1 - posterior.backward.sum(axis=1), 1 - posterior.forward.sum(axis=0)))


def _surroundings(both: Floats) -> list[Floats]:
    """Return the probabilities of the cells that compete with or support a cell. Cells beyond the edge have the value
    0.
    """
    rows, columns = both.shape
    framed = np.zeros((rows + 2 * AROUND, columns + 2 * AROUND))
    framed[AROUND : AROUND + rows, AROUND : AROUND + columns] = both

    def at(down: int, right: int) -> Floats:
        return framed[AROUND + down : AROUND + down + rows, AROUND + right : AROUND + right + columns]

    steps = range(-AROUND, AROUND + 1)
    around = np.zeros_like(both)
    for down in steps:
        for right in steps:
            if down or right:
                around += at(down, right)
    return [
        *_in_order(_best_other(both), _best_other(both.T).T),
        *_in_order(at(-1, -1), at(1, 1)),
        np.maximum(at(2, 2), at(-2, -2)),
        np.maximum(at(1, -1), at(-1, 1)),
        *_in_order(np.maximum(at(1, 0), at(-1, 0)), np.maximum(at(0, 1), at(0, -1))),
        around,
    ]


def _log_odds(probability: Floats) -> Floats:
    within = np.clip(probability, SURE_LOG_ODDS, 1 - SURE_LOG_ODDS)
    odds: Floats = np.log(within / (1 - within))
    return odds


def _in_order(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    return np.minimum(one, other), np.maximum(one, other)


def _both_orders(source: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the higher value for the two words of each cell."""
    return _in_order(source[:, None], target[None])


def _repeated(side: NDArray[np.int64]) -> Floats:
    """Return the number of times that each word occurs in its sentence."""
    times: Floats = (side[:, None] == side).sum(axis=1).astype(np.float64)
    return times


def _best_other(values: Floats) -> Floats:
    """Return the highest value among the other cells in each cell's column, or 0 if there are none."""
    if len(values) < 2:
        return np.zeros_like(values)
    second, best = np.partition(values, -2, axis=0)[-2:]
    others: Floats = np.where(values == best, second, best)
    return others
