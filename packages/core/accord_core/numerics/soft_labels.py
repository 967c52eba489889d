"""Soft labels: the distribution of the votes on each item and the probability of each label under a model."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.em import dawid_skene, one_coin
from accord_core.numerics.labels import Aggregate, Floats, Labels, normalised

Model = Literal["one_coin", "dawid_skene"]
MODELS: tuple[Model, ...] = ("one_coin", "dawid_skene")

ADDED = 0.5
"""The number of votes that smoothing adds to each label: one half, as in Krichevsky and Trofimov (1981)."""


def vote_shares(votes: ArrayLike, *, added: float = 0.0) -> Floats:
    """Return each label's share of the votes (n, q), after adding `added` votes to every label.

    An item with neither votes nor added votes has the share NaN for each label.
    """
    counts = np.asarray(votes, dtype=np.float64) + added
    sums = counts.sum(axis=-1, keepdims=True)
    shares: Floats = np.divide(counts, sums, out=np.full_like(counts, np.nan), where=sums > 0)
    return shares


def fitted(labels: Labels, model: Model) -> Aggregate:
    """Return the estimates of the one-coin or the Dawid–Skene model, with their posteriors (n_items, n_labels)."""
    return {"one_coin": one_coin, "dawid_skene": dawid_skene}[model](labels)


def posteriors_without_each_vote(labels: Labels, estimates: Aggregate) -> Floats:
    """Return the posterior (L, n_labels) of each of the L votes' items, calculated without this vote.

    Both models multiply the prior by the likelihood of each vote, so dividing by the likelihood of one vote gives the
    posterior from the votes of the other annotators. The annotators' error rates and the prior are not estimated again.
    """
    if estimates.posterior is None or estimates.accuracy is None:
        raise ValueError("The estimates must contain posteriors.")
    with np.errstate(divide="ignore"):
        rest = np.log(estimates.posterior)[labels.item] - np.log(_likelihoods(labels, estimates))
    return normalised(rest)


def _likelihoods(labels: Labels, estimates: Aggregate) -> Floats:
    """Return the probability (L, n_labels) of each vote for each possible true label."""
    if estimates.confusion is not None:
        likelihoods: Floats = estimates.confusion[labels.annotator, :, labels.label]
        return likelihoods
    accuracy = np.asarray(estimates.accuracy)[labels.annotator]
    wrong = (1 - accuracy) / max(labels.n_labels - 1, 1)
    by_label = np.repeat(wrong[:, None], labels.n_labels, axis=1)
    by_label[np.arange(len(labels)), labels.label] = accuracy
    return by_label
