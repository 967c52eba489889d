"""Tests of how often quality rules stop annotators, compared with the enumeration of all orders and all answers."""

from collections.abc import Callable
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.gold_annotators import GoldAnnotator, Outcome, mixed, right_or_wrong
from accord_core.numerics.gold_measures import RIGHT, Ratio
from accord_core.numerics.gold_report import GoldPlan, Targets, rule_report
from accord_core.numerics.gold_rules import GoldRule, Stops, count_chances, stop_shares, stops
from accord_core.numerics.gold_simulation import RUNS, paths
from accord_core.numerics.gold_sprt import SequentialTest, sprt_outcomes
from accord_core.numerics.gold_tests import GoldTest, choose_minimum

CHANCES = [0.9, 0.2, 0.7, 0.99, 0.35]
RULES = [GoldRule(0.7, 1), GoldRule(0.6, 3), GoldRule(0.7, 2, 3), GoldRule(0.5, 1, 2), GoldRule(0.7, 4, 1)]


def enumerated(chances: list[float], answers: int, ends: Callable[[tuple[int, ...]], bool]) -> np.ndarray:
    """Return the probability that `ends` is first true at each answer, over all orders and all answers."""
    at = np.zeros(answers)
    orders = list(permutations(range(len(chances)), answers))
    for order in orders:
        for sequence in product((0, 1), repeat=answers):
            chance = np.prod(
                [chances[q] if right else 1 - chances[q] for q, right in zip(order, sequence, strict=True)]
            )
            first = next((n for n in range(1, answers + 1) if ends(sequence[:n])), None)
            if first:
                at[first - 1] += chance / len(orders)
    return at


def fails(rule: GoldRule) -> Callable[[tuple[int, ...]], bool]:
    def ends(sequence: tuple[int, ...]) -> bool:
        counted = sequence[-rule.window :] if rule.window else sequence
        return len(sequence) >= rule.minimum and sum(counted) / len(counted) < rule.threshold

    return ends


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("answers", [3, 5])
def test_equals_enumeration_of_all_orders(rule: GoldRule, answers: int) -> None:
    exact = stops(count_chances(CHANCES, answers), stop_shares(rule, answers)).at
    assert exact == pytest.approx(enumerated(CHANCES, answers, fails(rule)), abs=1e-12)


@pytest.mark.parametrize(("minimum", "answers"), [(1, 8), (5, 12), (10, 13), (12, 10)])
def test_equally_difficult_questions_are_independent_answers(minimum: int, answers: int) -> None:
    rule, accuracy, stopped = GoldRule(0.7, minimum), 0.8, 0.0
    for sequence in product((0, 1), repeat=answers):
        shares = np.cumsum(sequence) / np.arange(1, answers + 1)
        if (shares[minimum - 1 :] < 0.7).any():
            stopped += accuracy ** sum(sequence) * (1 - accuracy) ** (answers - sum(sequence))
    exact = stops(count_chances([accuracy] * 20, answers), stop_shares(rule, answers))
    assert exact.stopped == pytest.approx(stopped, abs=1e-12)


@given(
    chances=st.lists(st.floats(0, 1), min_size=8, max_size=30),
    threshold=st.floats(0, 1),
    minimum=st.integers(1, 8),
    window=st.integers(0, 6),
)
def test_a_later_minimum_never_stops_more(chances: list[float], threshold: float, minimum: int, window: int) -> None:
    counts = count_chances(chances, 8)
    assert counts.sum(axis=1) == pytest.approx(1)
    early, late = (stops(counts, stop_shares(GoldRule(threshold, each, window), 8)) for each in (minimum, minimum + 1))
    assert late.stopped <= early.stopped + 1e-12
    assert (np.diff(early.by) >= -1e-12).all()


