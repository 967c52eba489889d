"""The test of whether people give a program's answers more often than expected, from their answers to each question."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.numerics.copying import CopyingTest, copying_tests
from accord_core.numerics.copying_model import Units

from .answer_choices import Choices

Json = Any


class CopiedAnswers:
    """People's choices beside one program's, added question by question."""

    def __init__(self) -> None:
        self._people: dict[str, int] = {}
        self._strata: dict[Hashable, int] = {}
        self._answers: list[tuple[int, int, int]] = []  # unit, annotator and label
        self._units: list[tuple[int, int, int, int]] = []  # the program's label, options, stratum and question
        self._questions = 0

    def add(self, people: Sequence[str], choices: Sequence[Choices]) -> None:
        """Add a question. The labels of each choice are those of the people in this order, and then the program's."""
        numbers = [self._people.setdefault(name, len(self._people)) for name in people]
        for choice in choices:
            *labels, program = choice.labels
            if program is not None and choice.options > 1:
                self._add_unit(choice, list(zip(numbers, labels, strict=True)), program)
        self._questions += 1

    def result(self, *, seed: int) -> list[dict[str, Json]]:
        """Return the tests in their JSON format, starting with the annotators worth a look. People whose answers cannot
        be compared have no test.
        """
        if not self._answers:
            return []
        unit, annotator, label = np.array(self._answers, dtype=np.int64).T
        program, options, stratum, question = np.array(self._units, dtype=np.int64).T
        units = Units(unit, annotator, label, program, options, stratum, question)
        tests = zip(self._people, copying_tests(units, seed=seed), strict=False)
        tested = [(name, test) for name, test in tests if test]
        return [
            {"annotator": name, **_figures(test)}
            for name, test in sorted(tested, key=lambda each: (not each[1].unusual, each[1].p, -each[1].share, each[0]))
        ]

    def _add_unit(self, choice: Choices, labels: list[tuple[int, Hashable | None]], program: Hashable) -> None:
        chosen = [(who, label) for who, label in labels if label is not None]
        added = [who for who, label in chosen if label != choice.absent]
        if choice.absent is not None and program == choice.absent and len(added) == 1:
            chosen = [(who, label) for who, label in chosen if who not in added]
        numbers: dict[Hashable, int] = {program: 0}
        stratum: Hashable = (choice.kind, program) if choice.named else choice.kind
        unit = len(self._units)
        self._answers += [(unit, who, numbers.setdefault(label, len(numbers))) for who, label in chosen]
        options = max(choice.options, len(numbers))
        self._units.append((0, options, self._strata.setdefault(stratum, len(self._strata)), self._questions))


def _figures(test: CopyingTest) -> Mapping[str, Json]:
    return {**vars(test), "unusual": test.unusual, "can_tell": test.can_tell}
