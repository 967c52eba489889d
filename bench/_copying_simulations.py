"""Simulated studies in which some annotators copy answers from a program.

The studies differ from the model of the test. The difficulty of the questions is continuous and the same for people and
programs, annotators have their own abilities, and errors of people and programs prefer the same wrong answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.numerics.copying import copying_tests
from accord_core.numerics.copying_model import Units
from bench._interval_simulations import Draw, Figure, Simulation

ABILITY_SD = 0.5
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(41)


@dataclass(frozen=True)
class Setting:
    """A simulated study. `difficulty` is the standard deviation of the log odds of a correct answer between questions,
    and `likeliest` is the share of errors with the likeliest wrong answer. `people` and `program` are mean accuracies.
    Each annotator gives `answers` answers, and each question has `judgements` answers. The first `copiers` annotators
    copy each answer with the probability `copied`.
    """

    labels: int
    people: float
    program: float
    difficulty: float = 0.0
    likeliest: float = 0.0
    judgements: int = 5
    answers: int = 50
    questions: int = 300
    copied: float = 0.0
    copiers: int = 1

    @property
    def is_hard(self) -> bool:
        return self.difficulty > 0


def simulated_units(draw: Draw, setting: Setting) -> Units:
    """Return the answers of a simulated study."""
    answers = _Answers(draw, setting)
    program = answers.of(intercept(setting.program, setting.difficulty))
    center = intercept(setting.people, float(np.hypot(setting.difficulty, ABILITY_SD)))
    blocks = setting.questions // setting.answers
    unit, annotator, label = [], [], []
    for judgement in range(setting.judgements):
        for block, questions in enumerate(draw.permutation(setting.questions).reshape(blocks, setting.answers)):
            who = block * setting.judgements + judgement
            given = answers.of(center + ABILITY_SD * draw.normal())[questions]
            if who < setting.copiers:
                given = np.where(draw.random(setting.answers) < setting.copied, program[questions], given)
            unit.append(questions)
            annotator.append(np.full(setting.answers, who))
            label.append(given)
    size = np.full(setting.questions, setting.labels)
    return Units(
        *map(np.concatenate, (unit, annotator, label)), program, size, np.zeros_like(size), np.arange(len(size))
    )


class _Answers:
    def __init__(self, draw: Draw, setting: Setting) -> None:
        self._draw, self._setting, size = draw, setting, setting.questions
        self._hard = setting.difficulty * draw.normal(size=size)
        self._truth = draw.integers(setting.labels, size=size)
        self._likeliest = self._another()

    def of(self, ability: float) -> np.ndarray:
        """Return the answers of one annotator or program to all questions."""
        size = len(self._truth)
        right = self._draw.random(size) < 1 / (1 + np.exp(-ability - self._hard))
        wrong = np.where(self._draw.random(size) < self._setting.likeliest, self._likeliest, self._another())
        return np.where(right, self._truth, wrong)

    def _another(self) -> np.ndarray:
        return (
            self._truth + self._draw.integers(1, self._setting.labels, size=len(self._truth))
        ) % self._setting.labels


def intercept(accuracy: float, spread: float) -> float:
    """Return the log odds at which the mean accuracy over normally distributed log odds is as given."""
    low, high = -10.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = (WEIGHTS / (1 + np.exp(-middle - spread * NODES))).sum() / WEIGHTS.sum()
        low, high = (middle, high) if mean < accuracy else (low, middle)
    return low


def copied_shares(draw: Draw, questions: int) -> dict[str, Figure]:
    """Return the intervals of annotators who copy nothing, a quarter or half of 50 answers."""
    figures: dict[str, Figure] = {}
    for difficulty, likeliest in ((0.0, 0.0), (1.5, 0.8)):
        for copied in (0.0, 0.25, 0.5):
            setting = Setting(3, 0.85, 0.75, difficulty, likeliest, questions=questions, copied=copied)
            test = next(copying_tests(simulated_units(draw, setting), seed=1, power=False))
            assert test
            name = f"{copied:.0%} copied, {'hard questions' if setting.is_hard else 'equal questions'}"
            figures[name] = (test.share, test.low, test.high, copied)
    return figures


SIMULATIONS = (Simulation("page Programs, copied answers", "questions", copied_shares, (300,), 0.5),)
