"""Tests of the predicted number of judgements until a figure reaches its target."""

from math import inf, log, sqrt
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.reliability import spearman_brown
from accord_core.numerics.still_needed import (
    Attained,
    mean_of_annotators,
    noise_of,
    still_needed,
    value_at,
    value_of,
    width_attained,
)
from alignment_ui.chunks.targets import attained as chunks_attained
from alignment_ui.words.targets import attained as words_attained

reliabilities = st.floats(0.05, 0.98)


def certain(value: float, size: int = 1_000) -> Attained:
    return Attained("reliability", "reliability", value, value, value, size)


@given(reliabilities, st.integers(2, 50))
def test_twice_the_judgements_follow_the_spearman_brown_formula(value: float, size: int) -> None:
    assert value_at(certain(value, size), 2 * size) == pytest.approx(spearman_brown(value))


def test_a_known_reliability_needs_the_number_of_the_spearman_brown_formula() -> None:
    needed = still_needed(certain(0.8), 0.9)
    assert needed.judgements == needed.low == needed.high == 1_250  # (.9/.1) / (.8/.2) · 1,000 − 1,000


def test_an_interval_half_as_wide_needs_four_times_the_judgements() -> None:
    needed = still_needed(Attained("width", "width", 0.2, 0.2, 0.2, 100), 0.1)
    assert needed.judgements == 300


@given(reliabilities, reliabilities, st.floats(0, 0.04), st.integers(1, 10**6))
def test_the_interval_contains_the_prediction(value: float, target: float, error: float, size: int) -> None:
    attained = Attained("reliability", "reliability", value, max(value - error, 0.001), min(value + error, 0.999), size)
    needed = still_needed(attained, target)
    assert needed.judgements is not None
    assert needed.low is not None
    assert needed.high is not None
    assert needed.low <= needed.judgements <= needed.high
    assert needed.reached == (attained.careful_value >= target - 1e-9)


@pytest.mark.parametrize("kind", ["reliability", "width"])
def test_an_interval_beside_the_figure_never_makes_the_figure_better(kind: Literal["reliability", "width"]) -> None:
    # The ends of percentile intervals can both be above or below the figure.
    low, high = (0.82, 0.9) if kind == "reliability" else (0.7, 0.78)
    attained = Attained("figure", kind, 0.8, low, high, 100)
    assert attained.careful_value == 0.8


def test_a_figure_without_judgements_keeps_its_value() -> None:
    # After a report, more judgements can be excluded than the figure counts.
    assert value_at(Attained("width", "width", 0.2, 0.1, 0.3, 10), -5) == 0.2


def test_the_interval_of_few_pairs_is_no_figure() -> None:
    # Two annotators who agree on the only pair give an interval without width, which is no evidence.
    interval = {"low": 1.0, "high": 1.0}
    assert words_attained({"och_ney": {"f1": interval}, "pairs": 9}, 109, 100, 1_000) == []
    assert len(words_attained({"och_ney": {"f1": interval}, "pairs": 10}, 110, 100, 1_000)) == 1
    assert chunks_attained({"overall": {"f1_typ_sco": interval}}, 109, 100, 9, 1_000) == []


def test_a_figure_just_above_the_target_has_not_reached_it() -> None:
    attained = Attained("reliability", "reliability", 0.852, 0.83, 0.87, 1_000)
    needed = still_needed(attained, 0.85)
    assert attained.careful_value < 0.85
    assert not needed.reached
    assert needed.judgements is not None
    assert 1 <= needed.judgements < 200


def test_an_uncertain_figure_needs_more_judgements_than_a_certain_figure() -> None:
    uncertain = Attained("reliability", "reliability", 0.8, 0.7, 0.87, 1_000)
    more, fewer = still_needed(uncertain, 0.9).judgements, still_needed(certain(0.8), 0.9).judgements
    assert more is not None
    assert fewer is not None
    assert more > fewer


