"""Cohen's κ for each pair of annotators, calculated on the items that both have labelled, and averaged over the
pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.bootstrap import Coefficient, Interval, percentile_intervals, ratio
from accord_core.numerics.clusters import labelled_clusters
from accord_core.numerics.labels import Bools, Floats, Ints, Labels

NO_PAIR = "no two annotators have two items in common on which κ is defined"


@dataclass(frozen=True)
class MeanKappa(Coefficient):
    """The mean of Cohen's κ over `pairs` pairs of annotators.

    `pairs_left_out` is the number of pairs that share fewer than two items or have an undefined κ.
    """

    pairs: int = 0
    pairs_left_out: int = 0

    def as_figure(self) -> dict[str, Any]:
        return super().as_figure() | {"pairs": self.pairs, "pairs_left_out": self.pairs_left_out}


def cohen_kappa_means(
    labels: Labels, *, resamples: int = 0, seed: int = 1, clusters: ArrayLike | None = None
) -> tuple[MeanKappa, MeanKappa]:
    """Return two means of Cohen's κ over pairs of annotators: an unweighted mean, and a mean weighted by the number of
    shared items.

    Pairs with fewer than two shared items are excluded and counted, and so are pairs with an undefined κ, who chose the
    same label for all items. Only annotators with labels form pairs. Sources: Cohen (1960), and Light (1971) for the
    mean.

    The interval comes from `resamples` resamples of items, or of `clusters` (n_items,) of items, with the same pairs,
    if κ is defined in the resample. κ is biased for few items, and even more for items that are drawn with replacement,
    because fewer of them are different. With many annotators and few items per pair, the resamples would not be centred
    on the value, so they are shifted to have it as their mean. The interval still contains the mean of new collections
    somewhat less often than in 95% of
    cases (`bench/labels.py`).
    """
    annotators = len(np.unique(labels.annotator))
    every = annotators * (annotators - 1) // 2
    shared = _shared_labels(labels)
    once = np.ones((1, shared.n_items))
    _, _, defined = shared.kappas(once)
    pairs = int(defined.sum())
    if not pairs:
        nothing = MeanKappa(None, reason=NO_PAIR, pairs_left_out=every)
        return nothing, nothing
    shared = shared.among(defined[0])
    means = [float(mean[0]) for mean in shared.means(once)]
    intervals = [Interval(None, None, 0)] * 2
    if resamples:
        unit, units = (np.arange(shared.n_items), shared.n_items)
        if clusters is not None:
            unit, units = labelled_clusters(labels, clusters)
        intervals = percentile_intervals(
            lambda weights: np.stack(shared.means(np.take(weights, unit, axis=1))),
            np.ones(units, dtype=np.int64),
            resamples=resamples,
            seed=seed,
            width=1 + (shared.n_items + len(shared.item)) // units,
            around=means,
        )
    first, second = (
        MeanKappa(
            mean,
            _bounded(low),
            _bounded(high),
            undefined_resamples=undefined,
            pairs=pairs,
            pairs_left_out=every - pairs,
        )
        for mean, (low, high, undefined) in zip(means, intervals, strict=True)
    )
    return first, second


def _bounded(end: float | None) -> float | None:
    return None if end is None else min(1.0, max(-1.0, end))


@dataclass(frozen=True, eq=False)
class _Shared:
    """All pairs of labels that two annotators gave to the same item, grouped into cells by annotator pair and label.

    `item` (M,) is in the order of the cells, and `start` (C,) is the position in `item` at which each cell begins.
    `pair`, `left` and `right` (C,) identify the cells and define their order.
    """

    item: Ints
    start: Ints
    pair: Ints
    left: Ints
    right: Ints
    n_items: int
    n_labels: int

    @cached_property
    def pair_start(self) -> Ints:
        return np.flatnonzero(np.diff(self.pair, prepend=-1))

    @cached_property
    def margins(self) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
        """Return the index arrays for summing the cells by first label, by second label, and by both labels.

        Only labels that both annotators use add to chance agreement, so a table of all pairs and labels is not needed.
        """
        first, first_start = np.unique(self.pair * self.n_labels + self.left, return_index=True)
        second_key = self.pair * self.n_labels + self.right
        order = np.argsort(second_key, kind="stable")
        second, second_start = np.unique(second_key[order], return_index=True)
        both, in_first, in_second = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        return first_start, order, second_start, in_first, in_second, both // self.n_labels

    def means(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return both means of κ (B,) for the items' `weights` (B, n_items), or NaN if κ is undefined for all pairs."""
        n, kappa, defined = self.kappas(weights)
        plain = ratio(kappa.sum(axis=1), defined.sum(axis=1).astype(np.float64))
        return plain, ratio((n * kappa).sum(axis=1), (n * defined).sum(axis=1))

    def kappas(self, weights: Floats) -> tuple[Floats, Floats, Bools]:
        """Return the number of shared items, κ (0 if undefined) and whether κ is defined, as three arrays
        (B, pairs).
        """
        if not len(self.item):
            nothing = np.zeros((len(weights), 0))
            return nothing, nothing, nothing > 0
        cells = np.add.reduceat(np.take(weights, self.item, axis=1), self.start, axis=1)
        n = np.add.reduceat(cells, self.pair_start, axis=1)
        alike = np.add.reduceat(cells * (self.left == self.right), self.pair_start, axis=1)
        chance = self._chance(cells, n.shape)
        defined = (n > 1) & (n * n > chance)
        kappa = np.zeros(n.shape)
        np.divide(n * alike - chance, n * n - chance, out=kappa, where=defined)
        return n, kappa, defined

    def among(self, pairs: Bools) -> _Shared:
        """Return only the labels of the selected annotator pairs. `pairs` is a boolean mask with the shape (pairs,)."""
        cells = pairs[self.pair]
        sizes = np.diff(self.start, append=len(self.item))
        return replace(
            self,
            item=self.item[np.repeat(cells, sizes)],
            start=(np.cumsum(sizes[cells]) - sizes[cells]),
            pair=(np.cumsum(pairs) - 1)[self.pair[cells]],
            left=self.left[cells],
            right=self.right[cells],
        )

    def _chance(self, cells: Floats, shape: tuple[int, ...]) -> Floats:
        """Return an array (B, pairs) with the products of the two annotators' label counts, summed over the labels."""
        first_start, order, second_start, in_first, in_second, pair = self.margins
        first = np.add.reduceat(cells, first_start, axis=1)[:, in_first]
        second = np.add.reduceat(cells[:, order], second_start, axis=1)[:, in_second]
        chance = np.zeros(shape)
        if len(pair):
            starts = np.flatnonzero(np.diff(pair, prepend=-1))
            chance[:, pair[starts]] = np.add.reduceat(first * second, starts, axis=1)
        return chance


def _shared_labels(labels: Labels) -> _Shared:
    order = np.lexsort((labels.annotator, labels.item))
    _, item = np.unique(labels.item[order], return_inverse=True)
    annotator, label = labels.annotator[order], labels.label[order]
    firsts, seconds = [], []
    # Rows for the same item are adjacent, so two rows at any distance form a pair if they belong to the same item.
    for distance in range(1, int(labels.counts.sum(axis=1).max(initial=0))):
        first = np.flatnonzero(item[distance:] == item[:-distance])
        firsts.append(first)
        seconds.append(first + distance)
    one = np.concatenate(firsts) if firsts else np.zeros(0, dtype=np.int64)
    other = np.concatenate(seconds) if seconds else one
    _, pair = np.unique(annotator[one] * labels.n_annotators + annotator[other], return_inverse=True)
    q = labels.n_labels
    key = (pair * q + label[one]) * q + label[other]
    by_cell = np.argsort(key, kind="stable")
    cells, start = np.unique(key[by_cell], return_index=True)
    return _Shared(
        item=item[one][by_cell],
        start=start,
        pair=cells // (q * q),
        left=cells // q % q,
        right=cells % q,
        n_items=int(item[-1]) + 1 if len(item) else 0,
        n_labels=q,
    )
