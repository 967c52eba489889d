"""Tests of the alternative annotator test: against a direct calculation with SciPy and statsmodels, and its level."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from accord_core.exchange.alt_test_figures import alt_test_figures, alt_test_lines
from accord_core.numerics.advantage_tests import error_rates, signed_rank_test
from accord_core.numerics.alternative_annotator import (
    EPSILONS,
    CannotTest,
    Rivals,
    alternative_annotator_test,
    rivals,
)


def equal(one, other):
    return float(one == other)


def drawn(seed, *, questions, annotators, labels=3, missing=0.2, error=0.3):
    """Return answers of people and of a system, in which some people have not answered some questions."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(labels, size=questions)
    noisy = lambda at: int(truth[at] if generator.random() > error else generator.integers(labels))  # noqa: E731
    answers = {
        at: {f"a{who}": noisy(at) for who in range(annotators) if generator.random() > missing}
        for at in range(questions)
    }
    system = {at: noisy(at) for at in range(questions) if generator.random() > missing / 2}
    return answers, system


def directly(answers, system, epsilon, fewest, *, published=False):
    """Return the winning rate, the advantage and the corrected p-values by the description of the paper. With
    `published`, Wilcoxon's test is used for fewer than 30 questions.
    """
    names = sorted({name for given_answers in answers.values() for name in given_answers})
    p_values, advantages = [], []
    for left_out in names:
        d, f_wins = [], []
        for at, by_name in answers.items():
            others = [label for name, label in by_name.items() if name != left_out]
            if left_out not in by_name or at not in system or not others:
                continue
            score_system = np.mean([system[at] == label for label in others])
            score_own = np.mean([by_name[left_out] == label for label in others])
            f_wins.append(score_system >= score_own)
            d.append(float(score_own >= score_system) - float(score_system >= score_own))
        if len(d) >= fewest:
            if published and len(d) < 30:
                p = stats.wilcoxon(np.array(d) - epsilon, alternative="less", method="approx").pvalue
            else:
                p = stats.ttest_1samp(d, epsilon, alternative="less").pvalue
            p_values.append(p)
            advantages.append(np.mean(f_wins))
    rejected, corrected, *_ = multipletests(p_values, alpha=0.05, method="fdr_by")
    return rejected.mean(), np.mean(advantages), corrected


@given(st.integers(0, 10_000), st.integers(3, 6), st.sampled_from(sorted(EPSILONS.values())))
def test_it_is_the_direct_calculation(seed, annotators, epsilon):
    answers, system = drawn(seed, questions=45, annotators=annotators)
    result = alternative_annotator_test(rivals(answers, system, equal), epsilon=epsilon, fewest_questions=15)
    rate, advantage, corrected = directly(answers, system, epsilon, 15)
    assert result.winning_rate == pytest.approx(rate)
    assert result.advantage == pytest.approx(advantage)
    by_name = sorted(result.annotators, key=lambda each: each.annotator)
    assert [each.p_corrected for each in by_name] == pytest.approx(list(corrected))
    assert result.passes == (rate >= 0.5)


def test_the_advantages_of_a_small_example():
    # On the second question, the left-out annotator a0 agrees with a2, and the system agrees with nobody.
    answers = {1: {"a0": "x", "a1": "x", "a2": "y"}, 2: {"a0": "x", "a1": "y", "a2": "x"}, 3: {"a0": "x"}}
    first, *_ = rivals(answers, {1: "x", 2: "z", 3: "x"}, equal)
    assert first.annotator == "a0"
    assert (list(first.own), list(first.system)) == ([0.5, 0.5], [0.5, 0.0])


def test_a_system_that_copies_the_majority_passes_and_a_guesser_does_not():
    answers, _ = drawn(1, questions=120, annotators=5, missing=0)
    majority = {
        at: max(given_answers.values(), key=list(given_answers.values()).count) for at, given_answers in answers.items()
    }
    guesses = dict(zip(answers, np.random.default_rng(2).integers(3, size=120).tolist(), strict=True))
    good, bad = (
        alternative_annotator_test(rivals(answers, system, equal), epsilon=0.1) for system in (majority, guesses)
    )
    assert (good.passes, good.winning_rate, good.advantage > 0.95) == (True, 1.0, True)
    assert (bad.passes, bad.winning_rate) == (False, 0.0)


@pytest.mark.parametrize(("epsilon", "questions"), [(0.1, 10), (0.1, 30), (0.2, 30), (0.15, 100)])
def test_the_level_of_the_test_of_one_annotator(epsilon, questions):
    """If the advantages differ by exactly ε, each test rejects in about 5% of studies, also with few questions."""
    generator = np.random.default_rng(3)
    studies, ties, rejected = 1_500, 0.3, 0
    chances = [(1 - ties + epsilon) / 2, ties, (1 - ties - epsilon) / 2]
    for _ in range(studies // 3):
        compared = [
            Rivals(name, np.where(wins >= 0, 1.0, 0.0), np.where(wins <= 0, 1.0, 0.0))
            for name, wins in zip("abc", generator.choice([1, 0, -1], p=chances, size=(3, questions)), strict=True)
        ]
        result = alternative_annotator_test(compared, epsilon=epsilon, fewest_questions=questions)
        rejected += sum(each.p <= 0.05 for each in result.annotators)
    assert 0.03 < rejected / studies < 0.075


@given(st.integers(0, 10_000), st.sampled_from(sorted(EPSILONS.values())), st.sampled_from([22, 36]))
def test_the_published_procedure_is_the_direct_calculation(seed, epsilon, questions):
    # With 22 questions, all annotators have fewer than 30. With 36, only some of them have.
    answers, system = drawn(seed, questions=questions, annotators=4)
    result = alternative_annotator_test(rivals(answers, system, equal), epsilon=epsilon, fewest_questions=5)
    rate, _, corrected = directly(answers, system, epsilon, 5, published=True)
    assert result.winning_rate_published == pytest.approx(rate)
    by_name = sorted(result.annotators, key=lambda each: each.annotator)
    assert [each.p_published for each in by_name] == pytest.approx(list(corrected))
    assert (result.error_rates is None) == all(each.questions >= 30 for each in by_name)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5, 0.7])
