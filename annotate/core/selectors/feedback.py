"""Feedback on graded answers, for annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate import tasktypes
from annotate.models import Answer, Assignment, Question

from .expected_answers import expected_as_seen, was_missed
from .own_gold import shown_counts


@dataclass(frozen=True)
class Feedback:
    """Feedback on a graded answer, with values in the item order shown to the annotator.

    `graded` and `right` count the annotator's gold answers in submitted sets (see `shown_counts`).
    """

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
    if not got_feedback(answer, assignment) or (answer.question.kind != Question.Kind.PRACTICE and answer.passed):
        return None
    task = tasktypes.get(assignment.study.task_type)
    question, options = answer.question, assignment.study.options
    seen, counts = expected_as_seen(answer), shown_counts(assignment.participation)
    return Feedback(
        position=answer.position,
        passed=bool(answer.passed),
        expected=task.reveal(question.payload, answer.shown, seen.gold),
        given=task.reveal(question.payload, answer.shown, answer.value),
        explanation=tasktypes.with_places(task, seen.explanation, question.payload, answer.shown),
        message=task.grade(question.payload, seen.gold, answer.value, options).message,
        graded=counts.graded,
        right=counts.right,
    )


def got_feedback(answer: Answer, assignment: Assignment) -> bool:
    """Return whether the annotator got feedback when the answer was stored, so that the annotator knows the expected
    answer. There is no feedback on correct answers to gold questions and on skipped questions.
    """
    if answer.tally is None or answer.value is None:
        return False
    return answer.question.kind == Question.Kind.PRACTICE or was_missed(answer, assignment.study)
