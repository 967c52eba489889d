"""Tests of the forecast of the time at which a study is complete."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.draws import generator
from accord_core.numerics.pace import LONGEST, Forecast, hours_needed

PACES = st.lists(st.integers(0, 40), min_size=24 * 5, max_size=24 * 8).filter(lambda counts: any(counts[-24:]))


def ends(counts: list[int], remaining: int) -> list[float]:
    """Return the three times of the forecast. Times without a date are one hour longer than the limit."""
    result = hours_needed(counts, remaining)
    assert result is not None
    return [LONGEST + 1.0 if hours is None else hours for hours in (result.low, result.expected, result.high)]


@pytest.mark.parametrize("hours", [24 * 5, 24 * 7])
def test_a_constant_pace_has_an_exact_end(hours: int) -> None:
    assert ends([8] * hours, 100) == pytest.approx([12.5] * 3)
    assert ends([8] * hours, 0) == [0.0] * 3


@given(PACES, st.integers(1, 3_000))
def test_the_expected_end_lies_within_the_interval(counts: list[int], remaining: int) -> None:
    low, expected, high = ends(counts, remaining)
    assert 0 < low <= expected * (1 + 1e-9)
    assert expected <= high * (1 + 1e-9)


@given(PACES, st.lists(st.integers(0, 3_000), min_size=2, max_size=4))
def test_more_work_never_ends_earlier(counts: list[int], remaining: list[int]) -> None:
    for less, more in pairwise(sorted(remaining)):
        assert all(a <= b * (1 + 1e-9) for a, b in zip(ends(counts, less), ends(counts, more), strict=True))


@given(PACES, st.integers(1, 3_000), st.integers(2, 9))
def test_the_unit_of_work_does_not_matter(counts: list[int], remaining: int, factor: int) -> None:
    scaled = ends([factor * count for count in counts], factor * remaining)
    assert scaled == pytest.approx(ends(counts, remaining), rel=1e-6)


def test_the_forecast_follows_the_hours_of_the_day() -> None:
    """Annotators work from 8 to 18 h only, and it is now midnight."""
    day = [0] * 8 + [10] * 10 + [0] * 6
    assert ends(day * 6, 150) == pytest.approx([24 + 8 + 5] * 3)


@pytest.mark.parametrize("hours", [18, 30, 24 * 5 - 1])
def test_there_is_no_interval_in_the_first_five_days(hours: int) -> None:
    assert hours_needed([8] * hours, 100) == Forecast(None, pytest.approx(12.5), None)


@pytest.mark.parametrize("counts", [[], [5] * 17, [0] * 50, [9] + [0] * 24 * 3])
def test_without_recent_work_there_is_no_forecast(counts: list[int]) -> None:
    assert hours_needed(counts, 10) is None


def test_an_end_after_more_than_a_year_has_no_date() -> None:
    assert hours_needed([1] * 24 * 7, 1_000_000) == Forecast(None, None, None)
    uneven = hours_needed([0] * 24 * 4 + [10] * 24, 960)  # the mean pace may be 0
    assert uneven is not None
    assert uneven.expected == pytest.approx(24 * 20)
    assert uneven.high is None


@pytest.mark.parametrize("days", [5, 7])
def test_the_interval_contains_the_end_nine_times_in_ten(days: int) -> None:
    """The pace of these studies differs at random between days, and follows the hours of the day."""
    rng = generator("coverage", days)
    shape = np.array([0.2] * 8 + [2.0] * 12 + [0.6] * 4)
    inside = 0
    for _ in range(400):
        factors = rng.gamma(12, 1 / 12, size=40)
        counts = rng.poisson(30 * (factors[:, None] * shape).ravel())
        past, future = counts[: 24 * days], counts[24 * days :]
        low, _, high = ends(past.tolist(), 3_000)
        inside += low - 1 <= int((future.cumsum() < 3_000).sum()) <= high
    assert 0.86 <= inside / 400 <= 0.99
