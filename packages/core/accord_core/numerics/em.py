"""Expectation maximisation methods (one-coin and Dawid–Skene) that jointly estimate the labels and the annotators'
skill.

Both methods start with the share of each label among an item's votes. They alternate between two steps: estimating each
annotator's reliability and each label's frequency from the labels' probabilities, and the probabilities from these.

Both methods can take the answers to gold items as known. The probability of a known label is 1 in every round, so the
item shows how reliable its annotators are. Gold items are often chosen for their labels, so they do not count towards
the frequencies unless all labelled items are gold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.labels import (
    UNDECIDED,
    Aggregate,
    Bools,
    Floats,
    Ints,
    Labels,
    aggregate,
    known_labels,
    likeliest,
    log_odds,
    normalised,
    vote_weights,
)

TOLERANCE = 1e-6
MOST_ROUNDS = 100
SMOOTHING = 0.01
ENOUGH_LABELS = 50


def one_coin(
    labels: Labels,
    *,
    gold: ArrayLike | None = None,
    tie_label: int = UNDECIDED,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> Aggregate:
    """Estimate labels with one accuracy per annotator, assuming that errors are spread evenly over the other labels.

    An annotator with n labels, of which c are expected to be correct, has the accuracy (c + 2)/(n + 3). A label's
    frequency is the mean of its posteriors. The estimation ends when no posterior changes by more than `tolerance`, or
    with a warning after `most_rounds`. Items with equal posteriors get `tie_label`. `gold` (n_items,) contains the
    known label of each item, or −1. Raises ValueError for a gold label out of range. Source of the model: Zhang and
    others (2016, JMLR 17(102)), estimated with a Beta(3, 2) prior.
    """
    accuracy = np.zeros(labels.n_annotators)
    answers = np.bincount(labels.annotator, minlength=labels.n_annotators)

    def learn(posterior: Floats) -> Floats:
        nonlocal accuracy
        right = np.bincount(
            labels.annotator, weights=posterior[labels.item, labels.label], minlength=labels.n_annotators
        )
        accuracy = (right + 2) / (answers + 3)
        return vote_weights(labels, log_odds(accuracy, labels.n_labels))

    posterior, rounds, warnings = _alternate(labels, learn, gold, tolerance, most_rounds)
    chosen = likeliest(posterior, tie_label)
    return aggregate(labels, chosen, posterior=posterior, accuracy=accuracy, rounds=rounds, warnings=warnings)


def dawid_skene(
    labels: Labels,
    *,
    gold: ArrayLike | None = None,
    tie_label: int = UNDECIDED,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> Aggregate:
    """Estimate labels with one confusion matrix per annotator. The method is described by Dawid and Skene (1979).

    `confusion[a, t, l]` is the probability that annotator a chooses l if t is true. It is estimated from expected
    counts plus 0.01. `accuracy` is its diagonal, weighted by the frequency of the labels. Gold, the end of the
    estimation and ties are as in `one_coin`. There is a warning if more than half of the annotators have fewer than 50
    labels, because each annotator has q(q − 1) rates to estimate.
    """
    q, annotators = labels.n_labels, labels.n_annotators
    choices = labels.annotator * q + labels.label
    confusion: Floats = np.zeros((q, annotators, q))

    def learn(posterior: Floats) -> Floats:
        nonlocal confusion
        by_label = np.ascontiguousarray(posterior.T)
        counts = [np.bincount(choices, weights=true[labels.item], minlength=annotators * q) for true in by_label]
        smoothed = np.stack(counts).reshape(q, annotators, q) + SMOOTHING
        confusion = smoothed / smoothed.sum(axis=2, keepdims=True)
        evidence = np.log(confusion).reshape(q, annotators * q)
        columns = [np.bincount(labels.item, weights=true[choices], minlength=labels.n_items) for true in evidence]
        return np.stack(columns, axis=1)

    posterior, rounds, warnings = _alternate(labels, learn, gold, tolerance, most_rounds)
    confusion = confusion.transpose(1, 0, 2)
    return aggregate(
        labels,
        likeliest(posterior, tie_label),
        posterior=posterior,
        accuracy=np.diagonal(confusion, axis1=1, axis2=2) @ _shares(labels, posterior, gold),
        confusion=confusion,
        rounds=rounds,
        warnings=(*_too_few(labels), *warnings),
    )


def _alternate(
    labels: Labels, learn: Callable[[Floats], Floats], gold: ArrayLike | None, tolerance: float, most_rounds: int
) -> tuple[Floats, int, tuple[str, ...]]:
    """Return the posteriors (n_items, n_labels), the number of rounds, and a warning unless the estimates converged.

    `learn` estimates annotators from posteriors and returns the log likelihood of each item's votes under each label.
    """
    if most_rounds < 1:
        raise ValueError(f"The estimation needs at least one round, not {most_rounds}.")
    known = _known(labels, gold)
    fixed, truth = (known != UNDECIDED)[:, None], np.eye(labels.n_labels)[np.maximum(known, 0)]
    frequent = _counted(labels, known)
    n = labels.counts.sum(axis=1, keepdims=True)
    votes = np.where(n > 0, labels.counts / np.maximum(n, 1), 1 / labels.n_labels)
    posterior = np.where(fixed, truth, votes)
    for number in range(1, most_rounds + 1):
        # An unused label has a share of 0, whose logarithm is undefined.
        prior = np.log(np.maximum(_frequencies(posterior, frequent), np.finfo(np.float64).tiny))
        before, posterior = posterior, np.where(fixed, truth, normalised(prior + learn(posterior)))
        change = float(np.abs(posterior - before).max(initial=0.0))
        if change <= tolerance:
            return posterior, number, ()
    warning = f"the estimates still changed by {change:.1g} after {most_rounds} rounds, so they are provisional"
    return posterior, most_rounds, (warning,)


def _shares(labels: Labels, posterior: Floats, gold: ArrayLike | None) -> Floats:
    return _frequencies(posterior, _counted(labels, _known(labels, gold)))


def _known(labels: Labels, gold: ArrayLike | None) -> Ints:
    return np.full(labels.n_items, UNDECIDED) if gold is None else known_labels(labels, gold)


def _counted(labels: Labels, known: Ints) -> Bools:
    """Return a mask (n_items,) of the items that count towards the frequencies of the labels."""
    labelled: Bools = labels.counts.sum(axis=1) > 0
    unknown: Bools = labelled & (known == UNDECIDED)
    return unknown if unknown.any() else labelled


def _frequencies(posterior: Floats, counted: Bools) -> Floats:
    """Return each label's share (n_labels,) among the counted items, or equal shares if there are none."""
    if not counted.any():
        return np.full(posterior.shape[1], 1 / posterior.shape[1])
    shares: Floats = posterior[counted].mean(axis=0)
    return shares


def _too_few(labels: Labels) -> tuple[str, ...]:
    counts = np.bincount(labels.annotator, minlength=labels.n_annotators)
    counts = counts[counts > 0]
    few: Ints = counts[counts < ENOUGH_LABELS]
    if 2 * len(few) <= len(counts) or labels.n_labels < 2:
        return ()
    annotators = f"{len(few):,} of {len(counts):,} annotators have fewer than {ENOUGH_LABELS} labels"
    return (f"The confusion matrices are unreliable, because {annotators}. The one-coin model needs fewer labels",)
