"""Tests of the split-half reliability, compared with loops that split single judgements and with simulated
repetitions.
"""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.halves import _judgement_halves, _tuple_halves, correlate, draw_halves, split_correlations
from accord_core.bws.numerics.maxdiff import maxdiff_scores
from accord_core.bws.numerics.model_reliability import maxdiff_reliability
from accord_core.bws.numerics.reliability import (
    judgements_needed,
    reliability_by_amount,
    reliability_by_judgements,
    spearman_brown,
    split_half_reliability,
)
from accord_core.bws.numerics.scoring import Judgements, counting_scores, first_in_row, spearman, tuple_index
from accord_core.bws.numerics.simulation import simulate_judgements
from tests.bws.test_scoring import judgements_as_found


def simulated(n_items: int = 120, *, per_tuple: int = 2, seed: int = 1) -> Judgements:
    truth = np.random.default_rng(seed).normal(0, 1.5, n_items)
    return simulate_judgements(best_worst_design(n_items, seed=seed), truth, per_tuple=per_tuple, seed=seed)


@given(judgements_as_found(n_items=6), st.sampled_from(["judgements", "tuples"]), st.sampled_from(["once", "cells"]))
def test_every_half_drawn_is_one_that_a_loop_can_draw(judgements, unit, repeats):
    """The totals of a half from the fast algorithm must equal the totals of a valid set of rows, by tuple
    or overall.
    """
    judgements = replace(judgements.take(np.arange(min(len(judgements), 7))), repeats=repeats)
    tuples = tuple_index(judgements)
    draw = (_judgement_halves if unit == "judgements" else _tuple_halves)(judgements)
    net, shown = draw(np.random.default_rng(1), 12)
    possible = set()
    for size in range(len(judgements) + 1):
        for rows in combinations(range(len(judgements)), size):
            if admissible(tuples, rows, unit):
                counted = counting_scores(judgements.take(np.array(rows, dtype=int)))
                possible.add((*(counted.best - counted.worst).tolist(), *counted.appearances.tolist()))
    shown = np.broadcast_to(shown, net.shape)
    assert {(*net[:, s].tolist(), *shown[:, s].tolist()) for s in range(12)} <= possible


