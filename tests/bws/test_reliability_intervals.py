"""Tests of the intervals for split-half reliability, compared with loops and with simulated collections."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.numerics.jackknife import Removals
from bws.numerics.design import best_worst_design
from bws.numerics.left_out import LeftOut
from bws.numerics.reliability import split_half_reliability
from bws.numerics.reliability_intervals import reliability_intervals, widest
from bws.numerics.scoring import Judgements, counting_scores
from bws.numerics.simulation import simulate_judgements


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
    left_out = LeftOut(judgements, group, removals)
    halves = (half, left_out.halves(half)[0]), (~half, left_out.halves(half)[1]), (half | ~half, left_out.whole)
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
