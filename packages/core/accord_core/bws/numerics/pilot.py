"""Statistics of a pilot study, which show how clearly the items differ and how careful the annotators are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.bws.numerics.scoring import Floats, Ints, Judgements, drop_inconsistent, tuple_index

FEWEST_PAIRS = 3  # An annotator's mean agreement counts only with at least this number of pairs.
# Each annotator gets this number of additional pairs without agreement, because the means of few pairs are extreme.
NEUTRAL_PAIRS = 5


@dataclass(frozen=True, eq=False)
class Pilot:
    """The M consistent judgements of a pilot. A cell is an item in a tuple.

    `cell` (M, k) contains the cell of each item of a judgement. `item` and `of_tuple` (C,) contain the item and the
    tuple of each cell, and `per_tuple` (T,) the number of judgements of each tuple.
    """

    judgements: Judgements
    tuples: Ints
    cell: Ints
    item: Ints
    per_tuple: Ints

    @staticmethod
    def of(judgements: Judgements) -> Pilot:
        """Return the pilot of these judgements. Raises ValueError if no two judgements have an item in common."""
        consistent, _ = drop_inconsistent(judgements)
        if not len(consistent):
            raise ValueError("The pilot has no judgements whose best and worst items differ.")
        tuples = tuple_index(consistent)
        n = consistent.n_items
        keys, cell = np.unique(tuples[:, None] * n + consistent.items, return_inverse=True)
        pilot = Pilot(consistent, tuples, cell.reshape(consistent.items.shape), keys % n, np.bincount(tuples))
        if np.bincount(consistent.items.ravel()).max() < 2:
            raise ValueError(
                "The pilot does not show how reliable the judgements are, because no two of them have an item in "
                "common. Use a pilot with several judgements per tuple."
            )
        return pilot

    @property
    def statistics(self) -> Floats:
        return self.statistics_of(self.judgements.best, self.judgements.worst)

    def statistics_of(self, best: Ints, worst: Ints) -> Floats:
        """Return five statistics of the choices `best` and `worst` (M,). A statistic without data is NaN.

        The agreement of two judgements of the same tuple is 1 for equal choices and −1 for opposite choices, and about
        0 for random choices. The statistics are the mean agreement, the share of identical judgements, the agreement on
        items across different tuples, and the standard deviation and the minimum of the annotators' mean agreement with
        other judgements.
        """
        best_cell, worst_cell = (self._cell_of(chosen) for chosen in (best, worst))
        cells = len(self.item)
        net = np.bincount(best_cell, minlength=cells) - np.bincount(worst_cell, minlength=cells)
        squares = int((net**2).sum())
        pairs = int((self.per_tuple * (self.per_tuple - 1)).sum()) // 2
        _, equal = np.unique(best_cell * cells + worst_cell, return_counts=True)
        by_item = np.bincount(self.item, net)
        appearances = np.bincount(self.item, self._times)
        across = (appearances**2).sum() - (self._times**2).sum()
        with_others = (net[best_cell] - net[worst_cell] - 2) / 2
        return np.array(
            [
                _ratio((squares - 2 * len(best)) / 4, pairs),
                _ratio((equal * (equal - 1)).sum() / 2, pairs),
                _ratio((by_item**2).sum() - squares, across),
                *self._annotator_spread(with_others),
            ]
        )

    @property
    def _times(self) -> Ints:
        """The number of judgements of each cell (C,)."""
        return np.bincount(self.cell.ravel(), minlength=len(self.item))

    def _cell_of(self, chosen: Ints) -> Ints:
        place = (self.judgements.items == chosen[:, None]).argmax(axis=1)
        cells: Ints = self.cell[np.arange(len(chosen)), place]
        return cells

    def _annotator_spread(self, with_others: Floats) -> tuple[float, float]:
        """Return the standard deviation and the minimum of the annotators' mean agreement. `with_others` (M,) sums each
        judgement's agreement with all others of its tuple.
        """
        annotator = self.judgements.annotator
        if annotator is None:
            return np.nan, np.nan
        pairs = np.bincount(annotator, self.per_tuple[self.tuples] - 1)
        means = (np.bincount(annotator, with_others) / (pairs + NEUTRAL_PAIRS))[pairs >= FEWEST_PAIRS]
        return (float(means.std()), float(means.min())) if len(means) > 1 else (np.nan, np.nan)


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator else np.nan