def test_the_signed_rank_test_is_that_of_scipy(epsilon):
    generator = np.random.default_rng(6)
    for _ in range(50):
        size = generator.integers(3, 29)
        differences = generator.choice([1.0, 0.0, -1.0], p=generator.dirichlet([1, 1, 1]), size=size)
        if not epsilon:
            differences[0] = 1.0  # SciPy has no p-value if all differences are 0
        expected = stats.wilcoxon(differences - epsilon, alternative="less", method="approx").pvalue
        assert signed_rank_test(differences, epsilon) == pytest.approx(expected)
    assert signed_rank_test(np.zeros(20), 0.0) == 1.0


def test_both_error_rates_are_those_of_simulated_comparisons():
    rates = error_rates(20, 0.5, epsilon=0.1, level=0.05)
    generator = np.random.default_rng(4)
    for mean, t_rate, published in (
        (0.1, rates.false_wins, rates.false_wins_published),
        (0.0, 1 - rates.missed_wins, 1 - rates.missed_wins_published),
    ):
        chances = [0.25 + mean / 2, 0.5, 0.25 - mean / 2]
        differences = generator.choice([1.0, 0.0, -1.0], p=chances, size=(2_000, 20))
        t = stats.ttest_1samp(differences, 0.1, axis=1, alternative="less").pvalue
        w = stats.wilcoxon(differences - 0.1, axis=1, alternative="less", method="approx").pvalue
        assert t_rate == pytest.approx(np.mean(t <= 0.05), abs=0.03)
        assert published == pytest.approx(np.mean(w <= 0.05), abs=0.04)
    # With ε > 0 and many ties, Wilcoxon's test lets far too many worse systems win, so it is not the main result.
    assert rates.false_wins < 0.06 < 0.2 < rates.false_wins_published


def test_few_questions_show_the_published_result_and_both_error_rates():
    answers, system = drawn(3, questions=25, annotators=4, missing=0)
    few = alternative_annotator_test(rivals(answers, system, equal), epsilon=0.1, fewest_questions=10)
    text = "".join(alt_test_lines(alt_test_figures(few)))
    assert "As published, with Wilcoxon’s test" in text
    assert f"With 25 questions and {few.error_rates.ties:.0%} ties" in text
    answers, system = drawn(3, questions=40, annotators=4, missing=0)
    many = alternative_annotator_test(rivals(answers, system, equal), epsilon=0.1)
    assert (many.error_rates, many.winning_rate_published) == (None, many.winning_rate)
    assert "As published" not in "".join(alt_test_lines(alt_test_figures(many)))


def test_the_correction_does_not_depend_on_the_order_of_the_annotators():
    answers, system = drawn(5, questions=60, annotators=4)
    compared = rivals(answers, system, equal)
    results = [
        alternative_annotator_test(order, epsilon=0.15, fewest_questions=10) for order in (compared, compared[::-1])
    ]
    assert results[0].annotators == results[1].annotators[::-1]


def test_equal_differences_need_no_spread():
    compared = [Rivals(name, np.zeros(30), np.ones(30)) for name in "abc"]
    assert alternative_annotator_test(compared, epsilon=0.1).winning_rate == 1
    worse = [Rivals(name, np.ones(30), np.zeros(30)) for name in "abc"]
    assert alternative_annotator_test(worse, epsilon=0.1).winning_rate == 0


@pytest.mark.parametrize(
    ("annotators", "questions", "message"),
    [
        (0, 0, "None of the questions answered by the system"),
        (2, 40, "at least 3 annotators, but there are only 2"),
        (
            4,
            3,
            "None of the annotators has enough of these questions. The annotator with the most questions",
        ),
    ],
)
def test_too_few_answers_are_an_error(annotators, questions, message):
    compared = [Rivals(f"a{number}", np.ones(questions), np.ones(questions)) for number in range(annotators)]
    with pytest.raises(CannotTest, match=message):
        alternative_annotator_test(compared, epsilon=0.1)


def test_annotators_with_few_questions_are_left_out():
    compared = [
        Rivals(name, np.ones(size), np.ones(size)) for name, size in (("a", 40), ("b", 31), ("c", 30), ("d", 29))
    ]
    result = alternative_annotator_test(compared, epsilon=0.1)
    assert [each.annotator for each in result.annotators] == ["a", "b", "c"]
    assert result.left_out == {"d": 29}


@pytest.mark.parametrize("epsilon", [-0.1, 1.0, float("nan")])
def test_epsilon_is_a_difference_of_probabilities(epsilon):
    with pytest.raises(ValueError, match="ε must be"):
        alternative_annotator_test([], epsilon=epsilon)


def test_each_pair_of_people_is_compared_once():
    calls = []
    rivals(
        {1: dict(zip("abcd", range(4), strict=True))},
        {1: 9},
        lambda one, other: calls.append((one, other)) or 0.0,
    )
    assert sorted(tuple(sorted(call)) for call in calls if 9 not in call) == list(combinations(range(4), 2))