def test_the_expected_numbers_of_answers_follow_from_the_stops() -> None:
    result = stops(count_chances(CHANCES, 5), stop_shares(GoldRule(0.7, 2), 5))
    numbers = np.arange(1, 6)
    assert result.answers_before_stop == pytest.approx((result.at @ numbers) / result.at.sum())
    assert result.answers == pytest.approx(result.at @ numbers + (1 - result.stopped) * 5)
    assert result.first(3).stopped == pytest.approx(result.by[2])
    assert result.standard_error == 0
    never = stops(count_chances([1.0] * 5, 5), stop_shares(GoldRule(0.7, 2), 5))
    assert (never.stopped, never.answers_before_stop, never.answers) == (0, None, 5)


# ── simulation ────────────────────────────────────────────────────────────────────────────────────────────────────
def simulated_stops(annotator: GoldAnnotator, rule: GoldRule, answers: int, runs: int = RUNS) -> Stops:
    return paths(annotator, answers, window=rule.window, runs=runs).stops(rule.threshold, rule.minimum)


@pytest.mark.parametrize("rule", [GoldRule(0.7, 5), GoldRule(0.7, 5, 8)])
def test_the_simulation_agrees_with_the_exact_probabilities(rule: GoldRule) -> None:
    chances = np.linspace(0.5, 1, 20)
    exact = stops(count_chances(chances, 15), stop_shares(rule, 15))
    simulated = simulated_stops(right_or_wrong(chances), rule, 15, runs=20_000)
    assert simulated.stopped == pytest.approx(exact.stopped, abs=4 * simulated.standard_error)
    assert simulated.by == pytest.approx(exact.by, abs=0.016)
    assert 0.002 < simulated.standard_error < 0.004


@pytest.mark.nightly
def test_balanced_accuracy_is_simulated_like_a_loop_over_answers() -> None:
    ratios = (Ratio(("hits",), ("good",)), Ratio(("false",), ("bad",), complement=True))
    outcomes = [
        [
            Outcome({"hits": h, "good": 2, "false": f, "bad": q % 2}, True, 1 + h)
            for h in range(3)
            for f in range(q % 2 + 1)
        ]
        for q in range(6)
    ]
    annotator, rule = GoldAnnotator(outcomes, ratios), GoldRule(0.6, 2, 3)
    generator, runs, stopped = np.random.default_rng(5), 4_000, 0
    for _ in range(runs):
        given = []
        for question in generator.permutation(6)[:5]:
            weights = np.array([each.weight for each in outcomes[question]])
            given.append(outcomes[question][generator.choice(len(weights), p=weights / weights.sum())].tally)
            sums = {name: sum(tally[name] for tally in given[-3:]) for name in given[0]}
            shares = [sums["hits"] / sums["good"]] + ([1 - sums["false"] / sums["bad"]] if sums["bad"] else [])
            if len(given) >= 2 and sum(shares) / len(shares) < 0.6:
                stopped += 1
                break
    simulated = simulated_stops(annotator, rule, 5, runs=20_000)
    assert simulated.stopped == pytest.approx(stopped / runs, abs=0.03)
    assert 0.2 < simulated.stopped < 0.9


# ── choices, and the sequential test ──────────────────────────────────────────────────────────────────────────────
def test_calculations_with_too_many_states_are_simulated() -> None:
    rule = GoldRule(0.7, 4, 8)
    kinds = {"careful": right_or_wrong([0.9] * 80), "guesser": right_or_wrong([0.5] * 80)}
    assert GoldTest(kinds, 60).is_exact(rule)
    assert not GoldTest(kinds, 80).is_exact(rule)
    assert GoldTest(kinds, 80).is_exact(GoldRule(0.7, 4))
    assert GoldTest(kinds, 80, runs=100).stops("guesser", rule).runs == 100
    plan, targets = GoldPlan(60, 10, 1), Targets(0.001, 0.001)
    report = rule_report(kinds["careful"], kinds["guesser"], {}, rule, plan, targets)
    assert (report.choices[-1].meets, report.tried) == (False, 0)


