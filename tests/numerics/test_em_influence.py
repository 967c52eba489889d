"""Tests of the influence of items on posteriors, compared with new fits and with numerical derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from accord_core.numerics.em import dawid_skene, one_coin
from accord_core.numerics.em_influence import influences, slopes
from accord_core.numerics.labels import Labels, majority

ITEMS, COPIES, ANNOTATORS = 60, 20, 6
MODELS = {"one_coin": one_coin, "dawid_skene": dawid_skene}


def collection(items: np.ndarray, q: int = 2) -> Labels:
    """Return the labels of these items by annotators of different care, with the items numbered from 0."""
    draw = np.random.default_rng(1)
    truth = draw.integers(q, size=ITEMS)
    care = draw.uniform(0.5, 0.9, size=ANNOTATORS)
    votes = np.where(
        draw.random((ITEMS, ANNOTATORS)) < care, truth[:, None], draw.integers(q, size=(ITEMS, ANNOTATORS))
    )
    item, annotator = (each.ravel() for each in np.indices((len(items), ANNOTATORS)))
    return Labels(item, annotator, votes[items].ravel(), len(items), ANNOTATORS, q)


def chosen(q: int) -> np.ndarray:
    """Return the labels of a system, as an array (ITEMS, q) with a 1 for each label."""
    return np.eye(q)[np.random.default_rng(2).integers(q, size=ITEMS)]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("q", [2, 3])
def test_the_influence_is_the_change_of_a_new_fit_with_one_more_item(model, q):
    """Every item has 20 equal copies, so one more copy changes the weight of an item by a small share."""

    def fit(items):
        return MODELS[model](collection(items, q), tolerance=1e-9, most_rounds=5_000)

    everything, predicted = np.tile(np.arange(ITEMS), COPIES), chosen(q)
    estimates, labels = fit(everything), collection(everything, q)
    own = (estimates.posterior * predicted[everything]).sum(axis=1)
    in_prior = slopes(estimates.posterior, predicted[everything])
    influence = influences(labels, estimates, in_prior, in_prior[labels.item])
    changes = []
    for item in range(8):
        more = np.append(everything, item)
        changes.append((fit(more).posterior * predicted[more]).sum() - own.sum() - own[item])
    np.testing.assert_allclose(influence[:8], changes, rtol=0.1, atol=2e-4)
    assert np.corrcoef(changes, influence[:8])[0, 1] > 0.99
    assert np.abs(changes).max() > 0.001, "the influences matter"


def test_slopes_are_derivatives_in_the_logarithms():
    draw = np.random.default_rng(3)
    logs, weights = draw.normal(size=4), draw.normal(size=4)

    def mean(values):
        return np.exp(values) @ weights / np.exp(values).sum()

    numeric = [(mean(logs + step) - mean(logs - step)) / 2e-6 for step in np.eye(4) * 1e-6]
    posterior = np.exp(logs) / np.exp(logs).sum()
    np.testing.assert_allclose(slopes(posterior, weights), numeric, atol=1e-8)


def test_estimates_without_posteriors_are_refused():
    labels = collection(np.arange(ITEMS))
    with pytest.raises(ValueError, match="must contain posteriors"):
        influences(labels, majority(labels), np.zeros((ITEMS, 2)), np.zeros((len(labels), 2)))