@pytest.mark.parametrize("value", [0.0, -0.2])
def test_without_any_reliability_there_is_no_prediction(value: float) -> None:
    needed = still_needed(Attained("reliability", "reliability", value, -0.5, 0.2, 100), 0.9)
    assert (needed.judgements, needed.low, needed.high) == (None, None, None)
    assert not needed.reached


def test_an_interval_that_contains_zero_gives_no_prediction() -> None:
    needed = still_needed(Attained("reliability", "reliability", 0.2, -0.1, 0.5, 100), 0.9)
    assert needed.judgements is None


def test_a_perfect_figure_has_reached_every_target() -> None:
    assert still_needed(certain(1.0), 0.999).reached
    assert still_needed(Attained("width", "width", 0.0, 0.0, 0.0, 50), 0.01).reached


def test_an_unreachable_number_of_judgements_stays_finite() -> None:
    needed = still_needed(Attained("reliability", "reliability", 1e-6, 1e-9, 0.1, 10), 0.999999)
    assert needed.judgements is not None
    assert needed.judgements < 10**13


@pytest.mark.parametrize(("kind", "target"), [("reliability", 0), ("reliability", 1), ("width", 0), ("width", -1)])
def test_impossible_targets_are_refused(kind: str, target: float) -> None:
    attained = Attained("figure", kind, 0.5, 0.4, 0.6, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="The target must be"):
        still_needed(attained, target)


@given(reliabilities)
def test_noise_and_value_are_inverse(value: float) -> None:
    assert value_of(noise_of(value, "reliability"), "reliability") == pytest.approx(value)
    assert value_of(noise_of(value, "width"), "width") == pytest.approx(value)


def test_a_negative_reliability_has_infinite_noise() -> None:
    assert noise_of(-0.1, "reliability") == inf


def test_the_reliability_of_several_annotators_follows_the_spearman_brown_formula() -> None:
    attained = mean_of_annotators("reliability", (0.5, 0.4, 0.6), judgements=300, questions=100)
    assert attained.value == pytest.approx(0.75)  # 3 · .5 / (1 + 2 · .5)
    assert attained.low < attained.value < attained.high
    assert mean_of_annotators("reliability", (-0.2, -0.4, 0.1), judgements=300, questions=100).value == 0


def test_the_error_of_a_width_is_the_error_of_simulated_widths() -> None:
    """The width of a bootstrap interval of a mean of 100 heavy-tailed values varies as much as the formula states."""
    generator = np.random.default_rng(1)
    units, resamples = 100, 200
    widths = []
    for _ in range(200):
        sample = generator.laplace(size=units)
        means = sample[generator.integers(units, size=(resamples, units))].mean(axis=1)
        low, high = np.percentile(means, [2.5, 97.5])
        widths.append(np.log(high - low))
    attained = width_attained("width", 0.0, 4 / sqrt(units), units, units, resamples)
    error = (np.log(attained.high) - np.log(attained.low)) / (2 * 1.96)
    assert np.std(widths) == pytest.approx(error, rel=0.2)


@pytest.mark.parametrize(
    ("kind", "value", "low", "high", "error"),
    [
        ("width", 0.2, 0.1, 0.4, log(4) / 1.96),  # the noise of a width is its square
        ("reliability", 0.8, 0.5, 0.9, log(4) / 1.96),  # (1 − .5)/.5 is four times (1 − .8)/.8
        ("reliability", 1.0, 1.0, 1.0, 0),
        ("reliability", 1.0, 0.9, 1.0, inf),
        ("reliability", 0.0, -0.1, 0.1, inf),
        ("reliability", 0.5, 0.0, 0.7, inf),
    ],
)
def test_the_error_follows_from_the_less_favourable_half_of_the_interval(
    kind: Literal["reliability", "width"], value: float, low: float, high: float, error: float
) -> None:
    assert Attained("figure", kind, value, low, high, 100).error == pytest.approx(error, rel=1e-4)
