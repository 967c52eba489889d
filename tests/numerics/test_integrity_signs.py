"""Integrity indicators: their formulas against brute force, and the list of shown indicators against the benchmark."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.signs import (
    FEWEST_ANSWERS,
    HIGH,
    LONGEST_LAG,
    ORDINARY,
    SHOWN,
    AnswersGiven,
    evenness,
    less_unusual,
    relative_times,
    repetition,
    sign_values,
    thirds,
)
from annotate.integrity.selectors import TEXTS, Sign
from bench.careless_answers import ANY, CARELESS_GROUPS, HONEST_GROUPS, MOST, measure, shown

VALUES = st.lists(st.none() | st.integers(0, 6), min_size=1, max_size=30)


# ── percentiles ───────────────────────────────────────────────────────────────────────────────────────────────────
@given(VALUES, st.sampled_from(["repeated_answers", "low_agreement"]))
def test_the_rank_counts_the_others_with_a_less_unusual_value(values: list[int | None], name: str) -> None:
    high = HIGH[name]
    counts, known = less_unusual(name, [math.nan if value is None else value for value in values])
    numbers = [value for value in values if value is not None]
    assert known == len(numbers)
    for value, count in zip(values, counts.tolist(), strict=True):
        less = [other for other in numbers if value is not None and (other < value if high else other > value)]
        assert count == len(less)


@given(st.sampled_from(sorted(HIGH)), st.floats(0, 1), st.integers(1, 30))
def test_a_value_that_all_annotators_share_is_never_unusual(name: str, value: float, annotators: int) -> None:
    counts, known = less_unusual(name, [value] * annotators)
    assert counts.tolist() == [0] * known


@given(st.sampled_from(sorted(ORDINARY)), st.lists(st.floats(0, 2), min_size=2, max_size=30))
def test_ordinary_values_are_never_unusual_and_never_change_the_rank_of_others(name: str, values: list[float]) -> None:
    counts, _ = less_unusual(name, values)
    is_ordinary = [value <= ORDINARY[name] if HIGH[name] else value >= ORDINARY[name] for value in values]
    replaced = [ORDINARY[name] if ordinary else value for value, ordinary in zip(values, is_ordinary, strict=True)]
    assert counts.tolist() == less_unusual(name, replaced)[0].tolist()
    assert all(count == 0 for count, ordinary in zip(counts.tolist(), is_ordinary, strict=True) if ordinary)


@given(st.integers(1, 300).flatmap(lambda others: st.tuples(st.integers(0, others), st.just(others))))
def test_the_words_never_claim_more_than_the_figures(counts: tuple[int, int]) -> None:
    fewer, others = counts
    words = Sign("short_times", 0.2, fewer, others).comparison
    if fewer == 0:
        assert words == ""
    elif fewer == others:
        assert words == f"Faster than all {others} other annotators"
    else:
        claimed = int(words.removeprefix("Faster than ").partition("%")[0])
        assert words == f"Faster than {claimed}% of the {others} other annotators"
        assert claimed / 100 <= fewer / others < (claimed + 1) / 100 + 1e-12


# ── times ─────────────────────────────────────────────────────────────────────────────────────────────────────────
TIMES = st.lists(st.tuples(st.floats(0.5, 600), st.integers(1, 2000)), min_size=1, max_size=60)


@given(TIMES, st.floats(0.1, 10))
def test_relative_times_do_not_depend_on_the_unit_and_are_usual_at_the_median(
    answers: list[tuple[float, int]], factor: float
) -> None:
    seconds, length = (np.array(column, dtype=float) for column in zip(*answers, strict=True))
    relative = relative_times(seconds, length)
    assert relative == pytest.approx(relative_times(seconds * factor, length), abs=1e-9)
    assert (relative <= 1e-9).any()
    assert (relative >= -1e-9).any()


def test_relative_times_follow_the_length_of_the_text() -> None:
    length = np.tile(np.arange(100, 1100, 10.0), 4)
    relative = relative_times(length / 20, length)
    assert np.abs(relative).max() < 0.5
    assert np.median(np.abs(relative)) < 0.05
    fast = relative_times(np.where(np.arange(400) % 8 == 0, length / 60, length / 20), length)
    assert np.median(fast[::8]) == pytest.approx(-math.log(3), abs=0.1)


def test_unknown_times_and_lengths_have_no_relative_time() -> None:
    relative = relative_times([4.0, math.nan, 4.0], [10.0, 10.0, math.nan])
    assert relative.tolist() == [0, pytest.approx(math.nan, nan_ok=True), pytest.approx(math.nan, nan_ok=True)]
    assert np.isnan(relative_times([math.nan], [3.0])).all()


# ── patterns ──────────────────────────────────────────────────────────────────────────────────────────────────────
@given(st.lists(st.integers(0, 4), min_size=1, max_size=LONGEST_LAG), st.integers(FEWEST_ANSWERS, 50))
def test_a_sequence_of_up_to_eight_answers_that_repeats_is_complete_repetition(pattern: list[int], n: int) -> None:
    assert repetition([pattern[place % len(pattern)] for place in range(n)]) == 1


@given(st.lists(st.integers(0, 4), min_size=FEWEST_ANSWERS, max_size=60), st.permutations(range(5)))
def test_repetition_is_a_share_that_does_not_depend_on_the_names_of_the_answers(
    codes: list[int], names: list[int]
) -> None:
    share = repetition(codes)
    brute = max(
        sum(codes[place] == codes[place - lag] for place in range(lag, len(codes))) / (len(codes) - lag)
        for lag in range(1, LONGEST_LAG + 1)
    )
    assert share == pytest.approx(brute)
    assert share == repetition([names[code] for code in codes])
    assert math.isnan(repetition(codes[: FEWEST_ANSWERS - 1]))


@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=90))
def test_the_thirds_share_the_known_agreements_in_order(values: list[float | None]) -> None:
    known = [value for value in values if value is not None]
    parts = thirds([math.nan if value is None else value for value in values])
    if len(known) < FEWEST_ANSWERS:
        assert all(map(math.isnan, parts))
        return
    assert min(known) - 1e-9 <= min(parts) <= max(parts) <= max(known) + 1e-9
    size = -(-len(known) // 3)
    assert parts[0] == pytest.approx(sum(known[:size]) / size)
    assert thirds(known[::-1])[2] == pytest.approx(sum(known[::-1][-(len(known) // 3) :]) / (len(known) // 3))


@given(
    st.lists(st.tuples(st.floats(1, 1e4), st.floats(0, 1e4)), min_size=FEWEST_ANSWERS, max_size=40),
    st.floats(0.1, 10),
)
def test_evenness_does_not_depend_on_the_speed(intervals: list[tuple[float, float]], factor: float) -> None:
    medians, iqrs = (np.array(column) for column in zip(*intervals, strict=True))
    events = np.full(len(medians), 5)
    assert evenness(events, medians, iqrs) == pytest.approx(evenness(events, medians * factor, iqrs * factor))
    assert evenness(events, np.full(len(medians), 150.0), np.zeros(len(medians))) == 0
    assert math.isnan(evenness(events[1:20], medians[1:20], iqrs[1:20]))


def test_the_signs_of_an_annotator_do_not_depend_on_the_numbers_of_the_annotators() -> None:
    people, answers = 6, 25
    draws = np.random.default_rng(3)
    who = np.tile(np.arange(people), answers)
    columns = {name: draws.random(len(who)) for name in AnswersGiven.__dataclass_fields__ if name != "annotator"}
    columns["code"] = draws.integers(0, 3, len(who))
    there = sign_values(AnswersGiven(annotator=who, **columns), people)
    back = sign_values(AnswersGiven(annotator=people - 1 - who, **columns), people)
    assert there.keys() == HIGH.keys()
    for name, values in there.items():
        assert values == pytest.approx(back[name][::-1]), name
    few = sign_values(AnswersGiven(annotator=who[:60], **{n: c[:60] for n, c in columns.items()}), people + 1)
    assert all(np.isnan(values).all() for values in few.values()), "10 answers are too few"


# ── the measurement ───────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_the_console_shows_exactly_the_signs_that_the_benchmark_measures_as_fair() -> None:
    found, alarms = measure(honest=1_500, careless=200)
    assert shown(alarms) == SHOWN == TEXTS.keys()
    for group in HONEST_GROUPS:
        assert all(alarms[group.name][name] <= MOST for name in SHOWN), group.name
    worst = min(found[group.name][ANY] for group in CARELESS_GROUPS)
    assert worst > 0.7, "each kind of careless answering is found by a shown sign"
