"""Operating curves of quality rules, compared with annotators who are simulated answer by answer.

    script/bench gold_rules

For each measure of accuracy and each rule, the benchmark compares the probability of a stop with the share of simulated
annotators whom the rule stops. The simulation follows one annotator at a time, and calculates the accuracy after each
gold answer with the same function as a study. It shares no code with `accord_core/numerics/gold_rules.py` and
`gold_simulation.py`. The benchmark fails if a probability is more than 4.5 standard errors away.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt

import numpy as np

from accord_core.numerics.gold_annotators import GoldAnnotator, Outcome, mixed, right_or_wrong
from accord_core.numerics.gold_measures import Ratio, accuracy_of
from accord_core.numerics.gold_report import GoldPlan, Targets, rule_report
from accord_core.numerics.gold_rules import GoldRule
from accord_core.numerics.gold_tests import GoldTest
from accord_core.paraphrase.numerics.worker_accuracy import MEASURES, tally

GOLD, ANSWERS, ANNOTATORS, FARTHEST = 30, 20, 5_000, 4.5
RULES = (GoldRule(0.7, 5), GoldRule(0.7, 10), GoldRule(0.7, 8, 8), GoldRule(0.7, 10, 12))
EXPECTED = [True] * 3 + [False] * 3
Pair = tuple[GoldAnnotator, GoldAnnotator]


def right_answers() -> Pair:
    """Return a careful annotator and a guesser in best–worst scaling, on gold questions of different difficulty."""
    return right_or_wrong(np.linspace(0.75, 1, GOLD)), right_or_wrong([1 / 12] * GOLD)


def balanced_votes() -> Pair:
    """Return a careful annotator and a guesser who are measured by their balanced accuracy on paraphrases."""

    def votes(accuracy: float) -> list[Outcome]:
        return [
            Outcome(
                tally(EXPECTED, given), True, float(np.prod([accuracy if g == e else 1 - accuracy for g, e in each]))
            )
            for given in product((False, True), repeat=6)
            for each in [list(zip(given, EXPECTED, strict=True))]
        ]

    measure = MEASURES["balanced"]
    careful = GoldAnnotator([votes(accuracy) for accuracy in np.linspace(0.7, 0.9, GOLD)], measure)
    return careful, GoldAnnotator([votes(0.5)] * GOLD, measure)


def partial_scores() -> Pair:
    """Return a careful annotator and a guesser who are measured by their mean F1 on word alignments."""
    generator, measure = np.random.default_rng(2), (Ratio(("f1",), ("right", "wrong")),)

    def scores(good: float, bad: float) -> list[Outcome]:
        drawn = generator.beta(good, bad, 16)
        return [Outcome({"right": int(f1 >= 0.7), "wrong": int(f1 < 0.7), "f1": float(f1)}, f1 >= 0.7) for f1 in drawn]

    careful = GoldAnnotator([scores(8, 2) for _ in range(GOLD)], measure)
    return careful, GoldAnnotator([scores(2, 5) for _ in range(GOLD)], measure)


def simulated_share(annotator: GoldAnnotator, rule: GoldRule, generator: np.random.Generator) -> float:
    """Simulate annotators answer by answer, and return the share whom the rule stops."""
    chances = [np.cumsum([each.weight for each in outcomes]) for outcomes in annotator.questions]
    return sum(_is_stopped(annotator, chances, rule, generator) for _ in range(ANNOTATORS)) / ANNOTATORS


def _is_stopped(
    annotator: GoldAnnotator, chances: Sequence[np.ndarray], rule: GoldRule, generator: np.random.Generator
) -> bool:
    answers: list[Mapping[str, float]] = []
    for question in generator.permutation(GOLD)[:ANSWERS]:
        place = int(np.searchsorted(chances[question], generator.random() * chances[question][-1], side="right"))
        answers.append(annotator.questions[question][place].tally)
        counted = answers[-rule.window :]
        sums = {name: sum(each[name] for each in counted) for name in answers[0]}
        accuracy = accuracy_of(sums, annotator.ratios)
        if len(answers) >= rule.minimum and accuracy is not None and accuracy < rule.threshold:
            return True
    return False


def main() -> None:
    generator, farthest = np.random.default_rng(1), 0.0
    print("measure            rule                          annotator      calculated  simulated  standard errors")
    for name, make in (
        ("right or wrong", right_answers),
        ("balanced accuracy", balanced_votes),
        ("F1", partial_scores),
    ):
        careful, guesser = make()
        kinds = {"careful": careful, "half-careless": mixed(careful, guesser, 0.5), "guesser": guesser}
        test = GoldTest(kinds, ANSWERS, runs=40_000)
        for rule in RULES:
            for kind, annotator in kinds.items():
                stops = test.stops(kind, rule)
                share = simulated_share(annotator, rule, generator)
                error = sqrt(max(stops.stopped * (1 - stops.stopped), 1e-4) / ANNOTATORS + stops.standard_error**2)
                distance = abs(share - stops.stopped) / error
                farthest = max(farthest, distance)
                words = f"below {rule.threshold} after {rule.minimum}" + (
                    f", last {rule.window}" if rule.window else ""
                )
                print(f"{name:18} {words:29} {kind:14} {stops.stopped:10.4f} {share:10.4f} {distance:16.1f}")
    print(f"The largest difference is {farthest:.1f} standard errors.")
    for gold in (60, 500):
        careful, guesser = right_or_wrong(np.linspace(0.75, 1, gold)), right_or_wrong([1 / 12] * gold)
        begin = time.process_time()
        rule_report(careful, guesser, {}, RULES[1], GoldPlan(gold, 5, 1), Targets())
        print(
            f"All figures for {gold} gold questions and as many gold answers: {time.process_time() - begin:.2f} s CPU."
        )
    if farthest > FARTHEST:
        sys.exit(f"A calculated probability is {farthest:.1f} standard errors away from the simulation.")


if __name__ == "__main__":
    main()
