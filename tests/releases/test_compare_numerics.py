"""Tests of the measures that compare a study with its repeats, against published values and brute force."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.scoring import pearson, spearman
from accord_core.compare.label_agreement import label_agreement, several_studies
from accord_core.compare.predicted import predicted_interval
from accord_core.compare.scores import order_upheld, score_agreement
from accord_core.compare.variation import small_sample_variation

# Belz, Popović and Mille (2022), Table 4: BLEU and SARI of the reproductions of two systems, and their CV*
PUBLISHED = [
    ([84.51, 84.50, 87.46, 85.60, 84.20, 86.61, 86.20], 1.562),
    ([30.65, 30.65, 29.13, 30.65, 29.96], 2.487),
    ([87.50, 80.75, 89.36, 88.10, 89.64, 88.80], 4.176),
    ([31.11, 30.28, 31.11, 29.12], 3.572),
]


@pytest.mark.parametrize(("values", "expected"), PUBLISHED)
def test_variation_equals_the_published_values(values, expected):
    assert round(small_sample_variation(values), 3) == expected


def test_the_standard_deviation_in_the_variation_is_unbiased():
    # Two values from a normal distribution with a known mean: dividing by the factor for n = 2 must give its standard
    # deviation on average, apart from the variation of the mean.
    draws = np.random.default_rng(1).normal(1_000, 10, size=(20_000, 2))
    mean = np.mean([small_sample_variation(each) for each in draws])
    assert mean / (1 + 1 / 8) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("values", [[], [3.0], [1.0, -1.0], [-2.0, -3.0]])
def test_no_variation_without_two_values_and_a_positive_mean(values):
    assert small_sample_variation(values) is None


def test_score_agreement_equals_the_correlations_of_the_scores():
    generator = np.random.default_rng(3)
    one = generator.integers(0, 6, size=50) / 5
    other = one + generator.normal(0, 0.3, size=50)
    found = score_agreement(one, other, resamples=200, seed=1)
    assert found["spearman"].value == pytest.approx(spearman(one, other))
    assert found["pearson"].value == pytest.approx(pearson(one, other))
    assert found["rmse"].value == pytest.approx(math.sqrt(sum((one - other) ** 2) / 50))
    for figure in found.values():
        assert figure.low < figure.value < figure.high


def test_equal_scores_have_no_correlation_but_a_difference():
    found = score_agreement(np.zeros(5), np.arange(5.0), resamples=0, seed=1)
    assert found["pearson"].value is None
    assert found["pearson"].reason
    assert found["rmse"].value == pytest.approx(math.sqrt(6))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_upheld_orders_equal_a_count_over_all_pairs(pairs):
    one, other = np.array(pairs, dtype=float).T
    decided = [(a, b) for a, b in combinations(pairs, 2) if a[0] != b[0]]
    upheld = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in decided)
    assert order_upheld(one, other) == (len(decided), upheld)


def test_label_agreement_equals_the_formula_of_kappa():
    one, other = list("aabbccab"), list("aabbcbac")
    found = label_agreement(one, other, [str(n) for n in range(8)], resamples=100, seed=1)
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / 8
    expected = sum(one.count(label) * other.count(label) for label in "abc") / 64
    assert found["equal"].value == pytest.approx(observed)
    assert found["kappa"].value == pytest.approx((observed - expected) / (1 - expected))
    assert found["kappa"].low < found["kappa"].value < found["kappa"].high


def test_labels_of_several_studies_equal_fleiss_formula():
    runs = [list("aabbca"), list("aabbcb"), list("abbbca")]
    found = several_studies(runs, [str(n) for n in range(6)], resamples=0, seed=1)
    columns = list(zip(*runs, strict=True))
    observed = np.mean([sum(a == b for a, b in combinations(column, 2)) / 3 for column in columns])
    shares = np.array([sum(run.count(label) for run in runs) for label in "abc"]) / 18
    expected = (shares**2).sum()
    assert found["fleiss_kappa"].value == pytest.approx((observed - expected) / (1 - expected))


@pytest.mark.parametrize(("draws", "rank"), [(39, 1), (79, 2), (199, 5)])
def test_predicted_interval_leaves_out_equally_many_draws_at_both_ends(draws, rank):
    values = np.random.default_rng(2).permutation(draws).astype(float)
    low, high, mean = predicted_interval(values)
    assert (low, high, mean) == (rank - 1, draws - rank, (draws - 1) / 2)
    # A further draw from the same distribution has each of the draws + 1 ranks with equal probability.
    assert (draws + 1 - 2 * rank) / (draws + 1) == pytest.approx(0.95)


def test_no_predicted_interval_from_few_defined_draws():
    assert predicted_interval(np.array([0.5] * 38 + [np.nan] * 60)) is None
