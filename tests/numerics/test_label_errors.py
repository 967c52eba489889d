"""Tests of the probability that a final label is wrong."""

from itertools import product

import numpy as np
import pytest

from accord_core.numerics.em import one_coin
from accord_core.numerics.label_errors import expected_repairs, wrong_probabilities
from accord_core.numerics.labels import UNDECIDED, Labels, majority
from tests.numerics.test_labels_aggregation import labels_of, simulated


def test_the_probability_is_that_of_all_possible_truths():
    """Sum the joint probability of votes and truth over all truths, with the model's estimates."""
    labels = labels_of("1101", "0010", "1..1", "0111", "0000", "1.10")
    final = majority(labels).label
    estimates = one_coin(labels, tolerance=1e-12, most_rounds=10_000)
    prior, accuracy = estimates.posterior.mean(axis=0), estimates.accuracy
    weight, wrong = 0.0, np.zeros(6)
    for truth in product(range(2), repeat=6):
        chance = np.prod(prior[list(truth)])
        for i, a, label in zip(labels.item, labels.annotator, labels.label, strict=True):
            chance *= accuracy[a] if label == truth[i] else 1 - accuracy[a]
        weight += chance
        wrong += chance * (final != np.array(truth))
    expected = np.where(final == UNDECIDED, np.nan, wrong / weight)
    assert wrong_probabilities(labels, final) == pytest.approx(expected, abs=1e-4, nan_ok=True)


def test_who_disagrees_counts():
    """A label with one dissenting vote of a careful annotator is more doubtful than one with a careless vote."""
    labels, truth, accuracy = simulated(items=600, annotators=10, careless=0.5)
    final = majority(labels).label
    wrong = wrong_probabilities(labels, final)
    votes = labels.counts[np.arange(600), final]
    dissent = labels.label != final[labels.item]
    careful = np.bincount(labels.item, dissent & (accuracy[labels.annotator] > 0.8), 600)
    one = votes == 4
    assert wrong[one & (careful == 1)].mean() > 5 * wrong[one & (careful == 0)].mean()
    listed = np.argsort(-wrong)[:60]
    assert (final != truth)[listed].mean() > 3 * (final != truth).mean()


def test_gold_and_missing_labels():
    labels = labels_of("110", "10.", "...", "011")
    wrong = wrong_probabilities(labels, [1, UNDECIDED, UNDECIDED, 1], gold=[0, -1, -1, 1])
    assert wrong == pytest.approx([1, np.nan, np.nan, 0], nan_ok=True)
    assert expected_repairs(wrong, [True, True, False, True]).tolist() == [1, 1, 0, 0]


def test_no_labels():
    empty = np.zeros(0, dtype=np.int64)
    none = Labels(empty, empty, empty, 2, 1, 2)
    assert np.isnan(wrong_probabilities(none, [UNDECIDED, UNDECIDED])).all()
