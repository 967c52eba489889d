"""Tests of the largest standard error that a best–worst study's items can be expected to have."""

from __future__ import annotations

import numpy as np
import pytest

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.largest_error import largest_standard_error
from accord_core.bws.numerics.scoring import counting_scores, counting_standard_errors
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.numerics.still_needed import Attained, still_needed, value_at
from bench._error_simulations import TUPLES_PER_ITEM, true_variances


@pytest.mark.parametrize("per_tuple", [2, 6])
def test_equal_items_have_the_standard_error_of_random_choices(per_tuple):
    # Each of four items is best or worst with a probability of ¼, so a choice has a variance of ½ and no tuple is
    # harder than another.
    judgements = simulate_judgements(best_worst_design(200, seed=1), np.zeros(200), per_tuple=per_tuple, seed=2)
    found = largest_standard_error(judgements)
    true = np.sqrt(0.5 / (TUPLES_PER_ITEM * per_tuple))
    assert found.value == pytest.approx(true, rel=0.05)
    assert found.low < true < found.high
    assert np.nanmax(counting_standard_errors(judgements)) > 1.3 * true, "the largest estimate of single items is not"


@pytest.mark.parametrize("careless", [0.0, 0.2])
def test_it_is_the_largest_standard_error_with_random_opponents(careless):
    utility = np.random.default_rng(5).normal(0, 1.5, 150)
    within, between = true_variances(utility, careless)
    judgements = simulate_judgements(
        best_worst_design(150, seed=1), utility, per_tuple=4, annotators=20, careless=careless, seed=3
    )
    found = largest_standard_error(judgements)
    assert found.value == pytest.approx(np.sqrt((within / 4 + between).max() / TUPLES_PER_ITEM), rel=0.05)
    assert found.floor == pytest.approx(np.sqrt(between.max() / TUPLES_PER_ITEM), rel=0.12)


@pytest.mark.nightly
def test_it_is_the_variation_between_collections_with_other_tuples():
    utility = np.linspace(-2, 2, 60)
    scores, found = [], []
    for seed in range(150):
        judgements = simulate_judgements(best_worst_design(60, seed=seed), utility, seed=seed)
        scores.append(counting_scores(judgements).score)
        found.append(largest_standard_error(judgements).value)
    # The standard deviations of neighbouring items are averaged, because the largest of 60 would be too large.
    smooth = np.convolve(np.var(scores, axis=0), np.ones(15) / 15, mode="valid")
    assert np.mean(found) == pytest.approx(np.sqrt(smooth.max()), rel=0.08)


def test_an_item_in_a_single_tuple_has_no_standard_error():
    judgements = simulate_judgements(best_worst_design(40, seed=1), np.zeros(40))
    assert largest_standard_error(judgements.take(np.arange(12))) is None


def test_judgements_of_the_same_tuples_approach_the_floor():
    attained = Attained("standard_error", "error", 0.2, 0.2, 0.2, 1_000, floor=0.1)
    # Of the squared error .04, .01 stays and .03 falls: .01 + .03/3 = .02, and .01 + .03/6 = .015.
    assert value_at(attained, 3_000) == pytest.approx(np.sqrt(0.02))
    assert still_needed(attained, np.sqrt(0.015)).judgements == 5_000
    assert still_needed(attained, 0.2).reached
    assert still_needed(attained, 0.1).judgements > 10**10
    assert value_at(attained, 10**9) == pytest.approx(0.1, rel=1e-3)


def test_an_uncertain_error_needs_more_judgements_and_its_limit_decides():
    attained = Attained("standard_error", "error", 0.15, 0.14, 0.16, 1_000, floor=0.1)
    needed = still_needed(attained, 0.152)
    assert attained.careful_value > 0.152 > attained.value
    assert not needed.reached
    certain = still_needed(Attained("standard_error", "error", 0.15, 0.15, 0.15, 1_000, floor=0.1), 0.13)
    assert needed.low <= needed.judgements <= needed.high
    assert still_needed(attained, 0.13).judgements > certain.judgements
