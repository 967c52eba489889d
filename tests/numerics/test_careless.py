"""Careless answering without gold questions: agreement at chance against scipy, and simulated studies of each kind."""

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.careless import Agreement, chance_tests, lower_tail, upper_tail
from annotate.tasktypes import chance_figures
from bench.careless_without_gold import ANNOTATORS, CARELESS, WEAK, Kind, flags_in_one_study, kinds

CAREFUL = [Agreement(share, 0.25, 40) for share in (0.55, 0.6, 0.65, 0.7)]


# The simulated studies of alignments take ten seconds.
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, id=kind.name, marks=[pytest.mark.nightly] if "alignment" in kind.name else [])
        for kind in kinds()
    ],
)
def test_nearly_all_annotators_who_answer_at_random_are_found_within_50_answers(kind: Kind) -> None:
    random, _, wrong = flags_in_one_study(kind, answers=50, seed=101)
    assert random >= 0.9 * CARELESS
    assert wrong <= 0.03 * (ANNOTATORS - CARELESS - WEAK)


def test_an_annotator_at_chance_is_flagged_and_the_others_are_not() -> None:
    *careful, random = chance_tests([*CAREFUL, Agreement(0.27, 0.25, 40)])
    assert [test.flagged for test in careful if test] == [False] * 4
    assert random is not None
    assert random.flagged
    assert random.low < 0.25 < 0.27 < random.high < 0.5
    assert random.expected == pytest.approx(0.6)


def test_few_answers_are_not_enough() -> None:
    """The interval of ten answers is wide, and with fewer there is no test."""
    ten = chance_tests([*CAREFUL, Agreement(0.35, 0.25, 10)])[-1]
    assert ten is not None
    assert ten.at_chance
    assert not ten.flagged
    assert chance_tests([*CAREFUL, Agreement(0.0, 0.25, 9), None])[-2:] == [None, None]
    assert chance_tests([CAREFUL[0], Agreement(0.1, 0.25, 99)]) == [None, None], "it is unknown who is careless"


def test_nobody_is_flagged_if_all_annotators_agree_no_better_than_chance() -> None:
    tests = chance_tests([Agreement(0.25 + n / 100, 0.25, 60) for n in range(-4, 5)])
    assert not any(test.flagged for test in tests if test)


def test_agreement_above_chance_is_not_flagged_even_if_it_is_lower_than_usual() -> None:
    weak = chance_tests([*CAREFUL, Agreement(0.4, 0.25, 400)])[-1]
    assert weak is not None
    assert weak.p < 0.001
    assert not weak.flagged


@given(st.floats(0.02, 0.98), st.integers(10, 500), st.floats(0, 1))
def test_tails_are_near_the_binomial_distribution(expected: float, trials: int, share: float) -> None:
    hits = round(share * trials)
    lower = lower_tail(hits / trials, expected, trials)
    assert 0 <= lower <= 1
    assert lower + upper_tail(hits / trials, expected, trials) == pytest.approx(1)
    if trials * min(expected, 1 - expected) > 10:
        middle = scipy.stats.binom.cdf(hits, trials, expected) - scipy.stats.binom.pmf(hits, trials, expected) / 2
        assert lower == pytest.approx(middle, abs=0.03)


def test_the_flag_names_the_figures() -> None:
    figures = chance_figures([*CAREFUL, Agreement(0.27, 0.25, 1040), None])
    (flag,) = figures[-2].flags
    assert flag.title == "Agreement at chance"
    assert flag.detail == (
        "The agreement with other annotators is .27 on 1,040 shared questions (95% interval .24 to .30). Without "
        "reading the questions, it would be .25. A typical annotator in this study reaches .60 (p < .001)."
    )
    assert figures[-1].own == {"agreement_low": None, "agreement_high": None, "chance_agreement": None}
