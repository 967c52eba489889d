"""Tests of Wilson's interval, compared with SciPy and at its limits."""

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from annotate.numerics.intervals import wilson_interval


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
