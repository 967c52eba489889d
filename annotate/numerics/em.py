"""Labels of items and skill of annotators estimated together, by expectation and maximisation: one-coin, Dawid–Skene.

Both begin with an item's labels as they were given (the share of each among its votes) and alternate: from the
probabilities of the labels, how reliable each annotator is and how common each label; from these, the probabilities.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotate.numerics.labels import (
    UNDECIDED,
    Aggregate,
    Floats,
    Ints,
    Labels,
    aggregate,
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
    labels: Labels, *, tie_label: int = UNDECIDED, tolerance: float = TOLERANCE, most_rounds: int = MOST_ROUNDS
) -> Aggregate:
    """Labels from annotators who are right with one probability each, and err evenly over the other labels.

    With c the expected number of an annotator's n labels that are right, the accuracy is (c + 2)/(n + 3); how common
    each label is, is the mean of its posteriors. It ends when no posterior changes by more than `tolerance`, or after
    `most_rounds`, which `warnings` then say. Items with equal posteriors get `tie_label`. Source: Zhang and others
    (2016, JMLR 17(102)) for the model; the estimate is that under a Beta(3, 2) prior.
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

    posterior, rounds, warnings = _alternate(labels, learn, tolerance, most_rounds)
    chosen = likeliest(posterior, tie_label)
    return aggregate(labels, chosen, posterior=posterior, accuracy=accuracy, rounds=rounds, warnings=warnings)


def dawid_skene(
    labels: Labels, *, tie_label: int = UNDECIDED, tolerance: float = TOLERANCE, most_rounds: int = MOST_ROUNDS
) -> Aggregate:
    """Labels from annotators who each confuse labels in a way of their own.

    `confusion[a, t, l]` is the probability that annotator a says l where t is true: expected counts, smoothed by adding
    0.01 to each. `accuracy` is its diagonal, weighted by how common the labels are. Ends and ties as for `one_coin`.
    `warnings` tell when half of the annotators have under 50 labels: there are q(q − 1) rates to estimate for each.
    Source: Dawid and Skene (1979).
    """
    q, annotators = labels.n_labels, labels.n_annotators
    said = labels.annotator * q + labels.label
    confusion: Floats = np.zeros((q, annotators, q))

    def learn(posterior: Floats) -> Floats:
        nonlocal confusion
        by_label = np.ascontiguousarray(posterior.T)
        counts = [np.bincount(said, weights=true[labels.item], minlength=annotators * q) for true in by_label]
        smoothed = np.stack(counts).reshape(q, annotators, q) + SMOOTHING
        confusion = smoothed / smoothed.sum(axis=2, keepdims=True)
        evidence = np.log(confusion).reshape(q, annotators * q)
        columns = [np.bincount(labels.item, weights=true[said], minlength=labels.n_items) for true in evidence]
        return np.stack(columns, axis=1)

    posterior, rounds, warnings = _alternate(labels, learn, tolerance, most_rounds)
    confusion = confusion.transpose(1, 0, 2)
    return aggregate(
        labels,
        likeliest(posterior, tie_label),
        posterior=posterior,
        accuracy=np.diagonal(confusion, axis1=1, axis2=2) @ _shares(labels, posterior),
        confusion=confusion,
        rounds=rounds,
        warnings=(*_too_few(labels), *warnings),
    )


def _alternate(
    labels: Labels, learn: Callable[[Floats], Floats], tolerance: float, most_rounds: int
) -> tuple[Floats, int, tuple[str, ...]]:
    """Posteriors (n_items, n_labels), the number of rounds, and a warning unless they settled.

    `learn` estimates annotators from posteriors and returns the log likelihood of each item's votes under each label.
    """
    if most_rounds < 1:
        raise ValueError(f"The estimation needs a round at least, not {most_rounds}.")
    n = labels.counts.sum(axis=1, keepdims=True)
    posterior = np.where(n > 0, labels.counts / np.maximum(n, 1), 1 / labels.n_labels)
    for number in range(1, most_rounds + 1):
        # A label that nobody gives has share 0, and would have the logarithm of that.
        prior = np.log(np.maximum(_shares(labels, posterior), np.finfo(np.float64).tiny))
        before, posterior = posterior, normalised(prior + learn(posterior))
        change = float(np.abs(posterior - before).max(initial=0.0))
        if change <= tolerance:
            return posterior, number, ()
    warning = f"the estimates still changed by {change:.1g} after {most_rounds} rounds; take them as provisional"
    return posterior, most_rounds, (warning,)


def _shares(labels: Labels, posterior: Floats) -> Floats:
    """(n_labels,) how common each label is among the items that were labelled."""
    labelled = labels.counts.sum(axis=1) > 0
    if not labelled.any():
        return np.full(labels.n_labels, 1 / labels.n_labels)
    shares: Floats = posterior[labelled].mean(axis=0)
    return shares


def _too_few(labels: Labels) -> tuple[str, ...]:
    given = np.bincount(labels.annotator, minlength=labels.n_annotators)
    given = given[given > 0]
    few: Ints = given[given < ENOUGH_LABELS]
    if 2 * len(few) <= len(given) or labels.n_labels < 2:
        return ()
    who = f"{len(few):,} of {len(given):,} annotators gave under {ENOUGH_LABELS} labels"
    return (f"{who}, too few to estimate how each of them confuses labels; one-coin asks for less",)
