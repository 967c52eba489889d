"""Tests of the smallest detectable difference between two systems, compared with simulated comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from accord_core.evaluation.numerics.power import (
    detectable_difference,
    detectable_differences,
    detectable_sentence,
    smallest_difference,
)


def ranks(values: np.ndarray) -> np.ndarray:
    return values.argsort(axis=-1).argsort(axis=-1) - (values.shape[-1] - 1) / 2


@pytest.mark.parametrize(("items", "correlation", "between"), [(300, 0.5, 0.5), (300, 0.3, 0.7), (600, 0.7, 0.9)])
def test_eighty_per_cent_of_samples_show_the_difference(items: int, correlation: float, between: float) -> None:
    d = smallest_difference(items, correlation, between)
    assert d is not None
    # Normal variables have Spearman correlations of ρ if their Pearson correlations are 2 sin(πρ/6).
    one, other, both = (2 * np.sin(np.pi * r / 6) for r in (correlation + d / 2, correlation - d / 2, between))
    covariance = np.array([[1, one, other], [one, 1, both], [other, both, 1]])
    samples = np.random.default_rng(1).multivariate_normal(np.zeros(3), covariance, (1_000, items))
    x, a, b = ranks(np.moveaxis(samples, 2, 0))
    differences = (x * (a - b)).sum(axis=1) / (x * x).sum(axis=1)
    assert differences.mean() == pytest.approx(d, rel=0.05)
    # The known spread over samples replaces the bootstrap, which would be slow here.
    power = (differences / differences.std() > 1.96).mean()
    assert 0.76 < power < 0.9


def test_more_items_and_more_similar_systems_show_smaller_differences() -> None:
    assert smallest_difference(1_000, 0.7, 0.8) < smallest_difference(200, 0.7, 0.8)
    assert smallest_difference(200, 0.7, 0.9) < smallest_difference(200, 0.7, 0.5)
    assert smallest_difference(9, 0.7, 0.9) is None
    assert smallest_difference(12, 0.99, -0.5) is None  # two systems cannot have these correlations


def test_noise_in_the_scores_enlarges_the_difference_between_corrected_correlations() -> None:
    rows = detectable_differences(300, 0.6, 0.8)
    assert [row.between for row in rows] == [0.5, 0.7, 0.9]
    assert all(row.corrected == pytest.approx(row.difference / 0.8) for row in rows)
    assert "80% power" in detectable_sentence(rows)
    assert detectable_differences(300, None, None) == []
    assert detectable_sentence([]) == ""


def test_the_correlations_of_two_systems_come_from_their_predictions() -> None:
    generator = np.random.default_rng(2)
    scores = generator.normal(size=200)
    one, other = (scores + generator.normal(size=200) for _ in range(2))
    x, a, b = ranks(np.stack([scores, one, other]))
    r_one, r_other, between = (np.corrcoef(*pair)[0, 1] for pair in ((x, a), (x, b), (a, b)))
    expected = smallest_difference(200, (r_one + r_other) / 2, between)
    assert detectable_difference(scores, one, other) == pytest.approx(expected)
    assert detectable_difference(scores, one, np.zeros(200)) is None
