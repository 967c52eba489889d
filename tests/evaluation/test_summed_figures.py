"""Tests of figures that follow from summed counts: resampled intervals, undefined figures and permutation tests."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from accord_core.evaluation.measures import Ratio, differences_of_sums, measures_of_sums, precision_recall_f1

P_R_F1 = (Ratio("Precision"), Ratio("Recall"), Ratio("F1"))


def ratios(sums: np.ndarray) -> np.ndarray:
    right, system, gold = sums.T
    return precision_recall_f1(right, system, right, gold)


def test_figures_of_a_corpus_come_from_summed_counts_not_from_means() -> None:
    counts = np.array([[1.0, 1, 10], [9, 18, 10]])  # by hand: 10/19, 10/20, 20/39
    found = measures_of_sums(P_R_F1, counts, ratios, resamples=0, seed=1)
    assert [row.value for row in found] == pytest.approx([10 / 19, 10 / 20, 20 / 39])
    assert all(row.low is row.high is None for row in found)


def test_units_that_are_all_alike_leave_no_doubt() -> None:
    counts = np.tile([3.0, 4, 6], (20, 1))
    for row in measures_of_sums(P_R_F1, counts, ratios, resamples=50, seed=1):
        assert row.low == pytest.approx(row.value) == pytest.approx(row.high)


def test_what_has_nothing_to_divide_by_is_undefined_and_says_so() -> None:
    (precision, recall, f1) = measures_of_sums(P_R_F1, np.array([[0.0, 0, 3]]), ratios, resamples=20, seed=1)
    assert (precision.value, precision.note) == (None, "the denominator is 0")
    assert (recall.value, f1.value) == (0.0, None)


def test_p_is_the_share_of_all_ways_to_swap_that_differ_as_much() -> None:
    generator = np.random.default_rng(4)
    gold = generator.integers(3, 9, size=9)
    one, other = (
        np.stack([np.minimum(gold, generator.integers(low, 7, size=9)), generator.integers(7, 9, size=9), gold], axis=1)
        for low in (3, 1)
    )
    one, other = one.astype(float), other.astype(float)
    observed = (ratios(one.sum(axis=0)[None]) - ratios(other.sum(axis=0)[None]))[:, 0]
    reached = np.zeros(3)
    for swap in product([False, True], repeat=9):  # brute force: every way in which coins can fall
        mask = np.array(swap)[:, None]
        a, b = np.where(mask, other, one).sum(axis=0), np.where(mask, one, other).sum(axis=0)
        reached += np.abs((ratios(a[None]) - ratios(b[None]))[:, 0]) >= np.abs(observed) - 1e-12
    found = differences_of_sums(P_R_F1, one, other, ratios, resamples=0, permutations=20_000, seed=1)
    assert [row.p for row in found] == pytest.approx((reached / 2**9).tolist(), abs=0.015)
    assert 0.001 < found[1].p < 0.999


def test_two_systems_are_compared_on_the_same_resampled_units() -> None:
    generator = np.random.default_rng(2)
    gold = generator.integers(2, 30, size=60).astype(float)
    one = np.stack([gold - 1, gold, gold], axis=1)
    other = np.stack([gold - 2, gold, gold], axis=1)
    (difference,) = differences_of_sums(
        [Ratio("Recall")], one, other, lambda sums: ratios(sums)[1:2], resamples=200, permutations=200, seed=1
    )
    # Each unit loses one more: the paired interval is far narrower than that of either system's own figure.
    assert difference.low > 0
    assert difference.p == pytest.approx(1 / 201)
    with pytest.raises(ValueError, match="must belong to the same units"):
        differences_of_sums(P_R_F1, one, other[1:], ratios, resamples=0, permutations=0, seed=1)
