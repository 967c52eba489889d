"""The test of answers copied from a program, in simulated studies: false alarms, and how often copying is noticed.

    script/bench copying [--fast] [--small]

Each annotator gives 50 or 100 answers. A study has 300 questions and 3 or 5 judgements per question. An annotator who
copies gives the program's answer to a random half of the questions. Half of the rows have questions of different
difficulty, on which people and programs prefer the same wrong answer. The column “perfect test” is the power of the
likelihood-ratio test that knows the true answers, the difficulties, the ability and the share. Potato is the rule
`llm_echo` of `potato/server_utils/cheating_detection.py` in Potato 2.12.1, with its default limits. `--small` shows
studies in which all annotators answer the same 50 questions, several annotators copy, or people are less often right.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

import numpy as np

from accord_core.numerics.copying import LEVEL, copying_tests
from accord_core.numerics.copying_model import Units
from accord_core.numerics.intervals import wilson_interval
from bench._copying_simulations import ABILITY_SD, Setting, intercept, simulated_units

STUDIES, FAST, HONEST = 40, 4, 8
PERFECT = 4_000
POTATO_ALIGNMENT, POTATO_RESIDUAL = 0.9, 0.34
DIFFICULTIES = ((0.0, 0.0), (1.5, 0.8))
HEADER = (
    "| labels | people right | program right | questions | judgements | answers | false alarms | 95% interval "
    "| Potato’s false alarms | noticed | perfect test | noticed by Potato |\n" + "|---" * 12 + "|"
)


def main() -> None:
    studies = FAST if "--fast" in sys.argv else STUDIES
    start = time.perf_counter()
    settings = small() if "--small" in sys.argv else usual()
    print(HEADER)
    alarms, honest = np.sum([row(each, studies) for each in settings], axis=0)
    low, high = wilson_interval(alarms, honest) or (0, 1)
    print(f"\nFalse alarms where people are at least 75% right: {alarms / honest:.2%} ({low:.2%} to {high:.2%})")
    print(f"{honest:,} annotators, {time.perf_counter() - start:.0f} s")


def usual() -> Iterable[Setting]:
    for labels, people in ((2, 0.95), (3, 0.85), (5, 0.85), (2, 0.75), (3, 0.75)):
        for difficulty, likeliest in DIFFICULTIES:
            yield Setting(labels, people, 0.75, difficulty, likeliest)
    for labels, people in ((2, 0.95), (3, 0.85)):
        yield Setting(labels, people, 0.75, *DIFFICULTIES[1], judgements=3)
    for answers in (50, 100):
        yield Setting(3, 0.95, 0.95, answers=answers)
    yield Setting(2, 0.95, 0.95)


def small() -> Iterable[Setting]:
    for labels, people in ((2, 0.75), (2, 0.95), (3, 0.85)):
        for difficulty, likeliest in DIFFICULTIES:
            yield Setting(labels, people, 0.75, difficulty, likeliest, questions=50)
    yield Setting(3, 0.85, 0.75, copiers=6)
    yield Setting(3, 0.6, 0.75)
    yield Setting(3, 0.6, 0.75, 1.5, 0.8)


def row(setting: Setting, studies: int) -> tuple[int, int]:
    """Print one row, and return the numbers of false alarms and of honest annotators, or zeros below 75% accuracy."""
    alarms, noticed = [], []
    potato_alarms, potato_noticed = [], []
    for number in range(studies):
        draw = np.random.default_rng([5, number])
        honest = simulated_units(draw, setting)
        tests = islice(copying_tests(honest, seed=number, power=False), HONEST)
        alarms += [test.unusual for test in tests if test]
        potato_alarms += [potato_flags(honest, who) for who in range(HONEST) if who < honest.n_annotators]
        copied = simulated_units(draw, replace(setting, copied=0.5))
        first = next(copying_tests(copied, seed=number, power=False))
        noticed.append(bool(first and first.unusual))
        potato_noticed.append(potato_flags(copied, 0))
    low, high = wilson_interval(sum(alarms), len(alarms)) or (0, 1)
    kind = "differ" if setting.is_hard else "equal"
    facts = f"{setting.labels} | {setting.people:.0%} | {setting.program:.0%} | {kind} | {setting.judgements}"
    found = f"{np.mean(alarms):.1%} | {low:.1%}–{high:.1%} | {np.mean(potato_alarms):.0%}"
    power = f"{np.mean(noticed):.0%} | {perfect(setting)} | {np.mean(potato_noticed):.0%}"
    print(f"| {facts} | {setting.answers} | {found} | {power} |", flush=True)
    return (sum(alarms), len(alarms)) if setting.people >= 0.75 else (0, 0)


def perfect(setting: Setting) -> str:
    """Return the power of a test that knows everything except which answers were copied."""
    draw, size = np.random.default_rng(6), (PERFECT, setting.answers)
    hard = setting.difficulty * draw.normal(size=size)
    ability = intercept(setting.people, float(np.hypot(setting.difficulty, ABILITY_SD)))
    right = logistic(ability + ABILITY_SD * draw.normal(size=(PERFECT, 1)) + hard)
    program = logistic(intercept(setting.program, setting.difficulty) + hard)
    further = (1 - setting.likeliest) / (setting.labels - 1)
    meets = np.where(draw.random(size) < setting.likeliest + further, setting.likeliest + further, further)
    chance = np.where(draw.random(size) < program, right, (1 - right) * meets)
    same = draw.random(size) < chance
    copies = draw.random(size) < 0.5
    ratio = [
        np.where(equal, np.log(0.5 + 0.5 / chance), np.log(0.5)).sum(axis=1) + draw.random(PERFECT) * 1e-9
        for equal in (same, same | copies)
    ]
    limit = np.quantile(ratio[0], 1 - LEVEL)
    return f"{(ratio[1] > limit).mean():.0%}"


def logistic(values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-values))


def potato_flags(units: Units, annotator: int) -> bool:
    """Return whether Potato flags an annotator as an echo: at least 90% of the answers equal the program's, and where
    both the annotator and another person differ from the program, they agree in at most 34% of cases, or never meet.
    """
    own = np.flatnonzero(units.annotator == annotator)
    same = units.same
    if same[own].mean() < POTATO_ALIGNMENT:
        return False
    label = dict(zip(units.unit[own].tolist(), units.label[own].tolist(), strict=True))
    met = [
        units.label[other] == label[int(units.unit[other])]
        for other in np.flatnonzero((units.annotator != annotator) & (same == 0))
        if int(units.unit[other]) in label and label[int(units.unit[other])] != units.program[units.unit[other]]
    ]
    return not met or bool(np.mean(met) <= POTATO_RESIDUAL)


if __name__ == "__main__":
    main()
