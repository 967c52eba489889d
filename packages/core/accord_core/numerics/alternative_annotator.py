"""The alternative annotator test (alt-test) of Calderon, Reichart and Dror (2025, “The Alternative Annotator Test for
LLM-as-a-Judge”, ACL): whether a system can replace one of several annotators.

Each annotator is left out in turn. On each question, the system and the left-out annotator are compared with the
answers of the other annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from accord_core.numerics.advantage_tests import FEW, ErrorRates, error_rates, signed_rank_test, t_test
from accord_core.numerics.labels import EQUAL, Floats

Answer = TypeVar("Answer")
Question = TypeVar("Question", bound=Hashable)

# The values of ε that the authors recommend. ε is the disadvantage of the system that is acceptable because the system
# costs less than the annotators.
EPSILONS = {"experts": 0.2, "trained": 0.15, "crowd": 0.1}
LEVEL = 0.05
PASS = 0.5  # the smallest winning rate with which a system passes
FEWEST_ANNOTATORS = 3
FEWEST_QUESTIONS = 30


class CannotTest(ValueError):
    """The answers do not meet the assumptions of the test. The message states what is missing."""


@dataclass(frozen=True, eq=False)
class Rivals:
    """The similarity of one annotator's answers to the other annotators' answers, and that of the system's answers.

    The arrays contain each question that the annotator, the system and at least one other annotator have answered.
    """

    annotator: str
    own: Floats
    system: Floats

    @property
    def questions(self) -> int:
        return len(self.own)


@dataclass(frozen=True)
class Replacement:
    """The comparison of the system with one annotator.

    `system_advantage` is the share of questions on which the system is at least as similar to the other annotators as
    the annotator is. `own_advantage` is the share of questions on which the annotator is at least as similar to them as
    the system is. `p_corrected` is corrected for the number of annotators. The system wins if `p_corrected` is at most
    the level of the test. `p_published` and `wins_published` are the corrected p-value and the result of the
    published procedure, which uses Wilcoxon's test for fewer than 30 questions.
    """

    annotator: str
    questions: int
    system_advantage: float
    own_advantage: float
    p: float
    p_corrected: float
    wins: bool
    p_published: float
    wins_published: bool


@dataclass(frozen=True)
class AltTest:
    """The result of the test.

    `winning_rate` is the share of annotators against whom the system wins. `advantage` is the mean of
    `system_advantage` over annotators, with which the authors compare systems. `left_out` maps the annotators with too
    few questions to their numbers of questions. `winning_rate_published` comes from the published procedure. If it uses
    another test, `error_rates` describes a comparison with the median number of these annotators' questions.
    """

    epsilon: float
    fewest_questions: int
    annotators: list[Replacement]
    left_out: dict[str, int]
    winning_rate: float
    advantage: float
    winning_rate_published: float
    error_rates: ErrorRates | None

    @property
    def passes(self) -> bool:
        return self.winning_rate >= PASS - EQUAL

    @property
    def passes_published(self) -> bool:
        return self.winning_rate_published >= PASS - EQUAL


class RivalScores:
    """The similarities for several systems, added question by question."""

    def __init__(self, systems: Iterable[str]) -> None:
        self._own: dict[str, dict[str, list[float]]] = {name: {} for name in systems}
        self._system: dict[str, dict[str, list[float]]] = {name: {} for name in self._own}

    def add(
        self, answers: Mapping[str, Answer], systems: Mapping[str, Answer], alike: Callable[[Answer, Answer], float]
    ) -> None:
        """Add a question with the answers of annotators and systems by name. `alike` returns the similarity of two
        answers.

        The similarity to several annotators is the mean. Questions with a single annotator are excluded.
        """
        names, values = list(answers), list(answers.values())
        compared = systems if len(names) > 1 else {}
        matrix = _similarities(values, alike) if compared else np.zeros((0, 0))
        for system in self._own:
            for name in names:
                self._own[system].setdefault(name, [])
                self._system[system].setdefault(name, [])
        for system, answer in compared.items():
            similar = np.array([alike(answer, value) for value in values])
            for place, name in enumerate(names):
                self._own[system][name].append(float(matrix[place].sum()) / (len(names) - 1))
                self._system[system][name].append(float(np.delete(similar, place).sum()) / (len(names) - 1))

    def of(self, system: str) -> list[Rivals]:
        """Return the similarities for each annotator, in order of first appearance."""
        return [
            Rivals(name, np.array(own), np.array(self._system[system][name])) for name, own in self._own[system].items()
        ]


def rivals(
    answers: Mapping[Question, Mapping[str, Answer]],
    system: Mapping[Question, Answer],
    alike: Callable[[Answer, Answer], float],
) -> list[Rivals]:
    """Return the similarities of one system's answers. `answers` maps each question to the answers by annotator."""
    scores = RivalScores(["system"])
    for question, given in answers.items():
        scores.add(given, {"system": system[question]} if question in system else {}, alike)
    return scores.of("system")


