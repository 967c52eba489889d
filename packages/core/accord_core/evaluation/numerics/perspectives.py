"""Scores of predictions of each annotator's own label, as in LeWiDi 2025, the shared task on learning with
disagreements (Leonardelli and others 2025).

Functions return two pairs of counts for each item, with the shape (n, 4): the number of items on which a measure is
defined (0 or 1) and its value. The measures are the error rate, which is the share of an item's annotators whose label
was not predicted, and the absolute distance between predicted and actual labels, divided by the number of points of the
scale. `accord_core.evaluation.measures` resamples the counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.labels import EQUAL, Floats, Ints, Labels


def perspective_counts(labels: Labels, predicted: Ints, positions: Sequence[float] | None, points: float) -> Floats:
    """Return a system's counts (n, 4). `predicted` (L,) contains a label for each of the L collected labels.

    `positions` (q,) contains the labels' places on a scale of `points` points, or None if labels are not numbers.
    """
    return _counts(labels, np.eye(labels.n_labels)[predicted], np.ones(len(labels), np.bool_), positions, points)


def majority_counts(labels: Labels, positions: Sequence[float] | None, points: float) -> Floats:
    """Return the counts (n, 4) for a system that predicts the most frequent label of the item's other annotators.

    Tied labels count as equally probable. Annotators without others are excluded.
    """
    others = labels.counts[labels.item] - np.eye(labels.n_labels, dtype=np.int64)[labels.label]
    most = others.max(axis=1, keepdims=True)
    leading = (others >= most - EQUAL).astype(np.float64)
    return _counts(labels, leading / leading.sum(axis=1, keepdims=True), most[:, 0] > 0, positions, points)


def estimate(sums: Floats) -> Floats:
    """Return both measures as an array (2, B), calculated from B sums of counts (B, 4)."""
    return np.stack([ratio(sums[:, place + 1], sums[:, place]) for place in (0, 2)])


def _counts(
    labels: Labels, predicted: Floats, here: NDArray[np.bool_], positions: Sequence[float] | None, points: float
) -> Floats:
    """Return the counts (n, 4). `predicted` (L, q) contains probabilities, and `here` (L,) the labels to score."""
    item, true = labels.item[here], labels.label[here]
    number = np.bincount(item, minlength=labels.n_items)
    missed = 1 - predicted[here, true]
    columns = [number > 0, _means(item, missed, number)]
    if positions is None:
        columns += [np.zeros(labels.n_items)] * 2
    else:
        place = np.asarray(positions)
        distance = (predicted[here] * np.abs(place - place[true][:, None])).sum(axis=1) / points
        columns += [number > 0, _means(item, distance, number)]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _means(item: Ints, values: Floats, number: Ints) -> Floats:
    sums: Floats = np.bincount(item, weights=values, minlength=len(number)).astype(np.float64)
    return sums / np.maximum(number, 1)
