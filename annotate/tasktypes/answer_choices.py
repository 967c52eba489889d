"""The choices in an answer, such as one vote per candidate, for the comparison with a program's answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Choices:
    """One choice in several answers to a question.

    `kind` names the choice, such as `best`. `labels` contains the label in each answer, or None for an answer without
    this choice. `options` is the number of labels that an annotator could choose from. `named` states that the labels
    mean the same in all questions, such as yes and no, in contrast to the items of a tuple. `absent` is the label of
    answers without an optional element, such as a link. If a single annotator added an element that the program lacks,
    this annotator is excluded from the choice, because the others may never have considered it.
    """

    kind: str
    labels: Sequence[Hashable | None]
    options: int
    named: bool = True
    absent: Hashable | None = None


def equal_answers(values: Sequence[object], kind: str = "answer") -> Choices:
    """Return whole answers as one choice. The number of options is the number of different answers plus 1."""
    first: list[object] = []
    for value in values:
        if value not in first:
            first.append(value)
    return Choices(kind, [first.index(value) for value in values], len(first) + 1, named=False)
