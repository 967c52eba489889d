"""Counts of labels and of a system's agreement with them, for program-assisted figures (`assisted_figures`)."""

from __future__ import annotations

import numpy as np

from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.labels import Floats


def agreement_counts(system: Floats, labels: Floats) -> Floats:
    """Return the share of each pair of labels (U, q·q), one from the system and one from the other side. Both arrays
    (U, q) contain label shares, which are 0 or 1 if there is a single label.
    """
    counts: Floats = (system[:, :, None] * labels[:, None, :]).reshape(len(labels), -1)
    return counts


def plain_means(means: Floats) -> Floats:
    """Return the means (K, B) themselves as figures, from means (B, K) of numbers."""
    return means.T


def shares(means: Floats) -> Floats:
    """Return the share of each label (q, B) from mean counts (B, q)."""
    return ratio(means, means.sum(axis=1, keepdims=True)).T


def agreement_figures(means: Floats) -> Floats:
    """Return the accuracy, Cohen's κ and the F1 of each label (2 + q, B) from means (B, q·q) of `agreement_counts`.

    κ is undefined if both sides contain the same label only, and F1 if neither side contains the label.
    """
    labels = round(means.shape[1] ** 0.5)
    table = ratio(means, means.sum(axis=1, keepdims=True)).reshape(-1, labels, labels)
    both = np.diagonal(table, axis1=1, axis2=2)
    system, people = (table.sum(axis=side, dtype=np.float64) for side in (2, 1))
    observed, expected = both.sum(axis=1), (system * people).sum(axis=1)
    kappa = ratio(observed - expected, 1 - expected)
    figures: Floats = np.concatenate([np.stack([observed, kappa]), ratio(2 * both, system + people).T])
    return figures


def rarer_shares(labels: Floats) -> Floats:
    """Return the smaller of the numbers of judged items with and without each label (q,)."""
    counts = labels.sum(axis=0)
    rarer: Floats = np.minimum(counts, counts.sum() - counts)
    return rarer


def rarer_agreement(counts: Floats) -> Floats:
    """Return the smaller of the numbers of correct and wrong answers for each figure of `agreement_figures`: among all
    judged items, or among those in which either side contains the label.
    """
    labels = round(counts.shape[1] ** 0.5)
    table = counts.sum(axis=0).reshape(labels, labels)
    right, of_either = np.diagonal(table), table.sum(axis=0) + table.sum(axis=1) - np.diagonal(table)
    overall = min(right.sum(), table.sum() - right.sum())
    return np.array([overall, overall, *np.minimum(right, of_either - right)])
