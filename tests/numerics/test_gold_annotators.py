"""Tests of the models of careful and careless annotators, and of the advice about quality rules."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from accord_core.numerics.gold_advice import advice, obstacle, share
from accord_core.numerics.gold_annotators import (
    GoldAnnotator,
    Outcome,
    at_accuracy,
    careful_annotator,
    mixed,
    right_or_wrong,
)
from accord_core.numerics.gold_measures import accuracies_of, accuracy_of
from accord_core.numerics.gold_report import GoldPlan, RuleReport, Targets, rule_report
from accord_core.numerics.gold_rules import GoldRule
from annotate import tasktypes
from tests.layout_study import PLAIN

RIGHT, WRONG = {"right": 1, "wrong": 0}, {"right": 0, "wrong": 1}
BEST, GUESSER = right_or_wrong([1.0] * 4), right_or_wrong([0.25] * 4)


def answered(*counts: tuple[int, int]) -> list[list[Outcome]]:
    """Return the outcomes of questions with these numbers of correct and wrong answers."""
    return [
        [Outcome(tally, tally is RIGHT, number) for tally, number in ((RIGHT, right), (WRONG, wrong)) if number]
        for right, wrong in counts
    ]


# ── estimates ─────────────────────────────────────────────────────────────────────────────────────────────────────
def test_without_answers_the_careful_annotator_has_the_assumed_accuracy() -> None:
    careful = careful_annotator([[]] * 4, best=BEST, guesser=GUESSER)
    assert careful.pass_chances == pytest.approx(0.9)
    assert careful_annotator([[]] * 4, best=BEST, guesser=GUESSER, assumed=0.8).accuracy == pytest.approx(0.8)


def test_many_answers_replace_the_assumption_and_keep_the_difficulties() -> None:
    observed = answered((900, 100), (500, 500), (990, 10), (0, 0))
    careful = careful_annotator(observed, best=BEST, guesser=GUESSER)
    assert careful.pass_chances[:3] == pytest.approx([0.9, 0.5, 0.99], abs=0.01)
    assert careful.pass_chances[3] == pytest.approx((900 + 500 + 990) / 3_000, abs=0.01)


def test_few_answers_are_shrunk_to_the_mean() -> None:
    careful = careful_annotator(answered((3, 0), (2, 1), (3, 0), (1, 2)), best=BEST, guesser=GUESSER)
    mean = (9 + 0.9 * 10) / (12 + 10)
    assert (np.abs(careful.pass_chances - mean) <= np.abs(np.array([1, 2 / 3, 1, 1 / 3]) - mean) + 1e-12).all()
    assert careful.pass_chances[3] > 1 / 3


def test_the_shrinkage_recovers_the_difficulties_better_than_raw_shares() -> None:
    generator = np.random.default_rng(3)
    true = generator.beta(8, 2, 200)
    right = generator.binomial(6, true)
    best, guesser = right_or_wrong([1.0] * 200), right_or_wrong([0.1] * 200)
    estimated = careful_annotator(answered(*zip(right, 6 - right, strict=True)), best=best, guesser=guesser)
    assert ((estimated.pass_chances - true) ** 2).mean() < 0.6 * ((right / 6 - true) ** 2).mean()


@pytest.mark.parametrize("accuracy", [0.1, 0.25, 0.5, 0.7, 0.95, 1.0])
def test_a_given_accuracy_is_reached_between_guessing_and_the_expected_answers(accuracy: float) -> None:
    careful = right_or_wrong([0.5, 0.7, 0.8, 0.6])
    changed = at_accuracy(careful, accuracy, best=BEST, guesser=GUESSER)
    assert changed.accuracy == pytest.approx(max(accuracy, 0.25))


def test_a_half_careless_annotator_answers_every_second_question_with_care() -> None:
    assert mixed(BEST, GUESSER, 0.5).pass_chances == pytest.approx(0.625)
    assert mixed(BEST, GUESSER, 1.0) is BEST
    assert mixed(BEST, GUESSER, 0.0) is GUESSER


# ── advice ────────────────────────────────────────────────────────────────────────────────────────────────────────
def report(careful: float, guess: float, *, gold: int = 60, threshold: float = 0.7, hits: int = 20) -> RuleReport:
    return rule_report(
        right_or_wrong([careful] * gold),
        right_or_wrong([guess] * gold),
        {},
        GoldRule(threshold, 5),
        GoldPlan(hits, 5, 1),
        Targets(),
    )


def test_the_advice_names_the_smallest_minimum_and_the_smallest_share_of_gold() -> None:
    found = report(0.9, 1 / 12)
    assert advice(found).startswith("With 1 gold question per HIT, the smallest minimum that meets your targets is 10")
    more = report(0.9, 1 / 12, hits=6)
    assert [each.gold for each in more.choices] == [1, 2, 3][: len(more.choices)]
    assert [each.meets for each in more.choices] == [*[False] * (len(more.choices) - 1), True]
    assert more.chosen is more.choices[-1]
    assert more.chosen.gold > 1


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("careful", "guess", "gold", "text"),
    [
        (0.95, 0.93, 60, "The gold questions are too easy to distinguish half-careless annotators from careful"),
        (1.0, 1.0, 60, "The gold questions are too easy to distinguish half-careless annotators from careful"),
        (0.6, 0.1, 60, "Careful annotators have an accuracy of 60%, which is below the pass mark of 70%"),
        (
            0.99,
            0.6,
            60,
            "The accuracy of half-careless annotators is 79.5%, which is not below the pass mark of 70%",
        ),
        (0.85, 0.5, 8, "An annotator gives at most 8 gold answers."),
    ],
)
def test_the_advice_states_why_no_minimum_meets_the_targets(careful: float, guess: float, gold: int, text: str) -> None:
    assert advice(report(careful, guess, gold=gold)).startswith(f"No minimum value meets your targets. {text}")


def test_the_advice_states_how_many_gold_answers_would_be_enough() -> None:
    few = report(0.9, 1 / 12, gold=8)
    assert few.enough is not None
    assert f"About {few.enough} gold answers to equally difficult questions would be enough." in advice(few)
    assert report(0.9, 1 / 12, gold=few.enough, hits=few.enough).chosen is not None
    hopeless = report(0.75, 0.6, gold=8)
    assert hopeless.enough is None
    assert "Even 32 gold answers to equally difficult questions would not be enough." in advice(hopeless)


@pytest.mark.nightly
def test_identical_annotators_have_no_sequential_test() -> None:
    assert report(1.0, 1.0).sprt is None
    assert report(0.9, 0.1).kind("careful").sprt is not None


@pytest.mark.parametrize(
    ("rule", "plan", "gold", "text"),
    [
        (GoldRule(0.7, 5), GoldPlan(9, 5, 0), 10, "“Questions per gold question” is 0"),
        (GoldRule(0.7, 5), GoldPlan(9, 5, 1), 0, "no gold questions yet"),
        (GoldRule(0.0, 5), GoldPlan(9, 5, 1), 10, "A pass mark of 0 turns the quality rule off"),
        (GoldRule(0.7, 11), GoldPlan(99, 5, 1), 10, "needs 11 gold answers, but the study has only 10 gold questions"),
        (GoldRule(0.7, 5), GoldPlan(1, 5, 1), 10, "more gold questions into each HIT"),
    ],
)
def test_a_rule_without_effect_is_explained(rule: GoldRule, plan: GoldPlan, gold: int, text: str) -> None:
    assert text in obstacle(rule, plan, gold)


def test_probabilities_are_not_rounded_to_certainty() -> None:
    assert [share(value) for value in (0, 0.0004, 0.0372, 0.5, 0.9996, 1)] == [
        "0%",
        "less than 0.1%",
        "3.7%",
        "50%",
        "more than 99.9%",
        "100%",
    ]


# ── measures and careless answers of the task types ───────────────────────────────────────────────────────────────
TALLIES: dict[str, list[Mapping[str, Any]]] = {
    "bws": [RIGHT, WRONG],
    "words": [RIGHT | {"f1": 0.9}, WRONG | {"f1": 0.2}],
    "chunks": [RIGHT | {"f1": 0.75}, WRONG | {"f1": 0.0}],
    "layout": [RIGHT | {"fields": 3, "fields_right": 3}, WRONG | {"fields": 2, "fields_right": 1}],
    "paraphrase": [
        {"synonyms_chosen": 2, "synonyms": 3, "random_chosen": 1, "random_words": 3},
        {"synonyms_chosen": 0, "synonyms": 0, "random_chosen": 1, "random_words": 2},
    ],
}


@pytest.mark.parametrize("task_type", TALLIES)
def test_the_curves_use_the_same_measure_as_the_quality_rule(task_type: str) -> None:
    task = tasktypes.get(task_type)
    assert set(task.measure_ratios) == set(task.measures)
    for measure, ratios in task.measure_ratios.items():
        outcomes = [[Outcome(tally, True)] for tally in TALLIES[task_type]]
        annotator = GoldAnnotator(outcomes, ratios)
        sums = np.cumsum(annotator.tallies, axis=0)
        expected = [task.accuracy(dict(zip(annotator.names, each, strict=True)), measure) for each in sums.tolist()]
        assert accuracies_of(sums, annotator.names, ratios).tolist() == expected
        assert accuracy_of({}, ratios) is None
        assert np.isnan(accuracies_of(sums * 0, annotator.names, ratios)).all()


GOLD = {
    "words": "id,source,target,gold,explanation\ng1,He left .,She left .,0-0 1-1 2-2,The verbs are the same.\n",
    "chunks": "id,source,target,links,explanation\n"
    "g1,[ He ] [ left ],[ She ] [ left ],1 <==> 1 // SIMI // 3;;2 <==> 2 // EQUI // 5,The verbs are the same.\n",
    "paraphrase": "id,sentence,phrase,start,synonyms,random_words,explanation\n"
    "g1,The children were glad.,glad,18,happy|pleased|joyful,narrow|wooden|hourly,Glad means happy.\n",
    "layout": "id,text,place,Answer.topic,explanation\ng1,Vote today.,Rome,politics,It is about a vote.\n",
}
KINDS = {
    "words": {"guesser": True, "diagonal links": True},  # the guesser confirms the initial links, which are correct
    "chunks": {"guesser": False, "no links": False},
    "paraphrase": {"guesser": False, "always yes": False, "always no": False},
    "layout": {"guesser": False, "always first option": True},
}


@pytest.mark.parametrize("task_type", GOLD)
def test_careless_answers_can_be_graded(task_type: str) -> None:
    task = tasktypes.get(task_type)
    options = task.clean_options({"layout": PLAIN} if task_type == "layout" else {})
    (question,) = task.read_gold(GOLD[task_type].encode(), "gold.csv", options, {}).questions
    answers = task.careless_answers(question.payload, options, np.random.default_rng(1))
    grades = {
        name: [task.grade(question.payload, question.gold, value, options).passed for value in values]
        for name, values in answers.items()
    }
    assert {name: all(passed) for name, passed in grades.items()} == KINDS[task_type]
    assert len(grades["guesser"]) in (16, 64)
    if task_type == "paraphrase":  # a guesser passes with at least four of six votes, as 22 of 64 answers do
        assert sum(grades["guesser"]) == 22


def test_a_guesser_in_best_worst_scaling_gives_every_answer_equally_often() -> None:
    answers = tasktypes.get("bws").careless_answers({"items": list("abcd")}, {}, np.random.default_rng(1))
    assert list(answers) == [tasktypes.GUESSER]
    assert len({tuple(each.items()) for each in answers[tasktypes.GUESSER]}) == 12
