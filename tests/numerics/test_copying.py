"""The test of copied answers, against enumerations of the model and simulated annotators."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from accord_core.numerics.copying import FINE_SHARES, CopyingTest, _dispersions, _range, copying_tests
from accord_core.numerics.copying_model import LIKELY, LOG_ODDS, RIGHT, HonestAnswers, Units, _expected
from bench._copying_simulations import Setting, simulated_units

ACCURACY = 1 / (1 + np.exp(-LOG_ODDS))


def units_of(answers: list[tuple[int, int, int]], program: list[int], options: int) -> Units:
    unit, annotator, label = np.array(answers).T
    size = np.full(len(program), options)
    return Units(unit, annotator, label, np.array(program), size, np.zeros_like(size), np.arange(len(size)))


def chance(label: int, program: int, other: int, group: int, options: int) -> float:
    """Return the chance of a label, written out from the description of the model. `other` is the likeliest other
    answer, or the true one if the program is wrong.
    """
    true, likeliest = (program, other) if RIGHT[group] else (other, program)
    if label == true:
        return ACCURACY[group]
    spread = (1 - LIKELY[group]) / (options - 1)
    return (1 - ACCURACY[group]) * (LIKELY[group] + spread if label == likeliest else spread)


@pytest.mark.parametrize("options", [3, 5])
def test_the_likelihood_is_the_sum_over_all_other_answers(options: int) -> None:
    labels = [0, 1, 1, 2]
    model = HonestAnswers(units_of([(0, who, label) for who, label in enumerate(labels)], [0], options))
    model._add_up()
    for group in range(len(RIGHT)):
        expected = np.mean(
            [np.prod([chance(label, 0, other, group, options) for label in labels]) for other in range(1, options)]
        )
        assert np.exp(model.likelihood[0, :, group]).sum() == pytest.approx(expected), group


def test_two_labels_leave_one_error() -> None:
    model = HonestAnswers(units_of([(0, 0, 1), (0, 1, 0)], [1], 2))
    model._add_up()
    assert np.exp(model.likelihood[0]).sum(axis=0) == pytest.approx(ACCURACY * (1 - ACCURACY))


def test_the_estimated_shares_have_the_highest_posterior_density() -> None:
    """At the maximum, all classes have the same derivative, by the conditions of Karush, Kuhn and Tucker."""
    likelihood, prior = np.random.default_rng(2).random((20, 6)) ** 3, np.full(6, 1 / 6)
    (own,) = _expected(likelihood, np.ones((1, 20)), prior, prior, strength=2.0, rounds=2_000)
    derivatives = (likelihood / (likelihood @ own)[:, None]).sum(axis=0) + 2.0 * prior / own
    assert derivatives == pytest.approx(np.full(6, 22.0), rel=1e-3)
    assert own.sum() == pytest.approx(1)


def test_one_annotators_answers_do_not_affect_what_is_expected_of_them() -> None:
    units = simulated_units(np.random.default_rng(3), Setting(3, 0.85, 0.75, questions=50))
    own = np.flatnonzero(units.annotator == 0)
    others = units.annotator != 0
    model = HonestAnswers(units)
    model._add_up()
    alone = HonestAnswers(
        Units(
            units.unit[others],
            units.annotator[others],
            units.label[others],
            *(getattr(units, name) for name in ("program", "options", "stratum", "question")),
        )
    )
    alone._add_up()
    ratio = model.without(own) / alone.without(np.array([], dtype=np.int64))
    assert ratio == pytest.approx(np.repeat(ratio[:, :1], len(RIGHT), axis=1))


def test_an_annotator_who_copies_half_of_the_answers_is_noticed() -> None:
    setting = Setting(3, 0.9, 0.7, questions=100, answers=100, copied=0.5)
    units = simulated_units(np.random.default_rng(4), setting)
    rest = units.annotator > 0
    first, *honest = [test for test in copying_tests(units, seed=1) if test]
    assert first.unusual
    assert first.p < 0.005
    assert first.low <= 0.5 <= first.high
    assert first.same - first.expected_same > 5
    votes = np.stack([np.bincount(units.unit[rest], units.label[rest] == label, 100) for label in range(3)])
    assert first.program_errors == pytest.approx((votes.argmax(axis=0) != units.program).sum(), abs=4)
    assert first.noticeable is not None
    assert 0 < first.noticeable < 0.5
    assert not any(each.unusual for each in honest)
    assert [first, *honest] == list(copying_tests(units, seed=1))


def test_copying_from_a_program_without_errors_cannot_be_told() -> None:
    units = simulated_units(np.random.default_rng(5), Setting(3, 0.9, 0.999, questions=100, answers=100, copied=0.5))
    test = next(copying_tests(units, seed=1))
    assert test
    assert test.program_errors < 3
    assert (test.unusual, test.can_tell) == (False, False)


def test_few_errors_or_a_low_power_make_no_conclusion() -> None:
    figures = {"units": 50, "same": 40, "expected_same": 40.0, "share": 0.0, "low": 0.0, "high": 0.1}
    assert CopyingTest(**figures, program_errors=8, p=0.5, noticeable=0.4).can_tell
    assert not CopyingTest(**figures, program_errors=7.9, p=0.5, noticeable=0.4).can_tell
    assert not CopyingTest(**figures, program_errors=8, p=0.5, noticeable=None).can_tell
    assert CopyingTest(**figures, program_errors=8, p=0.01, noticeable=None).can_tell
    assert not CopyingTest(**figures, program_errors=7.9, p=0.001, noticeable=0.4).can_tell


def test_studies_with_few_answers_of_others_have_no_test() -> None:
    units = simulated_units(np.random.default_rng(6), Setting(2, 0.9, 0.7, questions=50, judgements=4))
    assert list(copying_tests(units, seed=1)) == [None] * 4


@pytest.mark.nightly
def test_honest_annotators_are_rarely_worth_a_look() -> None:
    """With a chance of 1%, more than 8 of 240 have a probability of .0005."""
    alarms = 0
    for number in range(30):
        units = simulated_units(np.random.default_rng([7, number]), Setting(3, 0.85, 0.75, 1.0, 0.8))
        alarms += sum(test.unusual for test in islice(copying_tests(units, seed=number, power=False), 8) if test)
    assert alarms <= 8


@pytest.mark.nightly
def test_questions_with_many_units_have_a_wider_spread() -> None:
    """If the votes on all candidates of a question are wrong together, twice as much agreement can be chance."""
    units = simulated_units(np.random.default_rng(8), Setting(2, 0.85, 0.75, questions=100))
    repeated = np.repeat(np.arange(len(units.unit)), 4)
    part = np.tile(np.arange(4), len(units.unit))
    every = np.repeat(np.arange(100), 4)
    copies = Units(
        units.unit[repeated] * 4 + part,
        units.annotator[repeated],
        units.label[repeated],
        *(getattr(units, name)[every] for name in ("program", "options", "stratum", "question")),
    )
    assert _dispersions(HonestAnswers.fit(units)) == pytest.approx(1)
    assert _dispersions(HonestAnswers.fit(copies)).min() > 2


def test_the_ends_of_an_interval_are_interpolated() -> None:
    heights = 1 - 4 * np.abs(FINE_SHARES - 0.4)
    assert _range(heights) == pytest.approx((0.15, 0.65))
    assert _range(heights + 0.03) == pytest.approx((0.1425, 0.6575))
    assert _range(heights + 9) == (0, 1)