def alternative_annotator_test(
    compared: Iterable[Rivals], *, epsilon: float, fewest_questions: int = FEWEST_QUESTIONS, level: float = LEVEL
) -> AltTest:
    """For each annotator, use a one-sided paired t-test to determine whether the system's advantage probability is
    larger than the annotator's minus `epsilon`. Adjust the p-values by the method of Benjamini and Yekutieli (2001).
    The result also contains that of the published procedure.

    Annotators with fewer than `fewest_questions` questions are left out. The authors recommend at least 30 questions,
    and Wilcoxon's test for fewer questions. With ε > 0, Wilcoxon's test rejected a true null hypothesis in up to 55% of
    our simulations instead of 5%, because it gives the smallest ranks to all ties. Therefore, the main result uses the
    t-test for any number of questions. Raises `CannotTest` if fewer than three annotators remain, and ValueError unless
    0 ≤ ε < 1.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(f"ε must be at least 0 and less than 1, not {epsilon}.")
    every = list(compared)
    tested = [each for each in every if each.questions >= max(2, fewest_questions)]
    _refuse_few(every, tested, fewest_questions)
    from scipy.stats import false_discovery_control  # a slow import, which few commands need

    differences = [own - system for own, system in map(_wins, tested)]
    p_values = [t_test(each, epsilon) for each in differences]
    published = [(t_test if len(each) >= FEW else signed_rank_test)(each, epsilon) for each in differences]
    corrected, corrected_published = (false_discovery_control(each, method="by") for each in (p_values, published))
    replacements = [
        Replacement(
            each.annotator,
            each.questions,
            *_advantages(each),
            p,
            float(q),
            bool(q <= level),
            float(w),
            bool(w <= level),
        )
        for each, p, q, w in zip(tested, p_values, corrected, corrected_published, strict=True)
    ]
    return AltTest(
        epsilon=epsilon,
        fewest_questions=fewest_questions,
        annotators=replacements,
        left_out={each.annotator: each.questions for each in every if each not in tested},
        winning_rate=sum(each.wins for each in replacements) / len(replacements),
        advantage=sum(each.system_advantage for each in replacements) / len(replacements),
        winning_rate_published=sum(each.wins_published for each in replacements) / len(replacements),
        error_rates=_error_rates([each for each in differences if len(each) < FEW], epsilon, level),
    )


def _error_rates(differences: Sequence[Floats], epsilon: float, level: float) -> ErrorRates | None:
    """Return the error rates with the median number of questions and the overall share of ties, or None without
    differences.
    """
    if not differences:
        return None
    questions = round(float(np.median([len(each) for each in differences])))
    return error_rates(questions, float((np.concatenate(differences) == 0).mean()), epsilon=epsilon, level=level)


def _advantages(each: Rivals) -> tuple[float, float]:
    own, system = _wins(each)
    return float(system.mean()), float(own.mean())


def _similarities(values: Sequence[Answer], alike: Callable[[Answer, Answer], float]) -> Floats:
    matrix = np.zeros((len(values), len(values)))
    for place, one in enumerate(values):
        for further, other in enumerate(values[:place]):
            matrix[place, further] = matrix[further, place] = alike(one, other)
    return matrix


def _refuse_few(every: Sequence[Rivals], tested: Sequence[Rivals], fewest_questions: int) -> None:
    most = max((each.questions for each in every), default=0)
    if not most:
        raise CannotTest("None of the questions answered by the system has answers from two annotators.")
    if len(every) < FEWEST_ANNOTATORS:
        raise CannotTest(
            f"The test needs at least {FEWEST_ANNOTATORS} annotators, but there are only {len(every)}. "
            "Ask more people to answer the questions."
        )
    if len(tested) < FEWEST_ANNOTATORS:
        raise CannotTest(
            f"The test needs at least {FEWEST_ANNOTATORS} annotators with {fewest_questions} or more questions that "
            f"the system and another annotator have also answered. {_number(len(tested))} enough of these questions. "
            f"The annotator with the most questions has answered {most}. Collect more answers, or lower the minimum "
            "number of questions."
        )


def _number(count: int) -> str:
    return (
        "None of the annotators has" if not count else "1 annotator has" if count == 1 else f"{count} annotators have"
    )


def _wins(each: Rivals) -> tuple[Floats, Floats]:
    """Return two arrays, which are 1 for questions on which the annotator or the system, respectively, is at least as
    similar to the others as its rival."""
    # Sums in another order can differ in the last digit.
    return (each.own >= each.system - EQUAL).astype(np.float64), (each.system >= each.own - EQUAL).astype(np.float64)
