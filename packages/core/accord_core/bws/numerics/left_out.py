"""Each item's totals without single tuples, annotators or judgements, for the intervals of the reliability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from accord_core.bws.numerics.halves import correlate
from accord_core.bws.numerics.scoring import Bools, Floats, Ints, Judgements, first_in_row
from accord_core.numerics.jackknife import Removals


class Totals(NamedTuple):
    """Each item's number of best choices minus its number of worst choices, and its number of appearances. Both arrays
    have the shape (n_items, columns), unless a function states another shape.
    """

    net: Ints
    shown: Ints

    def without(self, other: Totals) -> Totals:
        return Totals(self.net - other.net, self.shown - other.shown)

    def score(self) -> Floats:
        """Return the counting-based scores, with NaN for items without appearances."""
        scores = np.full(self.net.shape, np.nan)
        np.divide(self.net, self.shown, out=scores, where=self.shown > 0)
        return scores


def totals_by_group(judgements: Judgements, rows: Bools, group: Ints, groups: int) -> Totals:
    """Return the totals (groups, n_items) of the chosen `rows` (M,) for each group of rows. `group` (M,) contains each
    row's group number.
    """
    start, cells = group[rows] * judgements.n_items, (groups, judgements.n_items)

    def counts(places: Ints) -> Ints:
        return np.bincount(places, minlength=groups * judgements.n_items).reshape(cells).astype(np.int32)

    items = judgements.items[rows]
    shown = np.ones(items.shape, dtype=np.bool_) if judgements.repeats == "cells" else first_in_row(items)
    net = counts(start + judgements.best[rows]) - counts(start + judgements.worst[rows])
    return Totals(net, counts((start[:, None] + items)[shown]))


CorrelationsOf = Callable[[Bools], list[Floats]]
"""A function from a half (M,) to the Spearman and Pearson correlations of both halves without each group of units, for
each kind of unit (columns, 2). The columns are the same as in `Removals.totals`.
"""


def counting_without(judgements: Judgements, groups: Sequence[Ints], removals: Sequence[Removals]) -> CorrelationsOf:
    """Return the correlations of counting-based scores after leaving out groups. For each kind of unit, `groups`
    contains each row's group (M,).
    """
    judged = np.unique(judgements.items)
    kinds = [LeftOut(judgements, group, removal, judged) for group, removal in zip(groups, removals, strict=True)]

    def correlations(half: Bools) -> list[Floats]:
        figures = []
        for kind in kinds:
            blocks = []
            for whole, one in kind.blocks(half):
                other = whole.without(one)
                blocks.append(np.stack(correlate(one.net, one.shown, other.net, other.shown)[:2], axis=1))
            figures.append(np.concatenate(blocks))
        return figures

    return correlations


class LeftOut:
    """The totals of the chosen `items`: of all judgements, and of half of them. The first column contains all
    judgements, and each of the other columns leaves out one or two groups of rows, as `Removals` lists them.
    """

    def __init__(self, judgements: Judgements, group: Ints, removals: Removals, items: Ints) -> None:
        self.judgements, self.group, self.removals, self.items = judgements, group, removals, items
        self._whole = self._by_group(np.ones(len(judgements), dtype=np.bool_))

    def blocks(self, half: Bools) -> Iterator[tuple[Totals, Totals]]:
        """Return blocks of columns with the totals of all rows and of the rows in `half` (M,)."""
        some = self._by_group(half)
        for net, shown, some_net, some_shown in self.removals.blocks(*self._whole, *some):
            yield Totals(net, shown), Totals(some_net, some_shown)

    def _by_group(self, rows: Bools) -> Totals:
        net, shown = totals_by_group(self.judgements, rows, self.group, self.removals.groups)
        return Totals(net[:, self.items], shown[:, self.items])