def test_the_smallest_minimum_is_found_by_bisection() -> None:
    careful, guesser = right_or_wrong(np.linspace(0.7, 1, 30)), right_or_wrong([0.1] * 30)
    kinds = {"careful": careful, "half": mixed(careful, guesser, 0.5), "guesser": guesser}
    test, rule = GoldTest(kinds, 30), GoldRule(0.7, 1)
    choice = choose_minimum(test, rule, 20, careful="careful", careless=["half", "guesser"], false_stops=0.1)

    def stopped(name: str, minimum: int) -> float:
        counts = count_chances(kinds[name].pass_chances, 20)
        return stops(counts, stop_shares(GoldRule(0.7, minimum), 20)).stopped

    assert choice.minimum == next(m for m in range(1, 21) if stopped("careful", m) <= 0.1) > 1
    assert choice.false_stops == pytest.approx(stopped("careful", choice.minimum))
    assert (choice.survivor, choice.survivors) == ("half", pytest.approx(1 - stopped("half", choice.minimum)))


def test_the_sequential_test_equals_enumeration() -> None:
    test = SequentialTest(careful=0.8, careless=0.4, false_stops=0.2, survivors=0.2)
    (right, wrong), (low, high) = test.steps, test.limits

    def ratio(sequence: tuple[int, ...]) -> float:
        return sum(right if each else wrong for each in sequence)

    def continues(sequence: tuple[int, ...]) -> bool:
        return all(low < ratio(sequence[:n]) < high for n in range(1, len(sequence)))

    (outcome,) = sprt_outcomes(test, [CHANCES], 5)
    stopped = enumerated(CHANCES, 5, lambda sequence: continues(sequence) and ratio(sequence) >= high)
    accepted = enumerated(CHANCES, 5, lambda sequence: continues(sequence) and ratio(sequence) <= low)
    assert outcome.stopped == pytest.approx(stopped.sum())
    assert outcome.accepted == pytest.approx(accepted.sum())
    assert 0 < outcome.undecided == pytest.approx(1 - stopped.sum() - accepted.sum())
    decided = stopped + accepted
    assert outcome.answers == pytest.approx(decided @ np.arange(1, 6) + (1 - decided.sum()) * 5)


def test_wald_bounds_hold_for_independent_answers() -> None:
    test = SequentialTest(careful=0.9, careless=0.5, false_stops=0.05, survivors=0.05)
    careful, careless = sprt_outcomes(test, [[0.9] * 400, [0.5] * 400], 400)
    assert careful.stopped <= 0.05 / 0.95
    assert careless.accepted <= 0.05 / 0.95
    assert careful.undecided == pytest.approx(0, abs=1e-6)


# ── impossible arguments ──────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("arguments", [(1.2, 5), (-0.1, 5), (0.7, 0), (0.7, 5, -1)])
def test_impossible_rules_are_refused(arguments: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 1|answer|negative"):
        GoldRule(*arguments)


def test_impossible_calculations_are_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        count_chances([0.5, 1.2], 1)
    with pytest.raises(ValueError, match="2 gold questions cannot have 3 answers"):
        count_chances([0.5, 0.5], 3)
    with pytest.raises(ValueError, match="needs a simulation"):
        stop_shares(GoldRule(0.7, 5, 9), 20)
    with pytest.raises(ValueError, match="2 gold questions cannot have 3 answers"):
        simulated_stops(right_or_wrong([0.5, 0.5]), GoldRule(0.7, 1), 3)
    for careful, careless, rate in ((0.5, 0.5, 0.1), (0.9, 0.5, 0.0), (0.9, 0.5, 0.5)):
        with pytest.raises(ValueError, match=r"more correct|error rates"):
            SequentialTest(careful, careless, rate, 0.1)


def test_the_usual_measure_is_one_ratio() -> None:
    assert right_or_wrong([0.25, 0.75]).accuracy == pytest.approx(0.5)
    assert right_or_wrong([0.5]).ratios == (RIGHT,)


def test_a_rule_that_needs_more_answers_than_an_annotator_gives_stops_nobody() -> None:
    rule, annotator = GoldRule(0.9, 4), right_or_wrong([0.1, 0.1, 0.1])
    exact = stops(count_chances(annotator.pass_chances, 3), stop_shares(rule, 3))
    assert simulated_stops(annotator, rule, 3, runs=10).at.tolist() == exact.at.tolist() == [0, 0, 0]
