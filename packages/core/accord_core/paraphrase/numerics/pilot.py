"""Statistics of a pilot with labels, which show how accurate and how careful the annotators are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord_core.numerics.agreement import krippendorff_alpha
from accord_core.numerics.labels import Floats, Ints, Labels

FEWEST_PAIRS = 3  # An annotator's mean agreement counts only with at least this number of pairs.


@dataclass(frozen=True, eq=False)
class Pilot:
    """The labels of a pilot. Label 0 is the most frequent label."""

    labels: Labels

    @staticmethod
    def of(labels: Labels) -> Pilot:
        """Return the pilot of these labels. Raises ValueError if no item has two labels."""
        if not len(labels) or labels.counts.sum(axis=1).max() < 2:
            raise ValueError(
                "The pilot does not show how reliable the labels are, because no item has two labels. Use a pilot with "
                "several labels per item."
            )
        order = np.argsort(-labels.counts.sum(axis=0), kind="stable")
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        return Pilot(replace(labels, label=number[labels.label]))

    @property
    def statistics(self) -> Floats:
        return self.statistics_of(self.labels.label)

    def statistics_of(self, label: Ints) -> Floats:
        """Return six statistics of the labels (L,): Krippendorff's α, the share of equal pairs of labels, the share of
        items with at least three equal labels and no other label, the share of label 0, and the standard deviation and
        the minimum of the annotators' mean agreement with others. A statistic without data is NaN.
        """
        labels = replace(self.labels, label=label)
        counts = labels.counts
        totals = counts.sum(axis=1)
        equal, pairs = (counts * (counts - 1)).sum(), (totals * (totals - 1)).sum()
        several = totals > 2
        unanimous = counts.max(axis=1)[several] == totals[several]
        alpha = krippendorff_alpha(labels).value
        return np.array(
            [
                np.nan if alpha is None else alpha,
                equal / pairs,
                unanimous.mean() if several.any() else np.nan,
                (label == 0).mean(),
                *self._annotator_spread(labels, counts, totals),
            ]
        )

    def _annotator_spread(self, labels: Labels, counts: Ints, totals: Ints) -> tuple[float, float]:
        others = totals[labels.item] - 1
        agreeing = counts[labels.item, labels.label] - 1
        pairs = np.bincount(labels.annotator, others)
        sums = np.bincount(labels.annotator, agreeing)
        mean = sums.sum() / pairs.sum()
        # The overall mean is added once for each annotator, because means of few pairs are extreme by chance.
        means = ((sums + mean * FEWEST_PAIRS) / (pairs + FEWEST_PAIRS))[pairs >= FEWEST_PAIRS]
        return (float(means.std()), float(means.min())) if len(means) > 1 else (np.nan, np.nan)
