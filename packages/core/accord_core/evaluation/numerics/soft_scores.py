"""Scores of predicted labels or probabilities for items that several annotators have labelled.

Functions that score items return six pairs of counts for each item, with the shape (n, 12). Each pair consists of the
number of items on which a measure is defined (0 or 1) and the value of the measure. The measures are the accuracy, the
error-aware accuracy, the cross-entropy, the Jensen–Shannon divergence, and two distances: Manhattan and Wasserstein.
`accord_core.evaluation.measures` resamples the counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.em_influence import influences, slopes
from accord_core.numerics.labels import EQUAL, Aggregate, Labels
from accord_core.numerics.soft_labels import ADDED, posteriors_without_each_vote, vote_shares

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HARD, ERROR_AWARE, ENTROPY, DIVERGENCE, MANHATTAN, WASSERSTEIN = MEASURES = range(6)
FLOOR = 1e-6
"""The cross-entropy replaces lower probabilities with this one. Otherwise, it would be infinite if a label with votes
had the probability 0.
"""


@dataclass(frozen=True, eq=False)
class Collected:
    """The collected labels of n items, as `votes` (n, q), in which each row has at least one vote, and as `posterior`
    (n, q) if a model was fitted. `labels` and `estimates` contain the single votes and the fitted model, if known. If
    the model was fitted to more items, `kept` (n,) contains the numbers of these n items in the fit. `positions` (q,)
    contains the labels' positions on a scale if all labels are numbers.
    """

    votes: Ints
    posterior: Floats | None = None
    labels: Labels | None = None
    estimates: Aggregate | None = None
    kept: Ints | None = None
    positions: Sequence[float] | None = None

    @property
    def places(self) -> Ints:
        """Return the items' numbers (n,) in the fit."""
        return np.arange(len(self.votes)) if self.kept is None else self.kept


def part_of(collected: Collected, kept: Ints) -> Collected:
    """Return the collected labels of the items with the numbers `kept` (k,), in this order."""
    posterior = None if collected.posterior is None else collected.posterior[kept]
    return replace(collected, votes=collected.votes[kept], posterior=posterior, kept=collected.places[kept])


def system_counts(collected: Collected, predicted: Floats, *, probabilities: bool) -> Floats:
    """Return a system's counts (n, 12). Each row of `predicted` (n, q) sums to 1.

    The system's label is the label with the highest probability. If several labels have the highest probability, each
    of them counts for the same fraction of the item. `probabilities` is false if the system gives only labels. The
    counts of the error-aware accuracy include the influence of each item on the posteriors of the other items, so that
    their resamples vary like new fits of the model. The influences sum to 0.
    """
    counts = _counts(collected.votes, predicted, collected.positions)
    if collected.posterior is not None:
        chosen = _chosen(predicted)
        influence = _influence_of_system(collected, chosen)
        _set(counts, ERROR_AWARE, (collected.posterior * chosen).sum(axis=1) + influence)
    if probabilities:
        _set(counts, ENTROPY, cross_entropy(vote_shares(collected.votes), predicted))
    return counts


def held_out_counts(collected: Collected) -> Floats:
    """Return the counts (n, 12) for annotators scored like systems against the other annotators' votes.

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
        predicted = np.broadcast_to(one_hot.astype(np.float64), others.shape)
        counts_of_vote = _counts(others, predicted, collected.positions)
        _set(counts_of_vote, ENTROPY, -np.log(vote_shares(others, added=ADDED)[:, label]))
        counts[here] += counts_of_vote * (votes[here, label] / total[here])[:, None]
    if collected.labels is not None and collected.estimates is not None:
        counts[:, 2 * ERROR_AWARE : 2 * ERROR_AWARE + 2] = _held_out_posteriors(
            collected, collected.labels, collected.estimates
        )
    return counts


def frequencies(collected: Collected) -> Floats:
    """Return each label's mean share over all items, repeated for each item (n, q)."""
    shares = vote_shares(collected.votes)
    return np.tile(shares.mean(axis=0), (len(shares), 1))


def estimate(sums: Floats) -> Floats:
    """Return the six measures as an array (6, B), calculated from B sums of counts (B, 12)."""
    return np.stack([ratio(sums[:, place + 1], sums[:, place]) for place in range(0, sums.shape[1], 2)])


def cross_entropy(shares: Floats, predicted: Floats) -> Floats:
    """Return each item's cross-entropy −Σ p ln q (n,) in nats. Probabilities below `FLOOR` count as `FLOOR`."""
    entropy: Floats = -(shares * np.log(np.maximum(predicted, FLOOR))).sum(axis=1)
    return entropy


