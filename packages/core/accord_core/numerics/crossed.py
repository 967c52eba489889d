"""Confidence intervals for agreement that generalise to other annotators, or to both other questions and other
annotators.

An annotator who is drawn twice would agree perfectly with the copy. Annotators are therefore not resampled: the
variances come from the jackknife, which leaves out annotators, questions or labels in turn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accord_core.numerics.bootstrap import Interval
from accord_core.numerics.jackknife import Part, crossed_errors, fisher_interval, jackknife_part, unit_groups
from accord_core.numerics.labels import Bools, Floats, Ints, Labels

FEWEST_ANNOTATORS = 3

Figures = Callable[[Labels], Floats]
"""A function that maps labels to an array of F figures, with the shape (F,). Undefined figures are NaN."""


def jackknife_intervals(
    figures: Figures, labels: Labels, clusters: Ints | None = None, *, seed: int = 1
) -> list[Interval]:
    """Return 95% intervals that generalise F figures to other annotators, calculated as value ± t·SE on the scale of
    Fisher's z.

    Without `clusters`, the questions stay the same, and the variance V_a comes from leaving out each annotator. With
    `clusters` (n_items,), the number of each item's question, the intervals generalise to other questions and other
    annotators. Their variance is V_q + V_a − V_qa, with V_q from leaving out questions, and V_qa from leaving out
    single labels (two-way clustering: Cameron, Gelbach and Miller 2011). If there are more than 100 units of a kind,
    they are left out in 100 random groups. The number of degrees of freedom of t is the smaller number of units or
    groups minus 1 (Cameron and Miller 2015). With fewer than three annotators, or fewer than two questions, there are
    no intervals.
    """
    values = figures(labels)
    nothing = [Interval(None, None, 0)] * len(values)
    if len(np.unique(labels.annotator)) < FEWEST_ANNOTATORS:
        return nothing
    if clusters is not None and len(np.unique(clusters[labels.item])) < 2:
        return nothing
    generator = np.random.default_rng([seed, 0xC0])
    added = [annotators_part(figures, labels, generator)]
    removed = []
    if clusters is not None:
        added.append(_part(figures, labels, clusters[labels.item], generator))
        removed.append(_part(figures, labels, np.arange(len(labels)), generator))
    errors = crossed_errors(added, removed)
    # A few annotators do not show how skewed a coefficient's error is, so the intervals are symmetric.
    half = errors.t * np.sqrt(errors.variance)
    undefined = np.sum([part.undefined for part in added + removed], axis=0)
    return [
        fisher_interval(value, width, width, times) for value, width, times in zip(values, half, undefined, strict=True)
    ]


def annotators_part(figures: Figures, labels: Labels, generator: np.random.Generator) -> Part:
    """Return the variances of F figures from leaving out each annotator, or each of 100 groups of annotators."""
    return _part(figures, labels, labels.annotator, generator)


def only(labels: Labels, chosen: Bools) -> Labels:
    """Return the chosen labels (L,). Items, annotators and names of labels keep their numbers."""
    return Labels(
        labels.item[chosen],
        labels.annotator[chosen],
        labels.label[chosen],
        labels.n_items,
        labels.n_annotators,
        labels.n_labels,
    )


def _part(figures: Figures, labels: Labels, unit: Ints, generator: np.random.Generator) -> Part:
    """Leave out each unit, or each group of units, in turn. `unit` (L,) contains each label's unit."""
    group, groups = unit_groups(unit, generator)
    return jackknife_part(np.stack([figures(only(labels, group != left_out)) for left_out in range(groups)]))
