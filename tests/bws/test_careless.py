"""Tests of the signs of careless annotators, compared with loops, scipy's χ² and simulated careless annotators."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.careless import (
    _growing_squares,
    _uniform_squares,
    agreement_with_others,
    median_seconds,
    position_bias,
)
from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.scoring import Judgements
from accord_core.bws.numerics.simulation import simulate_judgements
from tests.bws.test_scoring import judgements_as_found


def careful_positions(n: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    best = generator.integers(0, size, n)
    return best, (best + generator.integers(1, size, n)) % size


@pytest.mark.parametrize(("size", "n"), [(3, 40), (4, 10), (4, 300), (6, 1000)])
def test_chi2_is_scipys_and_p_near_its_distribution(size, n):
    best, worst = careful_positions(n, size, seed=n)
    found = position_bias(best, worst, size)
    observed = found.counts[~np.eye(size, dtype=bool)]
    expected = scipy.stats.chisquare(observed)
    assert found.n == n == found.counts.sum()
    assert found.chi2 == pytest.approx(expected.statistic)
    assert found.degrees == size * (size - 1) - 1
    if n >= 300:
        assert found.p == pytest.approx(expected.pvalue, abs=0.02)


@pytest.mark.parametrize(("rarer", "ways"), [(0, 2), (1, 22), (2, 112), (3, 352), (5, 1024)])
def test_p_is_that_of_counting_all_answers_there_could_be(rarer, ways):
    """Two items have two cells, so the exact number of the 2¹⁰ sequences of ten answers that are at least as uneven can
    be counted.
    """
    best = np.array([0] * (10 - rarer) + [1] * rarer)
    found = position_bias(best, 1 - best, 2)
    exact = ways / 2**10
    assert found.p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 100_000) + 2e-5)


def test_a_careful_annotator_is_seldom_flagged_and_a_lazy_one_is():
    flagged, below_a_tenth = 0, 0
    for seed in range(400):
        found = position_bias(*careful_positions(60, 4, seed), 4)
        flagged += found.flagged
        below_a_tenth += found.p < 0.1
    assert flagged <= 4
    assert below_a_tenth / 400 == pytest.approx(0.1, abs=0.05)
    assert position_bias([0] * 12, [3] * 12, 4).flagged
    best, worst = careful_positions(60, 4, 1)
    best[:30], worst[:30] = 0, 1
    assert position_bias(best, worst, 4).flagged


def test_p_is_seeded_and_below_ten_answers_there_is_none():
    best, worst = careful_positions(20, 4, 3)
    first = position_bias(best, worst, 4, seed=1)
    assert first.p == position_bias(best[::-1], worst[::-1], 4, seed=1).p
    assert first.p == pytest.approx(position_bias(best, worst, 4, seed=2).p, abs=0.02)
    assert position_bias(best[:9], worst[:9], 4) is None
    assert position_bias([], [], 4) is None


@pytest.mark.nightly
def test_p_does_not_depend_on_who_was_tested_before():
    """Null distributions are cached, and a longer distribution for an annotator with more answers must not change a
    shorter one.
    """
    best, worst = careful_positions(30, 4, 3)
    alone = position_bias(best, worst, 4, seed=77).p
    _uniform_squares.cache_clear()
    _growing_squares.cache_clear()
    long = _growing_squares(256, 12, 100_000, 77)[30]
    for mine, other in zip(long, _uniform_squares(30, 12, 100_000, 77), strict=True):
        np.testing.assert_array_equal(mine, other)
    assert position_bias(best, worst, 4, seed=77).p == alone


@pytest.mark.nightly
@pytest.mark.parametrize("n", [12, 200])
def test_samples_grown_by_an_answer_are_those_drawn_whole(n):
    sums, at_least = _growing_squares(256, 12, 100_000, 1)[n]
    whole = (np.random.default_rng(5).multinomial(n, np.full(12, 1 / 12), size=100_000) ** 2).sum(axis=1)
    for quantile in (0.5, 0.9, 0.99):
        value = np.quantile(whole, quantile)
        grown = at_least[np.searchsorted(sums, value)] / 100_000
        assert grown == pytest.approx((whole >= value).mean(), abs=0.01)


@given(st.integers(0, 10**6), st.permutations(range(4)))
def test_renaming_the_positions_changes_nothing(seed, label):
    best, worst = careful_positions(30, 4, seed)
    one, other = (position_bias(b, w, 4) for b, w in ((best, worst), (np.array(label)[best], np.array(label)[worst])))
    assert (one.chi2, one.p) == (other.chi2, other.p)


def test_impossible_positions_are_refused():
    with pytest.raises(ValueError, match="In answer 1, the best position is 4"):
        position_bias([0, 4], [1, 1], 4)
    with pytest.raises(ValueError, match="two positions must be different numbers from 0 to 3"):
        position_bias([2], [2], 4)


@given(judgements_as_found(n_items=5, size=3))
def test_agreement_is_what_loops_over_the_others_find(judgements):
    found = agreement_with_others(judgements)
    rows = list(
        zip(
            map(frozenset, judgements.items.tolist()),
            judgements.best,
            judgements.worst,
            judgements.annotator,
            strict=True,
        )
    )
    for annotator in range(len(found.share)):
        best, worst = [], []
        for items, b, w, who in rows:
            others = [row for row in rows if row[0] == items and row[3] != who]
            if who == annotator and others:
                best.append(np.mean([b == other for _, other, _, _ in others]))
                worst.append(np.mean([w == other for _, _, other, _ in others]))
        assert found.judgements[annotator] == len(best)
        if best:
            assert found.best[annotator] == pytest.approx(np.mean(best))
            assert found.worst[annotator] == pytest.approx(np.mean(worst))
            assert found.share[annotator] == pytest.approx((np.mean(best) + np.mean(worst)) / 2)
        else:
            assert np.isnan([found.share[annotator], found.best[annotator], found.worst[annotator]]).all()


def test_whoever_chooses_at_random_agrees_least():
    truth = np.random.default_rng(1).normal(0, 2, 400)
    judgements = simulate_judgements(best_worst_design(400), truth, per_tuple=3, annotators=20, careless=0.2)
    share = agreement_with_others(judgements).share
    assert share[:4].max() < share[4:].min()
    assert share[:4].mean() == pytest.approx(0.25, abs=0.04)


def test_agreement_needs_to_know_who_answered():
    with pytest.raises(ValueError, match="do not name their annotators"):
        agreement_with_others(Judgements([[0, 1, 2]], [0], [2], 3))
    nobody = Judgements(np.zeros((0, 4), dtype=int), [], [], 3, np.zeros(0, dtype=int))
    assert agreement_with_others(nobody).share.shape == (0,)


@given(st.lists(st.tuples(st.integers(0, 4), st.one_of(st.just(math.nan), st.floats(0, 1e4))), max_size=40))
def test_median_seconds_are_the_standard_librarys(answers):
    who, seconds = [a for a, _ in answers], [s for _, s in answers]
    found = median_seconds(np.array(who, dtype=int), np.array(seconds))
    assert len(found) == max(who, default=-1) + 1
    for annotator, value in enumerate(found):
        own = [s for a, s in answers if a == annotator and not math.isnan(s)]
        assert (math.isnan(value) and not own) or value == pytest.approx(statistics.median(own))
