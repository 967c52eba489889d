"""Tests of counting scores, compared with loops and a bootstrap, and of ranks and correlations, compared with scipy."""

from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.scoring import (
    Judgements,
    consistent,
    counting_scores,
    counting_standard_errors,
    drop_inconsistent,
    midranks,
    pearson,
    spearman,
    tuple_index,
    unit_scale,
)
from accord_core.bws.numerics.simulation import choose_best_worst, simulate_judgements

N_ITEMS = 9


@st.composite
def judgements_as_found(draw, n_items: int = N_ITEMS, size: int = 4) -> Judgements:
    """Return rows like in published files: repeated items in a row, the same item as best and worst, and items that are
    never shown.
    """
    row = st.lists(st.integers(0, n_items - 1), min_size=size, max_size=size).flatmap(
        lambda items: st.tuples(st.just(items), st.sampled_from(items), st.sampled_from(items), st.integers(0, 4))
    )
    rows = draw(st.lists(row, min_size=1, max_size=30))
    items, best, worst, annotator = (np.array(column) for column in zip(*rows, strict=True))
    return Judgements(items, best, worst, n_items, annotator)


@given(judgements_as_found())
def test_counting_is_what_a_loop_counts(judgements):
    scores = counting_scores(judgements)
    rows = list(zip(judgements.items.tolist(), judgements.best.tolist(), judgements.worst.tolist(), strict=True))
    for item in range(N_ITEMS):
        shown = sum(item in set(items) for items, _, _ in rows)
        best, worst = sum(b == item for _, b, _ in rows), sum(w == item for _, _, w in rows)
        assert (scores.best[item], scores.worst[item], scores.appearances[item]) == (best, worst, shown)
        if shown:
            assert scores.score[item] == (best - worst) / shown
            assert -1 <= scores.score[item] <= 1
        else:
            assert math.isnan(scores.score[item])


@given(judgements_as_found(), st.randoms(use_true_random=False))
def test_scores_and_errors_follow_items_whatever_the_order_of_rows_and_the_labels(judgements, random):
    rows = np.array(random.sample(range(len(judgements)), len(judgements)))
    label = np.array(random.sample(range(N_ITEMS), N_ITEMS))
    moved = Judgements(
        label[judgements.items[rows]], label[judgements.best[rows]], label[judgements.worst[rows]], N_ITEMS
    )
    np.testing.assert_array_equal(counting_scores(judgements).score, counting_scores(moved).score[label])
    np.testing.assert_allclose(
        counting_standard_errors(judgements), counting_standard_errors(moved)[label], rtol=1e-12, atol=1e-15
    )


def test_the_scale_from_0_to_1_keeps_what_is_missing():
    np.testing.assert_array_equal(unit_scale([-1.0, 0.0, 0.5, 1.0, math.nan]), [0.0, 0.5, 0.75, 1.0, math.nan])


def test_rows_with_one_item_best_and_worst_count_until_they_are_dropped():
    judgements = Judgements([[0, 1, 2], [0, 1, 2]], [0, 1], [2, 1], 3, [7, 8])
    assert counting_scores(judgements).score.tolist() == [0.5, 0.0, -0.5]
    assert consistent(judgements).tolist() == [True, False]
    kept, dropped = drop_inconsistent(judgements)
    assert dropped == 1
    assert kept.annotator.tolist() == [7]
    assert counting_scores(kept).score.tolist() == [1.0, 0.0, -1.0]


@given(judgements_as_found())
def test_a_tuple_is_its_set_of_items_numbered_by_first_appearance(judgements):
    number: dict[frozenset[int], int] = {}
    expected = [number.setdefault(frozenset(row), len(number)) for row in judgements.items.tolist()]
    assert tuple_index(judgements).tolist() == expected