def jensen_shannon(one: Floats, other: Floats) -> Floats:
    """Return each item's Jensen–Shannon divergence (n,) with logarithms to base 2, between 0 and 1 (Lin 1991)."""
    middle = (one + other) / 2
    divergence: Floats = (_relative_entropy(one, middle) + _relative_entropy(other, middle)) / 2
    return np.maximum(divergence, 0.0)  # Rounding can make the divergence of equal distributions negative.


def manhattan(one: Floats, other: Floats) -> Floats:
    """Return each item's Manhattan distance Σ|p − q| (n,), between 0 and 2."""
    distance: Floats = np.abs(one - other).sum(axis=1)
    return distance


def wasserstein(one: Floats, other: Floats, positions: Sequence[float]) -> Floats:
    """Return each item's Wasserstein distance (n,): the least sum of probabilities times distances by which `one`
    becomes `other`. `positions` (q,) contains the labels' places on a line, where the distance is the area between the
    two cumulative distributions (Vallender 1974).
    """
    order = np.argsort(positions)
    gaps = np.diff(np.asarray(positions)[order])
    distance: Floats = np.abs(np.cumsum((one - other)[:, order], axis=1))[:, :-1] @ gaps
    return distance


def _counts(votes: Ints, predicted: Floats, positions: Sequence[float] | None) -> Floats:
    counts = np.zeros((len(votes), 2 * len(MEASURES)))
    majority = 2 * votes > votes.sum(axis=1, keepdims=True)
    has_majority = majority.any(axis=1)
    counts[:, 2 * HARD] = has_majority
    counts[:, 2 * HARD + 1] = (majority * _chosen(predicted)).sum(axis=1)
    shares = vote_shares(votes)
    _set(counts, DIVERGENCE, jensen_shannon(shares, predicted))
    _set(counts, MANHATTAN, manhattan(shares, predicted))
    if positions is not None:
        _set(counts, WASSERSTEIN, wasserstein(shares, predicted, positions))
    return counts


def _set(counts: Floats, measure: int, values: Floats) -> None:
    counts[:, 2 * measure], counts[:, 2 * measure + 1] = 1, values


def _influence_of_system(collected: Collected, chosen: Floats) -> Floats:
    """Return each item's influence (n,) on a system's error-aware accuracy, through the model."""
    labels, estimates = collected.labels, collected.estimates
    if labels is None or estimates is None or estimates.posterior is None:
        return np.zeros(len(chosen))
    weights = np.zeros_like(estimates.posterior)
    weights[collected.places] = chosen
    in_prior = slopes(estimates.posterior, weights)
    return _centred(influences(labels, estimates, in_prior, in_prior[labels.item])[collected.places])


def _held_out_posteriors(collected: Collected, labels: Labels, estimates: Aggregate) -> Floats:
    """Return an array (n, 2): whether each item has two votes, and the mean expected accuracy of its votes, each under
    the posterior from the other votes. The accuracies include influences, as in `system_counts`.
    """
    without = posteriors_without_each_vote(labels, estimates)
    here = np.zeros(labels.n_items, dtype=np.bool_)
    here[collected.places] = True
    total = labels.counts.sum(axis=1)[labels.item]
    weight = np.where((total > 1) & here[labels.item], 1 / total, 0.0)
    one_hot = np.eye(labels.n_labels)[labels.label]
    right = (without * one_hot).sum(axis=1)
    values = np.bincount(labels.item, weight * right, labels.n_items)[collected.places].astype(np.float64)
    defined = np.bincount(labels.item, weights=weight, minlength=labels.n_items)[collected.places] > 0
    # The posterior of a held-out vote depends on the prior and on the likelihoods of the other votes.
    slope = slopes(without, weight[:, None] * one_hot)
    columns = [np.bincount(labels.item, slope[:, label], labels.n_items) for label in range(labels.n_labels)]
    in_prior = np.stack(columns, axis=1).astype(np.float64)
    influence = influences(labels, estimates, in_prior, in_prior[labels.item] - slope)[collected.places]
    values[defined] += _centred(influence[defined])
    return np.stack([defined.astype(np.float64), np.where(defined, values, 0.0)], axis=1)


def _centred(influence: Floats) -> Floats:
    """Return the influences minus their mean, which differs from 0 because the models have weak priors."""
    return influence - influence.mean() if len(influence) else influence


def _chosen(predicted: Floats) -> Floats:
    """Return each label's share (n, q) of each item: 1 for the label with the highest probability, or equal shares for
    tied labels.
    """
    highest = predicted >= predicted.max(axis=1, keepdims=True) - EQUAL
    shares: Floats = highest / highest.sum(axis=1, keepdims=True)
    return shares


def _relative_entropy(one: Floats, other: Floats) -> Floats:
    quotient = np.divide(one, other, out=np.ones_like(one), where=one > 0)
    entropy: Floats = (one * np.log2(quotient)).sum(axis=1)
    return entropy