def admissible(tuples, rows, unit) -> bool:
    per_tuple, chosen = np.bincount(tuples), np.bincount(tuples[list(rows)], minlength=tuples.max() + 1)
    if unit == "judgements":
        return bool(((chosen == per_tuple // 2) | (chosen == per_tuple - per_tuple // 2)).all())
    whole = ((chosen == 0) | (chosen == per_tuple)).all()
    return bool(whole and (chosen > 0).sum() in (len(per_tuple) // 2, len(per_tuple) - len(per_tuple) // 2))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 10, 11, 12])
def test_halves_are_drawn_alike_often(m):
    block = np.empty((m, 500, 60), dtype=np.int8)
    larger = draw_halves(np.random.default_rng(2), block)
    size = block.sum(axis=0)
    np.testing.assert_array_equal(size > m // 2, larger.astype(bool))
    if m % 2:
        assert set(np.unique(size)) == {m // 2, m // 2 + 1}
        assert larger.mean() == pytest.approx(0.5, abs=0.02)
    else:
        assert (size == m // 2).all()
    np.testing.assert_allclose(block.mean(axis=(1, 2)), 0.5, atol=0.02)
    if m == 4:
        _, times = np.unique(np.array([8, 4, 2, 1]) @ block.reshape(4, -1), return_counts=True)
        assert len(times) == 6
        assert scipy.stats.chisquare(times).pvalue > 1e-4


@given(st.integers(2, 12), st.integers(1, 900), st.integers(0, 2**32 - 1))
def test_batched_correlations_are_scipys(items, most, seed):
    """`most` determines the number of possible ratios: a few ratios are looked up in a table, and many ratios are
    sorted.
    """
    generator = np.random.default_rng(seed)
    shown = generator.integers(0, most + 1, (2, items, 5))
    score = np.round(generator.uniform(-1, 1, shown.shape) * shown).astype(int)
    rank, value, dropped = correlate(score[0], shown[0], score[1], shown[1])
    for split in range(5):
        both = (shown[0, :, split] > 0) & (shown[1, :, split] > 0)
        assert dropped[split] == items - both.sum()
        x, y = (score[half, both, split] / shown[half, both, split] for half in (0, 1))
        if len(set(x)) < 2 or len(set(y)) < 2:
            assert np.isnan([rank[split], value[split]]).all()
            continue
        assert rank[split] == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-9)
        assert value[split] == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-9)


@pytest.mark.parametrize("unit", ["judgements", "tuples"])
@pytest.mark.parametrize("per_tuple", [1, 2, 3])
def test_the_mean_over_splits_is_that_of_splitting_with_loops(unit, per_tuple):
    judgements = simulated(per_tuple=per_tuple)
    fast = split_half_reliability(judgements, splits=600, seed=3, unit=unit)
    generator, tuples = np.random.default_rng(9), tuple_index(judgements)
    slow = []
    for _ in range(150):
        first = np.zeros(len(judgements), dtype=bool)
        if unit == "judgements":
            for number in range(tuples.max() + 1):
                rows = generator.permutation(np.flatnonzero(tuples == number))
                first[rows[: (len(rows) + generator.integers(0, 2)) // 2]] = True
        else:
            first = np.isin(tuples, generator.permutation(tuples.max() + 1)[: (tuples.max() + 1) // 2])
        a, b = (counting_scores(judgements.take(half)).score for half in (first, ~first))
        both = ~np.isnan(a) & ~np.isnan(b)
        slow.append(spearman(a[both], b[both]))
    margin = 4 * np.std(slow) / math.sqrt(len(slow))
    assert fast.spearman_mean == pytest.approx(np.mean(slow), abs=margin)
    assert fast.spearman_sd == pytest.approx(np.std(slow), rel=0.3)


def test_an_item_with_very_many_rows_and_long_tuples_counts_like_the_others():
    """An item in every row and eleven judgements per tuple require the slower algorithms, and the halves must remain
    complete.
    """
    generator = np.random.default_rng(4)
    items = np.column_stack([np.zeros(60, dtype=int), generator.permuted(np.tile(np.arange(1, 41), (60, 1)), axis=1)])
    items = np.repeat(items[:, :4], 11, axis=0)
    judgements = Judgements(items, items[:, 1], items[:, 0], 41)
    net, shown = _judgement_halves(judgements)(np.random.default_rng(1), 30)
    assert (net[0] == -shown[0]).all()
    assert ((shown[0] >= 300) & (shown[0] <= 360)).all()
    assert (net.sum(axis=0) == 0).all()
    assert (shown.sum(axis=0) == 4 * shown[0]).all()


def test_a_row_that_repeats_an_item_shows_it_once_in_its_half():
    judgements = Judgements([[0, 0, 1, 2]] * 4, [0, 0, 1, 1], [1, 2, 2, 0], 3)
    assert first_in_row(judgements.items)[0].tolist() == [True, False, True, True]
    _, shown = _judgement_halves(judgements)(np.random.default_rng(1), 5)
    assert (np.broadcast_to(shown, (3, 5)) == 2).all()


def test_same_seed_same_digits_and_the_file_order_of_a_tuple_does_not_matter_much():
    judgements = simulated(per_tuple=4)
    first = split_half_reliability(judgements, splits=100, seed=7)
    assert first == split_half_reliability(judgements, splits=100, seed=7)
    assert first != split_half_reliability(judgements, splits=100, seed=8)
    order = np.random.default_rng(1).permutation(len(judgements))
    shuffled = split_half_reliability(judgements.take(order), splits=400, seed=7)
    assert shuffled.spearman_mean == pytest.approx(first.spearman_mean, abs=0.01)


def test_relabelling_items_changes_no_digit():
    judgements = simulated()
    label = np.random.default_rng(1).permutation(judgements.n_items)
    moved = Judgements(label[judgements.items], label[judgements.best], label[judgements.worst], judgements.n_items)
    for unit in ("judgements", "tuples"):
        one, other = (split_correlations(j, splits=20, seed=1, unit=unit)[0] for j in (judgements, moved))
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_the_json_says_what_was_counted():
    figures = split_half_reliability(simulated(), splits=10).as_dict()
    assert list(figures) == [
        *("spearman", "pearson", "splits", "items", "tuples", "annotations", "items_dropped", "unit", "annotators")
    ]
    assert set(figures["spearman"]) == set(figures["pearson"]) == {"mean", "sd"}
    counted = [figures[name] for name in ("splits", "items", "tuples", "annotations", "items_dropped", "unit")]
    assert counted == [10, 120, 240, 480, 0, "judgements"]
    json.dumps(figures, allow_nan=False)


def test_items_in_one_half_only_are_left_out_and_counted():
    # Items 6 to 8 are in one tuple: split by tuples they are never in both halves.
    judgements = Judgements(
        [[0, 1, 2], [0, 2, 1], [0, 1, 3], [1, 2, 3], [6, 7, 8]], [0, 0, 0, 1, 6], [2, 2, 3, 3, 8], 9
    )
    result = split_half_reliability(judgements, splits=50, unit="tuples")
    assert result.items == 7
    assert result.items_dropped >= 3


@pytest.mark.parametrize("unit", ["judgements", "tuples"])
@pytest.mark.parametrize(
    ("judgements", "reason"),
    [
        (Judgements(np.zeros((0, 4), dtype=int), [], [], 5), "There are no judgements"),
        (Judgements([[0, 1, 2]], [0], [1], 3), "10 of 10 splits"),
        (Judgements([[0, 1]] * 4, [0, 0, 0, 0], [0, 0, 0, 0], 2), "10 of 10 splits"),
    ],
)
def test_what_is_undefined_is_none_with_its_reason(judgements, reason, unit):
    result = split_half_reliability(judgements, splits=10, unit=unit)
    assert result.spearman_mean is None
    assert result.pearson_sd is None
    assert reason in result.as_dict()["reason"]


def test_progress_reaches_the_number_of_splits():
    seen = []
    split_half_reliability(simulated(), splits=300, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (300, 300)
    assert len(seen) > 1


@pytest.mark.nightly
def test_the_two_ways_of_splitting_bracket_an_independent_repeat():
    truth = np.random.default_rng(1).normal(0, 1.5, 400)
    within, whole, repeated = [], [], []
    for seed in range(1, 13):
        judgements = simulate_judgements(best_worst_design(400, seed=seed), truth, seed=seed)
        within.append(split_half_reliability(judgements, splits=30).spearman_mean)
        whole.append(split_half_reliability(judgements, splits=30, unit="tuples").spearman_mean)
        half = [best_worst_design(400, factor=1, seed=100 * seed + n) for n in (1, 2)]
        collected = [simulate_judgements(half[n], truth, seed=1000 * seed + n) for n in (0, 1)]
        repeated.append(spearman(*(counting_scores(j).score for j in collected)))
    assert np.mean(whole) < np.mean(repeated) < np.mean(within)


def test_the_forecast_comes_true_in_a_simulation():
    """If the forecast requires twice the judgements, the judgements on new tuples must reach the target reliability."""
    truth = np.random.default_rng(1).normal(0, 1.5, 600)
    present = simulate_judgements(best_worst_design(600), truth, seed=1)
    r = split_half_reliability(present, splits=200, unit="tuples").spearman_mean
    target = spearman_brown(spearman_brown(r))
    assert judgements_needed(r, target, len(present)) == pytest.approx(2 * len(present), abs=1)
    twice = [simulate_judgements(best_worst_design(600, factor=4, seed=n), truth, seed=n) for n in (11, 12)]
    assert spearman(*(counting_scores(j).score for j in twice)) == pytest.approx(target, abs=0.015)


@pytest.mark.parametrize(
    ("r", "target", "present", "needed"),
    [(0.8, 0.9, 1000, 1125), (0.9, 0.9, 1000, 500), (0.741, 0.9, 1600, 2517), (1.0, 0.9, 50, 0), (0.0, 0.9, 50, None)],
)
def test_judgements_needed_by_hand(r, target, present, needed):
    assert judgements_needed(r, target, present) == needed


@given(st.floats(0.01, 0.99), st.integers(1, 10**6))
def test_what_is_there_suffices_for_the_reliability_that_it_has(r, present):
    assert judgements_needed(r, spearman_brown(r), present) == present


def test_impossible_requests_are_refused():
    for target in (0.0, 1.0, 90.0):
        with pytest.raises(ValueError, match="between 0 and 1"):
            judgements_needed(0.8, target, 100)
    with pytest.raises(ValueError, match="between -1 and 1"):
        spearman_brown(-1.01)
    with pytest.raises(ValueError, match="number of splits must be at least 1"):
        split_half_reliability(simulated(), splits=0)
    with pytest.raises(ValueError, match="'judgements' or 'tuples'"):
        split_half_reliability(simulated(), unit="annotators")
    with pytest.raises(ValueError, match="once"):
        reliability_by_amount(simulated(), order=[0, 0, 1])
    with pytest.raises(ValueError, match="fraction"):
        reliability_by_amount(simulated(), fractions=[0.5, 1.5])
    with pytest.raises(ValueError, match="at least one judgement"):
        reliability_by_judgements(simulated(), [0])


def test_levels_take_so_many_judgements_of_every_tuple():
    judgements = simulated(per_tuple=6)
    results = reliability_by_judgements(judgements, splits=50)
    assert [result.judgements_per_tuple for result in results] == [2, 4, 6]
    assert all(result.tuples == 240 for result in results)
    means = [result.spearman_mean for result in results]
    assert means == sorted(means)
    assert results[-1] == split_half_reliability(judgements.take(np.arange(len(judgements))), splits=50)


def test_a_level_that_under_half_of_the_tuples_reach_is_left_out():
    judgements = simulated(per_tuple=4)
    fewer = judgements.take(np.r_[0:480, 480 : 480 + 100, 720 : 720 + 100])
    assert [result.judgements_per_tuple for result in reliability_by_judgements(fewer, splits=5)] == [2]
    assert [result.tuples for result in reliability_by_judgements(fewer, [2, 4], splits=5)] == [240]


def test_reliability_grows_with_the_amount_in_the_order_given():
    judgements = simulated(n_items=200, per_tuple=4)
    seen = []
    points = reliability_by_amount(
        judgements, fractions=[0.25, 0.5, 1.0], splits=40, progress=lambda done, total: seen.append((done, total))
    )
    assert [point.judgements for point in points] == [400, 800, 1600]
    assert seen[-1] == (240, 240)
    assert [point.whole_tuples.unit for point in points] == ["tuples"] * 3
    for way in ("within_tuples", "whole_tuples"):
        means = [getattr(point, way).spearman_mean for point in points]
        assert means == sorted(means)
    backwards = np.arange(len(judgements))[::-1]
    last = reliability_by_amount(judgements, backwards, [0.25], splits=40)[0]
    expected = split_half_reliability(judgements.take(backwards[:400]), splits=40)
    assert last.within_tuples == expected


@pytest.mark.nightly
@pytest.mark.parametrize("unit", ["judgements", "tuples"])
def test_maxdiff_reliability_against_all_splits(unit):
    """The mean over random splits must equal the mean over all splits of six tuples, which a loop enumerates."""
    items = np.array([[0, 1, 2, 3], [0, 1, 4, 5], [2, 3, 4, 5], [0, 2, 4, 1], [1, 3, 5, 0], [2, 5, 3, 1]])
    items = np.repeat(items, 2, axis=0)
    generator = np.random.default_rng(3)
    noisy = items + generator.normal(0, 1.2, items.shape)
    rows = np.arange(len(items))
    judgements = Judgements(items, items[rows, noisy.argmax(axis=1)], items[rows, noisy.argmin(axis=1)], 6)
    tuples = tuple_index(judgements)
    exact = []
    for chosen in itertools.product([False, True], repeat=6):
        half = np.array(chosen)[tuples] ^ (rows % 2 == 1) if unit == "judgements" else np.array(chosen)[tuples]
        if unit == "judgements" or sum(chosen) == 3:
            one, other = (maxdiff_scores(judgements.take(part)).utility for part in (half, ~half))
            both = np.isfinite(one) & np.isfinite(other)
            exact.append(scipy.stats.spearmanr(one[both], other[both]).statistic)
    found = maxdiff_reliability(judgements, splits=150, seed=2, unit=unit)
    assert found.spearman_mean == pytest.approx(np.mean(exact), abs=4 * np.std(exact) / np.sqrt(150))
    assert found.spearman_sd == pytest.approx(np.std(exact), rel=0.3)
    assert (found.items, found.tuples, found.annotations, found.splits) == (6, 6, 12, 150)


def test_maxdiff_reliability_excludes_inconsistent_judgements():
    judgements = Judgements([[0, 1, 2, 3]] * 3, [0, 1, 2], [3, 1, 2], 4)
    assert maxdiff_reliability(judgements, splits=3).annotations == 1
    nothing = maxdiff_reliability(judgements.take(np.array([1, 2])), splits=3)
    assert (nothing.spearman_mean, nothing.reason) == (None, "There are no judgements.")
