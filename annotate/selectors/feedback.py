"""Feedback on graded answers, for annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate import tasktypes
from annotate.models import Answer, Assignment, Question

from .expected_answers import expected_as_seen, was_missed


@dataclass(frozen=True)
class Feedback:
    """Feedback on a graded answer, with values in the item order shown to the annotator."""

    position: int
    passed: bool
    expected: Any
    given: Any
    explanation: str
    message: str
    graded: int
    right: int


def feedback_on(answer: Answer, assignment: Assignment) -> Feedback | None:
    """Return feedback on a practice answer or on a wrong answer to a gold question. Return None for any other answer
    and for programs.

    If the expected answer has changed since the answer was graded, the feedback still shows the earlier version.
    """
    if answer.value is None:
        return None  # feedback on a skipped question would reveal a gold question
    if answer.tally is None or (answer.question.kind != Question.Kind.PRACTICE and _is_correct(answer, assignment)):
        return None
    task = tasktypes.get(assignment.study.task_type)
    participation = assignment.participation
    if participation.annotator.is_program:
        return None  # the answer was graded by an earlier version of Accord, which graded programs
    question, options = answer.question, assignment.study.options
    seen = expected_as_seen(answer)
    return Feedback(
        position=answer.position,
        passed=bool(answer.passed),
        expected=task.reveal(question.payload, answer.shown, seen.gold),
        given=task.reveal(question.payload, answer.shown, answer.value),
        explanation=tasktypes.with_places(task, seen.explanation, question.payload, answer.shown),
        message=task.grade(question.payload, seen.gold, answer.value, options).message,
        graded=participation.graded,
        right=participation.answers.filter(question__kind=Question.Kind.GOLD, passed=True).count(),
    )


def _is_correct(answer: Answer, assignment: Assignment) -> bool:
    return bool(answer.passed) or not was_missed(answer, assignment.study)
