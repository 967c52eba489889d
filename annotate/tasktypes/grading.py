"""Grades for answers to gold questions, and errors and badges for individual answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class InvalidAnswer(ValueError):
    """Error raised for an answer that cannot be stored. `path` names the invalid field in the answer, such as
    `least`.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True)
class Grade:
    """The grade for one answer. An annotator's tallies are summed, and `TaskType.accuracy` calculates the accuracy from
    these sums.
    """

    tally: dict[str, float]
    passed: bool
    message: str = ""

    @classmethod
    def of(cls, passed: bool, message: str = "", **scores: float) -> Grade:
        """Return a grade with the tallies `right` and `wrong`, and a tally for each score, such as `f1`."""
        return cls({"right": int(passed), "wrong": int(not passed), **scores}, passed, message)


@dataclass(frozen=True)
class Mark:
    """A badge next to an item, which shows how the answer rates the item. The badge's colour is `ink`, or `ochre` if
    the badge is less prominent.
    """

    item: str
    label: str
    icon: str = "check"
    tone: str = "ink"


@dataclass(frozen=True)
class AnswerPart:
    """A part of an answer described for annotators, with a label in the annotators' language and the texts under it.

    The colour is `ink`, or `ochre` for the second of two kinds of parts, such as possible links.
    """

    label: str
    texts: Sequence[str]
    tone: str = "ink"