@given(judgements_as_found())
def test_standard_errors_are_those_of_a_ratio_over_tuples(judgements):
    errors = counting_standard_errors(judgements)
    net: dict[int, Counter] = {item: Counter() for item in range(N_ITEMS)}
    times: dict[int, Counter] = {item: Counter() for item in range(N_ITEMS)}
    for items, best, worst in zip(judgements.items.tolist(), judgements.best, judgements.worst, strict=True):
        for item in set(items):
            times[item][frozenset(items)] += 1
            net[item][frozenset(items)] += int(best == item) - int(worst == item)
    for item in range(N_ITEMS):
        tuples = len(times[item])
        if tuples < 2:
            assert math.isnan(errors[item])
            continue
        total = sum(times[item].values())
        score = sum(net[item].values()) / total
        squares = sum((net[item][t] - score * times[item][t]) ** 2 for t in times[item])
        assert errors[item] == pytest.approx(math.sqrt(tuples / (tuples - 1) * squares) / total, abs=1e-12)


def test_standard_errors_agree_with_a_bootstrap_over_tuples():
    generator = np.random.default_rng(3)
    judgements = simulate_judgements(best_worst_design(120, factor=6), generator.normal(size=120), seed=4)
    tuples = tuple_index(judgements)
    count = tuples.max() + 1
    net, shown = np.zeros((count, 120)), np.zeros((count, 120))
    np.add.at(net, (tuples, judgements.best), 1)
    np.add.at(net, (tuples, judgements.worst), -1)
    np.add.at(shown, (tuples[:, None], judgements.items), 1)
    drawn = generator.multinomial(count, np.full(count, 1 / count), size=2000)
    bootstrap = np.std((drawn @ net) / (drawn @ shown), axis=0)
    ratio = counting_standard_errors(judgements) / bootstrap
    assert np.median(ratio) == pytest.approx(1.0, abs=0.04)
    assert ratio.min() > 0.85
    assert ratio.max() < 1.2


@pytest.mark.nightly
def test_standard_errors_match_the_spread_over_fresh_collections_and_independence_would_not():
    truth = np.random.default_rng(1).normal(0, 1.5, 200)
    scores, clustered, independent = [], [], []
    for seed in range(1, 41):
        judgements = simulate_judgements(best_worst_design(200, seed=seed), truth, seed=seed)
        counted = counting_scores(judgements)
        scores.append(counted.score)
        clustered.append(counting_standard_errors(judgements) ** 2)
        chosen = (counted.best + counted.worst) / counted.appearances
        independent.append((chosen - counted.score**2) / counted.appearances)
    spread = np.sqrt(np.mean(np.var(scores, axis=0, ddof=1)))
    assert np.sqrt(np.mean(clustered)) / spread == pytest.approx(1.0, abs=0.04)
    assert np.sqrt(np.mean(independent)) / spread < 0.93


@given(st.lists(st.integers(-5, 5).map(lambda x: x / 4), min_size=1, max_size=40))
def test_midranks_are_scipys(values):
    assert midranks(values).tolist() == scipy.stats.rankdata(values).tolist()


@given(st.lists(st.tuples(st.integers(-4, 4), st.floats(-10, 10, width=16)), max_size=40))
def test_correlations_are_scipys_and_none_where_undefined(pairs):
    x, y = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    if len(pairs) < 2 or len(set(x)) < 2 or len(set(y)) < 2:
        assert spearman(x, y) is None
        assert pearson(x, y) is None
        return
    assert spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-9)
    assert pearson(x, y) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-6)


