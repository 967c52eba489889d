"""Scores of predicted labels or probabilities on items that several annotators have labelled.

Functions that score items return four pairs of counts for each item, with the shape (n, 8). Each pair consists of the
number of items on which a measure is defined (0 or 1) and the value of the measure. The measures are the accuracy, the
error-aware accuracy, the cross-entropy and the Jensen–Shannon divergence. `evaluation.measures` resamples the counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotate.numerics.bootstrap import ratio
from annotate.numerics.labels import EQUAL, Aggregate, Labels
from annotate.numerics.soft_labels import ADDED, posteriors_without_each_vote, vote_shares

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HARD, ERROR_AWARE, ENTROPY, DIVERGENCE = MEASURES = range(4)
FLOOR = 1e-6
"""The lowest probability in the cross-entropy, which is infinite if a label with votes has the probability 0."""


@dataclass(frozen=True, eq=False)
class Collected:
    """The collected labels of n items: `votes` (n, q), each row with at least one vote, and `posterior` (n, q), if a
    model was fitted. `labels` and `estimates` contain the single votes and the fitted model, if they are known.
    """

    votes: Ints
    posterior: Floats | None = None
    labels: Labels | None = None
    estimates: Aggregate | None = None


def part_of(collected: Collected, kept: Ints) -> Collected:
    """Return the collected labels of the items with the numbers `kept` (k,), in this order."""
    votes = collected.votes[kept]
    posterior = None if collected.posterior is None else collected.posterior[kept]
    labels, estimates = collected.labels, collected.estimates
    if labels is None or estimates is None:
        return Collected(votes, posterior)
    place = np.full(labels.n_items, -1)
    place[kept] = np.arange(len(kept))
    rows = place[labels.item] >= 0
    of_kept = Labels(
        place[labels.item[rows]],
        labels.annotator[rows],
        labels.label[rows],
        len(kept),
        labels.n_annotators,
        labels.n_labels,
    )
    return Collected(votes, posterior, of_kept, replace(estimates, posterior=posterior))


def system_counts(collected: Collected, predicted: Floats, *, probabilities: bool) -> Floats:
    """Return the counts (n, 8) of a system. Each row of `predicted` (n, q) sums to 1.

    The system's label is the label with the highest probability. If several labels have the highest probability, each
    of them counts for the same fraction of the item. `probabilities` is false if the system gives only labels.
    """
    counts = _counts(collected.votes, predicted)
    if collected.posterior is not None:
        _set(counts, ERROR_AWARE, (collected.posterior * _chosen(predicted)).sum(axis=1))
    if probabilities:
        _set(counts, ENTROPY, cross_entropy(vote_shares(collected.votes), predicted))
    return counts


def held_out_counts(collected: Collected) -> Floats:
    """Return the counts (n, 8) of the annotators, who are scored like systems on the votes of the other annotators.

    Each vote is the prediction of a label. The majority, the shares and the posterior of its item come from the other
    votes. In the cross-entropy, the other votes predict the vote, with half a vote added to each label, because a
    single vote has no probabilities. Each item counts once, as the mean over its votes. Items with one vote are
    excluded.
    """
    votes, total = collected.votes, collected.votes.sum(axis=1)
    counts = np.zeros((len(votes), 2 * len(MEASURES)))
    for label, one_hot in enumerate(np.eye(votes.shape[1], dtype=np.int64)):
        here = (votes[:, label] > 0) & (total > 1)
        others = votes[here] - one_hot
        counts_of_vote = _counts(others, np.broadcast_to(one_hot.astype(np.float64), others.shape))
        _set(counts_of_vote, ENTROPY, -np.log(vote_shares(others, added=ADDED)[:, label]))
        counts[here] += counts_of_vote * (votes[here, label] / total[here])[:, None]
    if collected.labels is not None and collected.estimates is not None:
        _add_posteriors(counts, collected.labels, collected.estimates)
    return counts


def frequencies(collected: Collected) -> Floats:
    """Return the mean share of each label over all items, repeated for each item (n, q)."""
    shares = vote_shares(collected.votes)
    return np.tile(shares.mean(axis=0), (len(shares), 1))


def estimate(sums: Floats) -> Floats:
    """Return the four measures as an array (4, B), calculated from B sums of counts (B, 8)."""
    return np.stack([ratio(sums[:, place + 1], sums[:, place]) for place in range(0, sums.shape[1], 2)])


def cross_entropy(shares: Floats, predicted: Floats) -> Floats:
    """Return the cross-entropy −Σ p ln q (n,) of each item in nats. Probabilities below `FLOOR` count as `FLOOR`."""
    entropy: Floats = -(shares * np.log(np.maximum(predicted, FLOOR))).sum(axis=1)
    return entropy


def jensen_shannon(one: Floats, other: Floats) -> Floats:
    """Return the Jensen–Shannon divergence (n,) of each item with logarithms to base 2, between 0 and 1 (Lin 1991)."""
    middle = (one + other) / 2
    divergence: Floats = (_relative_entropy(one, middle) + _relative_entropy(other, middle)) / 2
    return np.maximum(divergence, 0.0)  # Rounding can make the divergence of equal distributions negative.


def _counts(votes: Ints, predicted: Floats) -> Floats:
    counts = np.zeros((len(votes), 2 * len(MEASURES)))
    majority = 2 * votes > votes.sum(axis=1, keepdims=True)
    has_majority = majority.any(axis=1)
    counts[:, 2 * HARD] = has_majority
    counts[:, 2 * HARD + 1] = (majority * _chosen(predicted)).sum(axis=1)
    _set(counts, DIVERGENCE, jensen_shannon(vote_shares(votes), predicted))
    return counts


def _set(counts: Floats, measure: int, values: Floats) -> None:
    counts[:, 2 * measure], counts[:, 2 * measure + 1] = 1, values


def _add_posteriors(counts: Floats, labels: Labels, estimates: Aggregate) -> None:
    """Add the expected accuracy of each vote under the posterior from the other votes, averaged over each item."""
    without = posteriors_without_each_vote(labels, estimates)
    total = labels.counts.sum(axis=1)[labels.item]
    compared = total > 1
    item, weight = labels.item[compared], 1 / total[compared]
    right = without[np.flatnonzero(compared), labels.label[compared]]
    counts[:, 2 * ERROR_AWARE] = np.bincount(item, weights=weight, minlength=len(counts))
    counts[:, 2 * ERROR_AWARE + 1] = np.bincount(item, weights=weight * right, minlength=len(counts))


def _chosen(predicted: Floats) -> Floats:
    """Return the share (n, q) of each item that counts for each label: 1 for the label with the highest probability, or
    equal shares for tied labels.
    """
    highest = predicted >= predicted.max(axis=1, keepdims=True) - EQUAL
    shares: Floats = highest / highest.sum(axis=1, keepdims=True)
    return shares


def _relative_entropy(one: Floats, other: Floats) -> Floats:
    quotient = np.divide(one, other, out=np.ones_like(one), where=one > 0)
    entropy: Floats = (one * np.log2(quotient)).sum(axis=1)
    return entropy
