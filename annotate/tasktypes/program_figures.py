"""The comparison of programs with people on the same questions: agreement, the alternative annotator test, the test of
copied answers and, if answers score items, the rank correlation of the scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from accord_core.exchange.alt_test_figures import alt_test_figures
from accord_core.numerics.alternative_annotator import CannotTest, RivalScores, alternative_annotator_test
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.group_agreement import agreement_of_counts
from accord_core.numerics.labels import Floats
from accord_core.numerics.rank_correlation import rank_correlation

from .answer_agreement import AnswerAgreement
from .copied_answers import CopiedAnswers
from .tasktype import TaskType

Json = Any
Answers = Mapping[str, Json]
PEOPLE = "people"
RESAMPLES = 1_000


def agreement_of(task: TaskType) -> AnswerAgreement:
    """Return the task type's agreement figures, by default the mean of `alike`."""

    def similarity(payload: Json, one: Json, other: Json, options: Mapping[str, Json]) -> Sequence[float]:
        return (task.alike(payload, one, other, options), 1.0)

    return task.agreement or AnswerAgreement({"similarity": "Mean similarity"}, similarity)


class ProgramFigures:
    """The answers of people and programs, added question by question.

    Only counts and labels are kept, so that the memory does not depend on the size of the answers.
    """

    def __init__(self, task: TaskType, options: Mapping[str, Json], programs: Sequence[str]) -> None:
        self._task, self._options, self._programs = task, options, list(programs)
        self._agreement = agreement_of(task)
        self._counts: dict[tuple[str, str], list[Sequence[float]]] = defaultdict(list)
        self._rivals = RivalScores(self._programs)
        self._scores = {name: ItemScores() for name in self._programs}
        self._copied = {name: CopiedAnswers() for name in self._programs}
        self._answered = dict.fromkeys(self._programs, 0)
        self._people: set[str] = set()
        self._answered_by_people = 0

    def add(self, payload: Json, people: Answers, programs: Answers) -> None:
        """Add the answers to a question, by pseudonym. Questions without an answer of a program are only counted."""
        self._answered_by_people += bool(people)
        if not programs:
            return
        self._people |= people.keys()
        self._compare(payload, (PEOPLE, PEOPLE), list(permutations(people.values(), 2)))
        for name, value in programs.items():
            self._answered[name] += 1
            choices = self._task.choices(payload, [*people.values(), value], self._options)
            self._copied[name].add(list(people), choices)
            self._compare(payload, (PEOPLE, name), [(each, value) for each in people.values()])
            if self._agreement.item_scores and people:
                self._scores[name].add(self._agreement.item_scores, payload, people.values(), value)
        for one, other in combinations([name for name in self._programs if name in programs], 2):
            self._compare(payload, (one, other), [(programs[one], programs[other])])
        self._rivals.add(people, programs, lambda one, other: self._task.alike(payload, one, other, self._options))

    def result(self, *, epsilon: float, fewest_questions: int, seed: int) -> dict[str, Json]:
        """Return all figures in their JSON format."""
        has_scores = self._agreement.item_scores is not None
        return {
            "people": len(self._people),
            "answered_by_people": self._answered_by_people,
            "answered": self._answered,
            "figures": [{"name": name, "label": label} for name, label in self._agreement.figures.items()],
            "agreement": [self._agreement_of(one, other, seed) for one, other in self._groups()],
            "scores": [self._correlation(name, seed) for name in self._programs] if has_scores else [],
            "epsilon": epsilon,
            "fewest_questions": fewest_questions,
            "alt_test": [self._alt_test(name, epsilon, fewest_questions) for name in self._programs],
            "copying": [
                {"program": name, "annotators": copied.result(seed=seed)} for name, copied in self._copied.items()
            ],
        }

    def _compare(self, payload: Json, groups: tuple[str, str], pairs: Sequence[tuple[Json, Json]]) -> None:
        """Add the mean of the counts of all pairs, so that each question has the same weight."""
        if pairs:
            counts = [self._agreement.counts(payload, one, other, self._options) for one, other in pairs]
            self._counts[groups].append(np.mean(counts, axis=0).tolist())

    def _groups(self) -> list[tuple[str, str]]:
        with_people = [(PEOPLE, name) for name in (PEOPLE, *self._programs)]
        return [*with_people, *combinations(self._programs, 2)]

    def _agreement_of(self, one: str, other: str, seed: int) -> dict[str, Json]:
        counts, names = self._counts.get((one, other), []), list(self._agreement.figures)
        if counts:
            figures = agreement_of_counts(np.array(counts), self._agreement.estimate, resamples=RESAMPLES, seed=seed)
        else:
            figures = [Coefficient(None, reason="no question in common")] * len(names)
        by_name = {name: figure.as_figure() for name, figure in zip(names, figures, strict=True)}
        return {"one": one, "other": other, "questions": len(counts), "figures": by_name}

    def _correlation(self, name: str, seed: int) -> dict[str, Json]:
        """Return the rank correlation of a program's scores with people's scores, if the program has answered all
        questions. A program that has answered some of the questions has scores from other questions than people.
        """
        scores = self._scores[name]
        if scores.questions < self._answered_by_people or not scores.questions:
            return {
                "program": name,
                **Coefficient(None, reason="the program has not answered all questions").as_figure(),
            }
        people, own = scores.means()
        figure = rank_correlation(people, own, resamples=RESAMPLES, seed=seed)
        return {"program": name, "items": len(own), **figure.as_figure()}

    def _alt_test(self, name: str, epsilon: float, fewest_questions: int) -> dict[str, Json]:
        try:
            test = alternative_annotator_test(self._rivals.of(name), epsilon=epsilon, fewest_questions=fewest_questions)
        except CannotTest as error:
            return {"program": name, "reason": str(error)}
        return {"program": name, "reason": None, **alt_test_figures(test)}


class ItemScores:
    """The mean scores of items from the answers of people and of a program to the same questions."""

    def __init__(self) -> None:
        self.questions = 0
        self._sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def add(
        self,
        scores: Callable[[Json, Json], Mapping[str, float]],
        payload: Json,
        people: Collection[Json],
        program: Json,
    ) -> None:
        """Add a question. The mean of the people's answers has the same weight as the program's answer."""
        self.questions += 1
        for answer in people:
            for item, score in scores(payload, answer).items():
                self._sums[item][0] += score / len(people)
        for item, score in scores(payload, program).items():
            self._sums[item][1] += score
            self._sums[item][2] += 1

    def means(self) -> tuple[Floats, Floats]:
        """Return the mean scores of the items (I,) from people and from the program."""
        sums = np.array(list(self._sums.values()))
        return sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]