def test_a_missing_value_has_no_rank():
    with pytest.raises(ValueError, match="NaN"):
        midranks([1.0, math.nan])
    with pytest.raises(ValueError, match="equal length"):
        pearson([1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("items", "best", "worst", "annotator", "message"),
    [
        ([[0, 1, 2], [0, 1, 2]], [0, 4], [1, 1], None, r"Row 1: the best item, 4, is not one of the items \[0, 1, 2\]"),
        ([[0, 1, 2]], [0], [3], None, "Row 0: the worst item, 3, is not one of"),
        ([[0, 1, 5]], [0], [1], None, r"Row 0 has the items \[0, 1, 5\], but indexes must be from 0 to 4"),
        ([[0, 1, 2]], [0, 1], [1], None, r"`best` has the shape \(2,\)"),
        ([0, 1, 2], [0], [1], None, r"`items` has the shape \(3,\)"),
        ([[0]], [0], [0], None, "at least two items"),
        ([[0, 1]], [0], [1], [-1], "the annotator number -1 is negative"),
        ([[0.0, 1.0]], [0], [1], None, "must be integers"),
    ],
)
def test_impossible_judgements_are_refused_by_row(items, best, worst, annotator, message):
    with pytest.raises(ValueError, match=message):
        Judgements(np.array(items), np.array(best), np.array(worst), 5, annotator)


def test_no_judgements_score_nothing():
    nothing = Judgements(np.zeros((0, 4), dtype=int), [], [], 3)
    assert np.isnan(counting_scores(nothing).score).all()
    assert np.isnan(counting_standard_errors(nothing)).all()
    assert tuple_index(nothing).tolist() == []


def test_scoring_and_reliability_start_without_scipy():
    code = (
        "import sys; from accord_core.bws.numerics import careless, maxdiff, reliability, scoring;"
        "sys.exit('scipy' in sys.modules or 'django' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=5))
def test_a_draw_falls_to_each_pair_of_positions_by_its_maxdiff_share(utilities):
    k, draws = len(utilities), 500
    counts = Counter(choose_best_worst(utilities, (step + 0.5) / draws) for step in range(draws))
    weight = {(i, j): math.exp(utilities[i] - utilities[j]) for i in range(k) for j in range(k) if i != j}
    total = sum(weight.values())
    for pair, share in weight.items():
        assert counts[pair] / draws == pytest.approx(share / total, abs=1.01 / draws)
    assert choose_best_worst(utilities, math.nextafter(1, 0)) == (k - 1, k - 2)


def test_simulated_judgements_are_seeded_by_different_annotators_and_careless_as_told():
    tuples = best_worst_design(300)
    truth = np.linspace(-20, 20, 300)
    judgements = simulate_judgements(tuples, truth, per_tuple=3, annotators=10, careless=0.3, seed=5)
    again = simulate_judgements(tuples, truth, per_tuple=3, annotators=10, careless=0.3, seed=5)
    np.testing.assert_array_equal(judgements.best, again.best)
    assert len(judgements) == 3 * len(tuples)
    number = tuple_index(judgements)
    assert len(set(zip(number.tolist(), judgements.annotator.tolist(), strict=True))) == len(judgements)
    right = judgements.best == judgements.items.max(axis=1)
    careless = judgements.annotator < 3
    assert right[careless].mean() == pytest.approx(0.25, abs=0.05)
    assert right[~careless].mean() > 0.8
    assert consistent(judgements).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"per_tuple": 4, "annotators": 3}, "3 annotators cannot give 4 judgements per tuple"),
        ({"careless": 1.5}, "between 0 and 1"),
        ({"tuples": [[0, 0, 1]]}, "repeats an item"),
    ],
)
def test_a_simulation_that_cannot_be_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_judgements(**{"tuples": [[0, 1, 2]], "utility": [0.0, 1.0, 2.0], **arguments})
    with pytest.raises(ValueError, match="less than 1"):
        choose_best_worst([0.0, 1.0], 1.0)


def test_both_published_conventions_for_a_row_that_repeats_an_item():
    """The published scoring script adds an appearance for each cell, and the published reliability script adds an
    appearance for each different item of the row.
    """
    rows = [["a", "a", "b", "c"], ["a", "b", "c", "d"]]
    best, worst = ["a", "d"], ["b", "b"]
    names = "abcd"
    items = np.array([[names.index(item) for item in row] for row in rows])
    chosen = ([names.index(item) for item in choices] for choices in (best, worst))
    judgements = Judgements(items, *map(np.array, chosen), 4)
    net = [best.count(name) - worst.count(name) for name in names]
    by_cell = [net[n] / sum(row.count(name) for row in rows) for n, name in enumerate(names)]
    by_row = [net[n] / sum(name in row for row in rows) for n, name in enumerate(names)]
    assert counting_scores(judgements).score.tolist() == pytest.approx(by_row)
    assert counting_scores(replace(judgements, repeats="cells")).score.tolist() == pytest.approx(by_cell)
    assert by_row != by_cell
