"""The influence of each item on figures that depend on a fitted annotator model.

Posteriors depend on the votes on all items, because the model estimates its parameters from all of them. A resample of
items would therefore need a new fit. The functions here differentiate the fitted model instead (the infinitesimal
jackknife: Jaeckel 1972), so that a resample only needs sums over items.
"""

from __future__ import annotations

import numpy as np

from accord_core.numerics.em import SMOOTHING
from accord_core.numerics.labels import Aggregate, Floats, Labels

TOLERANCE = 1e-6
MOST_ROUNDS = 200


def influences(labels: Labels, estimates: Aggregate, in_prior: Floats, in_votes: Floats) -> Floats:
    """Return the amount by which a figure changes per unit of each item's weight (n_items,) because the model's
    parameters change.

    `in_prior` (n_items, n_labels) and `in_votes` (L, n_labels) are the derivatives of the figure in the logarithms of
    the prior, as it is used for each item, and of the likelihood of each vote. Parameters depend on posteriors (the M
    step), and posteriors depend on parameters (the E step). The derivative follows both steps backwards until the
    further changes are below `TOLERANCE`, as fast as the EM algorithm converges. Raises ValueError if the estimates do
    not come from the one-coin or the Dawid–Skene model.
    """
    posterior = estimates.posterior
    if posterior is None or estimates.accuracy is None:
        raise ValueError("The estimates must contain posteriors.")
    total = np.zeros(labels.n_items)
    largest = np.abs(in_prior).max(initial=0.0) + np.abs(in_votes).max(initial=0.0)
    for _ in range(MOST_ROUNDS):
        in_posterior, direct = _through_m_step(labels, estimates, posterior, in_prior, in_votes)
        total += direct
        in_prior = slopes(posterior, in_posterior)
        in_votes = in_prior[labels.item]
        if np.abs(in_prior).max(initial=0.0) <= TOLERANCE * largest:
            break
    return total


def slopes(posterior: Floats, weights: Floats) -> Floats:
    """Return the derivatives (…, n_labels) of Σ `weights` · `posterior` with respect to the logarithms of the
    unnormalised posteriors.
    """
    gradient: Floats = posterior * (weights - (posterior * weights).sum(axis=-1, keepdims=True))
    return gradient


def _through_m_step(
    labels: Labels, estimates: Aggregate, posterior: Floats, in_prior: Floats, in_votes: Floats
) -> tuple[Floats, Floats]:
    """Return the figure's derivatives with respect to the posteriors (n_items, n_labels) from which the M step
    estimates the parameters, and with respect to the items' weights (n_items,) in these estimates.
    """
    sums = posterior[labels.counts.any(axis=1)].sum(axis=0)
    in_posterior = np.zeros_like(posterior)
    in_posterior += np.divide(in_prior.sum(axis=0), sums, out=np.zeros_like(sums), where=sums > 0)
    if estimates.confusion is not None:
        by_vote, excess = _through_confusion(labels, posterior, in_votes), np.zeros(labels.n_items)
    else:
        by_vote, excess = _through_accuracy(labels, estimates, in_votes)
    for label in range(labels.n_labels):
        in_posterior[:, label] += _per_item(labels, by_vote[:, label])
    direct = (posterior * in_posterior).sum(axis=1) - excess
    return in_posterior, direct


def _through_confusion(labels: Labels, posterior: Floats, in_votes: Floats) -> Floats:
    """Return the derivatives (L, n_labels) with respect to the posterior of each vote's item, for confusion
    matrices.
    """
    q, cell = labels.n_labels, labels.annotator * labels.n_labels + labels.label

    def totals(values: Floats) -> Floats:
        columns = [np.bincount(cell, values[:, label], labels.n_annotators * q) for label in range(q)]
        return np.stack(columns, axis=1).reshape(labels.n_annotators, q, q).astype(np.float64)

    counts, slope = totals(posterior[labels.item]) + SMOOTHING, totals(in_votes)
    by_cell: Floats = slope / counts - slope.sum(axis=1, keepdims=True) / counts.sum(axis=1, keepdims=True)
    by_vote: Floats = by_cell[labels.annotator, labels.label]
    return by_vote


def _through_accuracy(labels: Labels, estimates: Aggregate, in_votes: Floats) -> tuple[Floats, Floats]:
    """Return the derivatives for one accuracy per annotator. The first array (L, n_labels) is with respect to the
    posterior of each vote's item. The second (n_items,) is the part of the weights' derivatives that comes from the
    number of an annotator's votes.
    """
    accuracy = np.asarray(estimates.accuracy)
    votes = np.arange(len(labels))
    slope = np.bincount(labels.annotator, in_votes[votes, labels.label], labels.n_annotators)
    count = np.bincount(labels.annotator, minlength=labels.n_annotators) + 3
    per_vote = (slope / (accuracy * (1 - accuracy)) / count)[labels.annotator]
    by_vote: Floats = np.zeros_like(in_votes)
    by_vote[votes, labels.label] = per_vote
    return by_vote, _per_item(labels, per_vote * accuracy[labels.annotator])


def _per_item(labels: Labels, values: Floats) -> Floats:
    """Sum the values (L,) of all votes on each item. The result has the shape (n_items,)."""
    return np.bincount(labels.item, values, labels.n_items).astype(np.float64)
