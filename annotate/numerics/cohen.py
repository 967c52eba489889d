"""Cohen's κ of every two annotators on the items that both labelled, averaged over the pairs of annotators."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from annotate.numerics.bootstrap import Coefficient, Interval, percentile_intervals, ratio
from annotate.numerics.labels import Bools, Floats, Ints, Labels

NO_PAIR = "no two annotators have two items in common on which κ is defined"


@dataclass(frozen=True)
class MeanKappa(Coefficient):
    """A mean over `pairs` pairs of annotators; `pairs_left_out` have under two items in common, or an undefined κ."""

    pairs: int = 0
    pairs_left_out: int = 0


def cohen_kappa_means(labels: Labels, *, resamples: int = 0, seed: int = 1) -> tuple[MeanKappa, MeanKappa]:
    """The mean of Cohen's κ over pairs of annotators: each pair alike, and each by the items that the two share.

    Pairs with under two shared items are left out and counted, and so are those with κ undefined: both gave
    one and the same label throughout. Pairs are of annotators who gave a label. Source: Cohen (1960); Light (1971)
    for the mean.

    The interval is from `resamples` resamples of items, with the same pairs, in each as far as κ is defined. κ on a
    handful of items is biased, and more so on items drawn with replacement, of which fewer differ; with many annotators
    and few items for each pair the resamples would lie beside the value. So they are moved to have it as their mean,
    and still hold the mean over fresh collections somewhat less often than 95 % (`bench/labels.py`).
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
        intervals = percentile_intervals(
            lambda weights: np.stack(shared.means(weights)),
            np.ones(shared.n_items, dtype=np.int64),
            resamples=resamples,
            seed=seed,
            width=1 + len(shared.item) // shared.n_items,
            around=means,
        )
    first, second = (
        MeanKappa(mean, _bounded(low), _bounded(high), None, undefined, pairs, every - pairs)
        for mean, (low, high, undefined) in zip(means, intervals, strict=True)
    )
    return first, second


def _bounded(end: float | None) -> float | None:
    return None if end is None else min(1.0, max(-1.0, end))


@dataclass(frozen=True, eq=False)
class _Shared:
    """Every two labels of an item, gathered in cells: a pair of annotators, what the first said, what the second said.

    `item` (M,) are in the order of the cells, and `start` (C,) is where each cell begins among them; `pair`, `left` and
    `right` (C,) tell the cells apart, which are in this order.
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
        """How to sum cells to what the first of a pair said, and the second, and where both said a label at all.

        Only labels that both gave add to chance agreement, so no table of all pairs by all labels is needed.
        """
        first, first_start = np.unique(self.pair * self.n_labels + self.left, return_index=True)
        second_key = self.pair * self.n_labels + self.right
        order = np.argsort(second_key, kind="stable")
        second, second_start = np.unique(second_key[order], return_index=True)
        both, in_first, in_second = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        return first_start, order, second_start, in_first, in_second, both // self.n_labels

    def means(self, weights: Floats) -> tuple[Floats, Floats]:
        """(B,) both means, NaN where no pair is left, for `weights` (B, n_items) of the items."""
        n, kappa, defined = self.kappas(weights)
        plain = ratio(kappa.sum(axis=1), defined.sum(axis=1).astype(np.float64))
        return plain, ratio((n * kappa).sum(axis=1), (n * defined).sum(axis=1))

    def kappas(self, weights: Floats) -> tuple[Floats, Floats, Bools]:
        """(B, pairs) shared items, κ, and whether κ is defined; where it is not it is given as 0."""
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
        """The same of these pairs only, a mask (pairs,)."""
        kept = pairs[self.pair]
        sizes = np.diff(self.start, append=len(self.item))
        return replace(
            self,
            item=self.item[np.repeat(kept, sizes)],
            start=(np.cumsum(sizes[kept]) - sizes[kept]),
            pair=(np.cumsum(pairs) - 1)[self.pair[kept]],
            left=self.left[kept],
            right=self.right[kept],
        )

    def _chance(self, cells: Floats, shape: tuple[int, ...]) -> Floats:
        """(B, pairs) the sum over labels of how often the first gave it times how often the second did."""
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
    # Rows of an item stand together: at each distance, those that are still of the same item are a pair of labels.
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
