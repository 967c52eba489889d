"""Tests of Wilson's interval, compared with SciPy and at its limits."""

import itertools

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.intervals import wilson_interval, wilson_rank
from accord_core.numerics.printed import share_of


@given(st.integers(1, 3_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_is_scipys_wilson_interval(counts: tuple[int, int]) -> None:
    right, given_answers = counts
    expected = scipy.stats.binomtest(right, given_answers).proportion_ci(method="wilson")
    assert wilson_interval(right, given_answers) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_without_trials_there_is_none() -> None:
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize("successes", [-1, 4])
def test_more_successes_than_trials_are_refused(successes: int) -> None:
    with pytest.raises(ValueError, match=f"cannot be {successes} in 3 trials"):
        wilson_interval(successes, 3)


rates = st.integers(1, 200).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@given(st.lists(rates, min_size=2, max_size=8))
def test_rates_are_ranked_as_by_scipys_lower_wilson_bound(counts: list[tuple[int, int]]) -> None:
    ranked = sorted(counts, key=lambda each: wilson_rank(*each))
    bounds = [scipy.stats.binomtest(*each).proportion_ci(method="wilson").low for each in ranked]
    assert all(low <= high + 1e-9 for low, high in itertools.pairwise(bounds))


@given(rates)
def test_more_trials_and_more_successes_never_lower_the_rank(counts: tuple[int, int]) -> None:
    right, trials = counts
    assert wilson_rank(2 * right, 2 * trials) >= wilson_rank(right, trials)
    assert wilson_rank(right + 1, trials + 1) >= wilson_rank(right, trials) >= wilson_rank(right, trials + 1)


def test_a_perfect_rate_in_few_trials_ranks_below_a_high_rate_in_many() -> None:
    assert wilson_rank(2, 2) < wilson_rank(19, 20)
    assert wilson_rank(0, 0) == 0


@given(rates)
def test_a_percentage_is_never_stated_of_fewer_than_ten(counts: tuple[int, int]) -> None:
    right, trials = counts
    text = share_of(right, trials)
    assert text == (f"{right} of {trials}" if trials < 10 else f"{100 * right / trials:.0f}%")

    assert share_of(right, trials, right / trials) == text


def test_a_share_of_parts_of_answers_is_not_stated_as_a_number_of_answers() -> None:
    assert share_of(0, 8, 0.4) == "40%"
    assert share_of(11, 12, 0.7999) == "79%"  # below a pass mark of 80%
