"""Each item's totals after leaving out single tuples, annotators or judgements. The reliability intervals need these
totals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from annotate.numerics.jackknife import Removals
from bws.numerics.halves import correlate
from bws.numerics.scoring import Bools, Floats, Ints, Judgements, first_in_row


class Totals(NamedTuple):
    """Each item's number of best choices minus its number of worst choices, and its number of appearances. Both arrays
    have the shape (n_items, columns).
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
    """Return the totals of the chosen `rows` (M,) for each group of rows. `group` (M,) contains each row's group
    number.
    """
    group, cells = group[rows], (judgements.n_items, groups)
    best, worst = (
        np.bincount(choice[rows] * groups + group, minlength=cells[0] * groups).reshape(cells)
        for choice in (judgements.best, judgements.worst)
    )
    items = judgements.items[rows]
    shown = np.ones(items.shape, dtype=np.bool_) if judgements.repeats == "cells" else first_in_row(items)
    places = (items * groups + group[:, None])[shown]
    return Totals(best - worst, np.bincount(places, minlength=cells[0] * groups).reshape(cells))


CorrelationsOf = Callable[[Bools], list[Floats]]
"""A function of a half (M,) that returns, for each kind of unit, the Spearman and Pearson correlations of both halves
after leaving out groups of units, as an array of shape (columns, 2). The columns are the same as in `Removals.totals`.
"""


def counting_without(judgements: Judgements, groups: Sequence[Ints], removals: Sequence[Removals]) -> CorrelationsOf:
    """Return the correlations of counting-based scores after leaving out groups. For each kind of unit, `groups`
    contains each row's group (M,).
    """
    kinds = [LeftOut(judgements, group, removal) for group, removal in zip(groups, removals, strict=True)]
    judged = kinds[0].whole.shown[:, 0] > 0

    def correlations(half: Bools) -> list[Floats]:
        figures = []
        for kind in kinds:
            one, other = kind.halves(half)
            spearman, pearson, _ = correlate(one.net[judged], one.shown[judged], other.net[judged], other.shown[judged])
            figures.append(np.stack([spearman, pearson], axis=1))
        return figures

    return correlations


class LeftOut:
    """The totals of both halves of a split, and of all judgements. The first column contains all judgements, and each
    of the other columns leaves out one or two groups of rows, as `Removals` lists them.
    """

    def __init__(self, judgements: Judgements, group: Ints, removals: Removals) -> None:
        self.judgements, self.group, self.removals = judgements, group, removals
        self.whole = self._without(np.ones(len(judgements), dtype=np.bool_))

    def halves(self, half: Bools) -> tuple[Totals, Totals]:
        """Return the totals of the rows in `half` (M,), and of the other rows."""
        one = self._without(half)
        return one, self.whole.without(one)

    def _without(self, rows: Bools) -> Totals:
        by_group = totals_by_group(self.judgements, rows, self.group, self.removals.groups)
        net, shown = (self.removals.totals(total) for total in by_group)
        return Totals(net, shown)
