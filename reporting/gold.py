"""The aggregate figures about gold questions, which a release may state even if it seals its gold questions."""

from __future__ import annotations

from typing import NamedTuple

from annotate.tasktypes import StudyData

SEALED = "sealed_gold"  # the key of the facts in a release with sealed gold questions


class GoldFigures(NamedTuple):
    """Counts for gold questions: the questions, the annotators with graded answers, the graded answers, and the answers
    that match the expected answer.
    """

    questions: int
    people: int
    answers: int
    correct: int


def gold_figures(data: StudyData) -> GoldFigures:
    """Return the figures from the graded gold answers. In a release with sealed gold questions, they are stated among
    its facts instead.
    """
    if stated := data.facts.get(SEALED):
        return GoldFigures(**stated)
    graded = [row for row in data.answers if row.kind == "gold" and row.passed is not None]
    return GoldFigures(
        questions=len(data.gold),
        people=len({row.pseudonym for row in graded}),
        answers=len(graded),
        correct=sum(bool(row.passed) for row in graded),
    )
