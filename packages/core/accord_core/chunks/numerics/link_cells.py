"""Arrays that represent pairs of chunks: the annotators' votes on each pair, and the class that determines its prior.

A cell is a pair of a source chunk and a target chunk of one sentence pair. Each annotator of the sentence pair votes on
each of its cells: no link, or a link with a type and a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS, UNLINKED, ChunkLink, IstsPair
from accord_core.chunks.numerics.common_chunks import ChunkVotes, CommonChunks, common_chunks, votes_of
from accord_core.numerics.labels import Floats, Ints

NO_TYPE = -1
UNKNOWN = -1
OVERLAPS = 3
CLASSES = 2 * OVERLAPS * 2 * 2
EQUI = RELATIONS.index("EQUI")
NEAR = 0.25
"""Two chunks count as near if their relative positions in their sentences differ by at most this amount."""


class AnnotatedPair(NamedTuple):
    """A sentence pair with each annotator's annotation, by annotator number.

    `initial` contains the chunks and links that the annotators saw, if any. `known` is the true annotation of a pair
    whose annotation is known, such as a researcher's decision.
    """

    answers: Mapping[int, IstsPair]
    initial: IstsPair | None = None
    known: IstsPair | None = None


class ComparedPair(NamedTuple):
    """A sentence pair's common chunks, and the annotations that use these chunks."""

    chunks: CommonChunks
    votes: Mapping[int, ChunkVotes]


@dataclass(frozen=True, eq=False)
class LinkCells:
    """R cells, and L votes on them.

    Row n is the cell (`i[n]`, `j[n]`) of the sentence pair `pair[n]`. `initial` (R,) is 1 for initial links, `overlap`
    (R,) is 0, 1 or 2 for chunks without common words, with common words and with the same words, and `group` (R,) is
    the class. `known` (R,) is 1 or 0 in pairs whose annotation is known, and −1 in other pairs. `known_type` (R,) is
    the known type or −1.

    Vote n is by annotator `annotator[n]` on row `row[n]`. `type` (L,) is the index of the type in `RELATIONS`, or −1 if
    the annotator did not link the two chunks, and `score` (L,) is NaN without a link.
    """

    pair: Ints
    i: Ints
    j: Ints
    initial: Ints
    overlap: Ints
    group: Ints
    known: Ints
    known_type: Ints
    row: Ints
    annotator: Ints
    type: Ints
    score: Floats
    n_annotators: int

    @property
    def linked(self) -> Ints:
        """Return 1 for each vote (L,) for a link, and 0 for all other votes."""
        linked: Ints = (self.type != NO_TYPE).astype(np.int64)
        return linked

    @property
    def shares(self) -> Floats:
        """Return the proportion (R,) of each cell's annotators who linked its chunks."""
        size = len(self.pair)
        votes = np.bincount(self.row, minlength=size)
        shares: Floats = np.bincount(self.row, weights=self.linked, minlength=size) / np.maximum(votes, 1)
        return shares


def compared(pairs: Sequence[AnnotatedPair]) -> list[ComparedPair | None]:
    """Return the common chunks and the votes of each pair, or None for a pair without annotators."""
    return [_compared(pair) if pair.answers else None for pair in pairs]


def cells_of(
    pairs: Sequence[AnnotatedPair], comparisons: Sequence[ComparedPair | None], n_annotators: int
) -> LinkCells:
    """Return the cells of the sentence pairs that have at least one annotator."""
    rows, votes, scores = [np.empty((0, 8), dtype=np.int64)], [np.empty((0, 3), dtype=np.int64)], [np.empty(0)]
    first = 0
    for place, (pair, comparison) in enumerate(zip(pairs, comparisons, strict=True)):
        if comparison is None:
            continue
        rows.append(_rows(place, pair, comparison))
        for who, vote in comparison.votes.items():
            types, own_scores = _matrices(vote.links, comparison.chunks)
            votes.append(np.stack([first + np.arange(types.size), np.full(types.size, who), types.ravel()], axis=1))
            scores.append(own_scores.ravel())
        first += len(rows[-1])
    number, i, j, initial, overlap, group, known, known_type = np.concatenate(rows).T
    row, annotator, kind = np.concatenate(votes).T
    score = np.concatenate(scores)
    return LinkCells(
        number, i, j, initial, overlap, group, known, known_type, row, annotator, kind, score, n_annotators
    )


def _compared(pair: AnnotatedPair) -> ComparedPair:
    chosen = [pair.known] if pair.known is not None else list(pair.answers.values())
    chunks = common_chunks(chosen, pair.initial)
    return ComparedPair(chunks, {number: votes_of(answer, chunks) for number, answer in pair.answers.items()})


def _rows(number: int, pair: AnnotatedPair, comparison: ComparedPair) -> Ints:
    """Return a pair's cells (pair, i, j, initial, overlap, class, known, known type)."""
    chunks = comparison.chunks
    shape = len(chunks.source), len(chunks.target)
    nothing: Ints = np.full(shape, NO_TYPE)
    initial = (nothing if pair.initial is None else _matrices(votes_of(pair.initial, chunks).links, chunks)[0]) >= 0
    known_type = nothing if pair.known is None else _matrices(votes_of(pair.known, chunks).links, chunks)[0]
    known = np.full(shape, UNKNOWN) if pair.known is None else (known_type >= 0).astype(np.int64)
    overlap = _overlaps(next(iter(pair.answers.values())), chunks)
    expected = initial | (overlap == OVERLAPS - 1)
    other = (expected.sum(axis=0, keepdims=True) > expected) | (expected.sum(axis=1, keepdims=True) > expected)
    places = [(np.arange(size) + 0.5) / max(size, 1) for size in shape]
    near = np.abs(places[0][:, None] - places[1][None, :]) <= NEAR
    group = ((initial * OVERLAPS + overlap) * 2 + other) * 2 + near
    i, j = np.indices(shape)
    columns = (np.full(shape, number), i, j, initial, overlap, group, known, known_type)
    return np.stack([np.asarray(column, dtype=np.int64).ravel() for column in columns], axis=1)


def _matrices(links: Mapping[tuple[int, int], ChunkLink], chunks: CommonChunks) -> tuple[Ints, Floats]:
    """Return each cell's type and score, which are −1 and NaN if there is no link."""
    shape = len(chunks.source), len(chunks.target)
    types, scores = np.full(shape, NO_TYPE, dtype=np.int64), np.full(shape, np.nan)
    for cell, link in links.items():
        if link.type not in UNLINKED:
            types[cell] = RELATIONS.index(link.type)
            scores[cell] = np.nan if link.score is None else link.score
    return types, scores


def _overlaps(pair: IstsPair, chunks: CommonChunks) -> Ints:
    """Return 2 for chunks with the same words (ignoring case), 1 for chunks that share a word, and 0 otherwise."""
    sources = [[pair.source[token].lower() for token in chunk] for chunk in chunks.source]
    targets = [[pair.target[token].lower() for token in chunk] for chunk in chunks.target]
    overlaps = [
        [2 if source == target else int(bool(set(source) & set(target))) for target in targets] for source in sources
    ]
    return np.array(overlaps, dtype=np.int64).reshape(len(sources), len(targets))
