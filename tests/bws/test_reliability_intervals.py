"""Tests of the intervals for split-half reliability, compared with loops and with simulated collections."""

from __future__ import annotations

import numpy as np
import pytest

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.left_out import LeftOut
from accord_core.bws.numerics.maxdiff import PENALTY, judgement_likelihoods, maxdiff_scores
from accord_core.bws.numerics.maxdiff_left_out import _utilities, curvature_at
from accord_core.bws.numerics.model_reliability import maxdiff_reliability
from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.bws.numerics.reliability_intervals import reliability_intervals, widest
from accord_core.bws.numerics.scoring import Judgements, counting_scores, tuple_index
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.numerics.jackknife import Removals, unit_groups


def simulated(n_items: int = 80, *, annotators: int = 12, careless: float = 0.0, seed: int = 1) -> Judgements:
    truth = np.random.default_rng(1).normal(0, 1.5, n_items)
    design = best_worst_design(n_items, seed=seed)
    return simulate_judgements(design, truth, annotators=annotators, careless=careless, seed=seed)


@pytest.mark.parametrize("repeats", ["once", "cells"])
def test_totals_without_groups_are_those_of_the_other_rows(repeats):
    generator = np.random.default_rng(3)
    items = generator.integers(0, 6, (40, 4))
    rows, group = np.arange(40), generator.integers(0, 5, 40)
    judgements = Judgements(items, items[rows, 0], items[rows, 1], 6, repeats=repeats)
    removals, half = Removals(5, generator), generator.random(40) < 0.5
    (whole, one), *others = LeftOut(judgements, group, removals, np.arange(6)).blocks(half)
    assert not others
    halves = (half, one), (~half, whole.without(one)), (half | ~half, whole)
    left = [[], *([each] for each in range(5)), *removals.pairs.tolist()]
    for chosen, totals in halves:
        for column, groups in enumerate(left):
            counted = counting_scores(judgements.take(chosen & ~np.isin(group, groups)))
            np.testing.assert_array_equal(totals.net[:, column], counted.best - counted.worst)
            np.testing.assert_array_equal(totals.shown[:, column], counted.appearances)
            np.testing.assert_array_equal(totals.score()[:, column], counted.score)


def test_careless_annotators_widen_the_interval_for_other_annotators():
    judgements = simulated(careless=0.25)
    reliability = split_half_reliability(judgements, splits=30, unit="tuples")
    intervals = {over: reliability_intervals(judgements, reliability, over=over) for over in ("tuples", "annotators")}
    width = {over: each.spearman.high - each.spearman.low for over, each in intervals.items()}
    assert width["annotators"] > 1.3 * width["tuples"]
    for each in intervals.values():
        assert each.spearman.low < reliability.spearman_mean < each.spearman.high
        assert each.pearson.low < reliability.pearson_mean < each.pearson.high
    assert intervals["annotators"].caution == ("too few to trust the intervals: 12 annotators instead of at least 20")


def test_too_few_annotators_have_no_interval_for_other_annotators():
    judgements = simulated(annotators=2)
    reliability = split_half_reliability(judgements, splits=10)
    assert widest(judgements) == "tuples"
    assert reliability_intervals(judgements, reliability, over="both").spearman == (None, None, 0)
    unknown = Judgements(judgements.items, judgements.best, judgements.worst, judgements.n_items)
    with pytest.raises(ValueError, match="name their annotators"):
        reliability_intervals(unknown, reliability, over="annotators")


@pytest.mark.parametrize("unit", ["tuples", "annotators", "rows"])
def test_utilities_without_a_group_are_close_to_those_of_a_new_fit(unit):
    judgements = simulated(40, careless=0.2)
    tuples, half = tuple_index(judgements), np.ones(len(judgements), dtype=np.bool_)
    units = {"tuples": tuples, "annotators": judgements.annotator, "rows": np.arange(len(judgements))}
    group, groups = unit_groups(units[unit], np.random.default_rng(1))
    (utilities,) = _utilities(judgements, half, tuples, [group], [Removals(groups, np.random.default_rng(1))])
    fitted, estimated = [], []
    for number in range(min(groups, 12)):
        again = maxdiff_scores(judgements.take(group != number)).utility
        fitted.append(again - utilities[:, 0])
        step = utilities[:, 1 + number] - utilities[:, 0]
        estimated.append(step - step.mean())
    change, estimate = np.concatenate(fitted), np.concatenate(estimated)
    assert np.corrcoef(change, estimate)[0, 1] > 0.97
    assert estimate.std() == pytest.approx(change.std(), rel=0.15)


def test_the_gradient_and_the_information_are_derivatives_of_the_log_likelihood():
    items = np.array([[0, 1, 2, 3], [3, 1, 4, 0], [2, 2, 4, 1]])  # the last row repeats an item
    judgements = Judgements(items, np.array([0, 4, 2]), np.array([3, 1, 1]), 5)
    utility = np.array([0.3, -0.5, 0.1, 0.8, -0.2])

    def log_likelihood(u):
        return np.log(judgement_likelihoods(judgements, u)[0]).sum()

    def gradient(u):
        curvature = curvature_at(judgements, u)
        return np.bincount(curvature.items.ravel(), curvature.gradient.ravel(), 5)

    steps = np.eye(5) * 1e-5
    numeric = [(log_likelihood(utility + step) - log_likelihood(utility - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(gradient(utility), numeric, atol=1e-8)
    slopes = [(gradient(utility + step) - gradient(utility - step)) / 2e-5 for step in steps]
    information = curvature_at(judgements, utility).total(5) - 2 * PENALTY * np.eye(5)
    np.testing.assert_allclose(information, -np.array(slopes), atol=1e-8)


def test_maxdiff_scores_have_intervals_like_counting_based_scores():
    judgements = simulated(careless=0.2)
    width = {}
    for method, reliability_of in (("counting", split_half_reliability), ("maxdiff", maxdiff_reliability)):
        reliability = reliability_of(judgements, splits=10, unit="tuples")
        interval = reliability_intervals(judgements, reliability, method=method, splits=5).spearman
        assert interval.low < reliability.spearman_mean < interval.high
        width[method] = interval.high - interval.low
    assert 0.5 < width["maxdiff"] / width["counting"] < 2
