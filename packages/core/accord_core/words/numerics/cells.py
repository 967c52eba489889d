"""Arrays of the cells of alignment matrices, with each cell's votes and the class that determines its prior.

A cell is a pair of a source token and a target token. Each annotator of a sentence pair votes on each cell of the pair:
no link, a possible link or a sure link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord_core.numerics.labels import Floats, Ints
from accord_core.pairs.numerics.links import Alignment, identical_links

NO_LINK, POSSIBLE, SURE = range(3)
STATES = 3
CLASSES = 3 * 2 * 3 * 2
UNKNOWN = -1


class AnnotatedPair(NamedTuple):
    """A sentence pair with each annotator's alignment, by annotator number.

    `shown` contains the initial links that the annotators saw, if any. `known` is the true alignment of a pair whose
    links are known, such as a researcher's decision.
    """

    source: Sequence[str]
    target: Sequence[str]
    answers: Mapping[int, Alignment]
    shown: Alignment | None = None
    known: Alignment | None = None


@dataclass(frozen=True, eq=False)
class Cells:
    """R rows of cells, and L votes on them.

    A row is one cell (`i`, `j`) of sentence pair `pair`, or all `weight` cells of one pair and class that nobody drew.
    `i` and `j` of such a row are −1. `start` (R,) is the state in the initial links, and `group` (R,) is the class.
    `known` (R,) is the true state or −1. Vote n is the state `vote[n]` that annotator `annotator[n]` chose for row
    `row[n]`.
    """

    pair: Ints
    i: Ints
    j: Ints
    weight: Floats
    start: Ints
    group: Ints
    known: Ints
    row: Ints
    annotator: Ints
    vote: Ints
    n_annotators: int

    @property
    def shares(self) -> Floats:
        """Return the share (R, 3) of each state among a row's votes."""
        counts = np.bincount(self.row * STATES + self.vote, minlength=len(self.pair) * STATES)
        votes = counts.reshape(-1, STATES).astype(np.float64)
        shares: Floats = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
        return shares


def cells_of(pairs: Sequence[AnnotatedPair], n_annotators: int) -> Cells:
    """Return the cells of the sentence pairs that have at least one annotator."""
    rows: list[Ints] = []
    votes: list[Ints] = []
    first = 0
    for number, pair in enumerate(pairs):
        if not pair.answers or not pair.source or not pair.target:
            continue
        own_rows, own_votes = _cells_of_pair(number, pair)
        own_votes[:, 0] += first
        first += len(own_rows)
        rows.append(own_rows)
        votes.append(own_votes)
    columns = np.concatenate([np.empty((0, 7), dtype=np.int64), *rows]).T
    number, i, j, weight, start, group, known = columns
    row, annotator, vote = np.concatenate([np.empty((0, 3), dtype=np.int64), *votes]).T
    return Cells(number, i, j, weight.astype(np.float64), start, group, known, row, annotator, vote, n_annotators)


def states(alignment: Alignment, shape: tuple[int, int]) -> Ints:
    """Return the state of each cell of an alignment matrix with this shape (n, m)."""
    matrix = np.zeros(shape, dtype=np.int64)
    for links, state in ((alignment.possible, POSSIBLE), (alignment.sure, SURE)):
        if links:
            matrix[tuple(np.array(sorted(links)).T)] = state
    return matrix


def classes(pair: AnnotatedPair, start: Ints) -> Ints:
    """Return the class of each cell. It combines the initial state, whether the words are identical, how many of the
    two words have another expected link, and whether the previous or next cell on the diagonal is expected.

    The expected links are the initial links and the links between identical words. The classes do not depend on the
    votes, because the votes would then count twice.
    """
    n, m = start.shape
    identical = np.zeros((n, m), dtype=np.int64)
    if same := sorted(identical_links(pair.source, pair.target)):
        identical[tuple(np.array(same).T)] = 1
    expected = identical | (start != NO_LINK)
    in_row, in_column = (expected.sum(axis=axis, keepdims=True) > expected for axis in (1, 0))
    padded = np.pad(expected, 1)
    diagonal = padded[:n, :m] | padded[2:, 2:]
    group: Ints = ((start * 2 + identical) * 3 + in_row + in_column) * 2 + diagonal
    return group


def _cells_of_pair(number: int, pair: AnnotatedPair) -> tuple[Ints, Ints]:
    """Return the rows (pair, i, j, weight, start, class, known state) and the votes (row, annotator, state)."""
    shape = (len(pair.source), len(pair.target))
    answers = np.stack([states(alignment, shape) for alignment in pair.answers.values()])
    start = states(pair.shown or Alignment(), shape)
    known = np.full(shape, UNKNOWN) if pair.known is None else states(pair.known, shape)
    group = classes(pair, start)
    listed = (answers != NO_LINK).any(axis=0) | (known > NO_LINK)
    i, j = np.nonzero(listed)
    single = np.stack([np.full_like(i, number), i, j, np.ones_like(i), start[i, j], group[i, j], known[i, j]], axis=1)
    rest = np.bincount(group[~listed], minlength=CLASSES)
    groups = np.nonzero(rest)[0]
    ones = np.ones_like(groups)
    state = NO_LINK if pair.known is not None else UNKNOWN
    rows = [number * ones, -ones, -ones, rest[groups], groups // (CLASSES // STATES), groups, state * ones]
    together = np.concatenate([single, np.stack(rows, axis=1)])
    chosen = np.concatenate([answers[:, i, j], np.zeros((len(answers), len(groups)), dtype=np.int64)], axis=1)
    who = np.repeat(np.array(list(pair.answers), dtype=np.int64), chosen.shape[1])
    places = np.tile(np.arange(chosen.shape[1]), len(answers))
    return together, np.stack([places, who, chosen.ravel()], axis=1)
