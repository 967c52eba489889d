"""The alternative annotator test in simulated studies: its level, how often systems pass, and the time of a comparison
without the test of copied answers.

    script/bench alt_test

The first table shows both error rates of the t-test and of Wilcoxon's signed-rank test, which Calderon, Reichart and
Dror (2025) recommend for fewer than 30 questions. A system that is exactly ε worse than the annotator should win in 5%
of studies. In the second table, annotators and systems choose one of three labels.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from accord_core.numerics.advantage_tests import FEW, error_rates, signed_rank_test, t_test
from accord_core.numerics.alternative_annotator import LEVEL, alternative_annotator_test, rivals
from annotate.tasktypes import ProgramFigures
from bws.grading import AGREEMENT

STUDIES, PASSES = 4_000, 300
FURTHEST = 0.035  # four standard errors of a simulated share
LABELS, PERSON, EPSILON = 3, 0.75, 0.1
QUESTIONS, PEOPLE, PROGRAMS = 5_000, 5, 3


def main() -> None:
    level()
    passes()
    comparison()


def level() -> None:
    """Print how often each test of a single comparison is wrong: false wins of a system that is ε worse than the
    annotator, and missed wins of a system as good as the annotator. Simulated shares and exact shares must agree.
    """
    print("| questions | ε | equal scores | t-test: false wins | missed | Wilcoxon: false wins | missed |")
    print("|---|---|---|---|---|---|---|")
    for questions in (10, 20, 29, 100):
        for epsilon in (0.0, 0.1, 0.2):
            for ties in (0.2, 0.5, 0.7):
                simulated = [_wins(questions, epsilon, ties, mean) for mean in (epsilon, 0.0)]
                false, missed = simulated[0], 1 - simulated[1]
                cells = [false[0], missed[0], false[1], missed[1]]
                print(f"| {questions} | {epsilon:g} | {ties:.0%} | {' | '.join(f'{each:.1%}' for each in cells)} |")
                exact = error_rates(questions, ties, epsilon=epsilon, level=LEVEL)[2:] if questions < FEW else cells
                if np.abs(np.array(cells) - exact).max() > FURTHEST:
                    sys.exit(f"The exact error rates are {exact}.")


def _wins(questions: int, epsilon: float, ties: float, mean: float) -> Any:
    """Return the shares of wins (2,) under the t-test and Wilcoxon's test in simulated comparisons."""
    draw = np.random.default_rng([1, questions, int(100 * epsilon), int(10 * ties), int(100 * mean)])
    chances = [(1 - ties + mean) / 2, ties, (1 - ties - mean) / 2]
    differences = draw.choice([1.0, 0.0, -1.0], p=chances, size=(STUDIES, questions))
    tests = (t_test, signed_rank_test)
    return np.array([np.mean([test(each, epsilon) <= LEVEL for each in differences]) for test in tests])


def passes() -> None:
    print(f"\nAnnotators have an accuracy of {PERSON:.0%}, and ε is {EPSILON:g}.\n")
    print("| annotators | questions | accuracy of the system | passes | winning rate | average advantage |")
    print("|---|---|---|---|---|---|")
    for people in (3, 5):
        for questions in (30, 50, 100, 300):
            for accuracy in (0.55, 0.65, 0.75, 0.85):
                draw = np.random.default_rng([2, people, questions, int(100 * accuracy)])
                tests = [_study(draw, people, questions, accuracy) for _ in range(PASSES)]
                shares = [np.mean([getattr(each, name) for each in tests]) for name in ("passes", "winning_rate")]
                advantage = np.mean([each.advantage for each in tests])
                cells = f"{accuracy:.0%} | {shares[0]:.0%} | {shares[1]:.2f} | {advantage:.2f}"
                print(f"| {people} | {questions} | {cells} |", flush=True)


def _study(draw: np.random.Generator, people: int, questions: int, accuracy: float) -> Any:
    truth = draw.integers(LABELS, size=questions)
    answers = [_answers(draw, truth, PERSON) for _ in range(people)]
    by_question = {at: {f"p{who}": labels[at] for who, labels in enumerate(answers)} for at in range(questions)}
    system = dict(enumerate(_answers(draw, truth, accuracy)))
    compared = rivals(by_question, system, lambda one, other: float(one == other))
    return alternative_annotator_test(compared, epsilon=EPSILON)


def _answers(draw: np.random.Generator, truth: Any, accuracy: float) -> list[int]:
    wrong = (truth + draw.integers(1, LABELS, size=len(truth))) % LABELS
    labels: list[int] = np.where(draw.random(len(truth)) < accuracy, truth, wrong).tolist()
    return labels


def comparison() -> None:
    draw = np.random.default_rng(3)
    alike, choices = (lambda payload, one, other, options: float(one == other)), (lambda payload, values, options: [])
    task: Any = SimpleNamespace(agreement=AGREEMENT, alike=alike, choices=choices)
    programs = [f"m{number}" for number in range(PROGRAMS)]
    figures = ProgramFigures(task, {}, programs)
    start = time.perf_counter()
    for number in range(QUESTIONS):
        items = [f"i{(number + step) % (QUESTIONS // 2)}" for step in (0, 7, 31, 101)]
        choices = draw.integers(4, size=(PEOPLE + PROGRAMS, 2))
        values = [{"best": items[best], "worst": items[worst]} for best, worst in choices]
        people = {f"p{who}": value for who, value in enumerate(values[:PEOPLE])}
        figures.add({"items": items}, people, dict(zip(programs, values[PEOPLE:], strict=True)))
    figures.result(epsilon=EPSILON, fewest_questions=30, seed=1)
    seconds = time.perf_counter() - start
    print(f"\n{PEOPLE} people and {PROGRAMS} programs on {QUESTIONS:,} questions: {seconds:.1f} s")


if __name__ == "__main__":
    main()
