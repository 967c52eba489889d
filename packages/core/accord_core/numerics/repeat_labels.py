"""Simulated repeats of a study with labels, drawn from a model that is fitted to the study's own labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord_core.numerics.draws import choices_by_row, new_annotators
from accord_core.numerics.labels import Floats, Labels, normalised

PRIOR_LABELS = 10.0
"""The weight of the pooled error rates in one annotator's estimate, as a number of labels per true label."""
TYPICAL, RIGHT = 4.0, 0.8
"""The pooled error rates start with this number of labels per true label, of which this share is right."""
TOLERANCE = 1e-4
MOST_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class RepeatModel:
    """The probability of each true label (n_items, q), and each annotator's error rates (A, q, q) by true label and
    chosen label.
    """

    posterior: Floats
    confusion: Floats


def several_labels(labels: Labels) -> bool:
    """Return whether any item has two labels. Otherwise, the model cannot be fitted."""
    return bool(len(labels)) and int(labels.counts.sum(axis=1).max()) > 1


def fit_repeats(labels: Labels) -> RepeatModel:
    """Fit the model of Dawid and Skene (1979) by expectation maximisation. The error rates of an annotator are shrunk
    towards those of all annotators, because with few labels per annotator the plain estimates are too certain.
    """
    q, annotators = labels.n_labels, labels.n_annotators
    wrong = TYPICAL * (1 - RIGHT) / max(1, q - 1)
    typical = np.full((q, q), wrong) + (TYPICAL * RIGHT - wrong) * np.eye(q)
    counts = labels.counts
    labelled = counts.sum(axis=1) > 0
    posterior = (counts + 1 / q) / (counts.sum(axis=1, keepdims=True) + 1)
    chosen = labels.annotator * q + labels.label
    for _ in range(MOST_ROUNDS):
        by_truth = [np.bincount(chosen, column[labels.item], annotators * q) for column in posterior.T]
        expected = np.stack(by_truth).reshape(q, annotators, q).transpose(1, 0, 2)
        pooled = expected.sum(axis=0) + typical
        own = expected + PRIOR_LABELS * pooled / pooled.sum(axis=1, keepdims=True)
        confusion = own / own.sum(axis=2, keepdims=True)
        shares = posterior[labelled].sum(axis=0) + 1 / q
        evidence = np.log(confusion)[labels.annotator, :, labels.label]
        votes = np.stack([np.bincount(labels.item, column, labels.n_items) for column in evidence.T], axis=1)
        before, posterior = posterior, normalised(np.log(shares / shares.sum()) + votes)
        if np.abs(posterior - before).max(initial=0.0) <= TOLERANCE:
            break
    return RepeatModel(posterior, confusion[np.bincount(labels.annotator, minlength=annotators) > 0])


def draw_repeat(model: RepeatModel, labels: Labels, generator: np.random.Generator) -> Labels:
    """Return labels of the same items by as many new annotators, whose error rates are drawn from those of the study's
    annotators.
    """
    truth = choices_by_row(model.posterior, generator)
    rates = new_annotators(len(model.confusion), labels.n_annotators, generator)
    return replace(
        labels, label=choices_by_row(model.confusion[rates[labels.annotator], truth[labels.item]], generator)
    )
