"""The versions of a gold question's expected answer.

A question stores only the current version. The audit log contains the earlier versions, together with the researcher
who changed the expected answer and the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotate import tasktypes
from annotate.models import Answer, Event, Question, Study

CHANGED = "changed expected answer"  # the verb of the log entries


@dataclass(frozen=True)
class ExpectedAnswer:
    """The expected answer and the explanation shown to annotators."""

    gold: Any
    explanation: str


@dataclass(frozen=True)
class EarlierAnswer:
    """An earlier version of the expected answer, which was replaced at `until`."""

    version: int
    expected: ExpectedAnswer
    until: datetime
    by: str
    reason: str


def earlier_answers(question: Question) -> list[EarlierAnswer]:
    """Return the earlier versions of the expected answer, newest first."""
    if question.gold_version == 1:
        return []
    events = Event.objects.filter(study=question.study_id, verb=CHANGED, detail__question=question.ref)
    return [
        EarlierAnswer(
            event.detail["version"] - 1, _replaced(event), event.at, str(event.user or "Accord"), event.reason
        )
        for event in events.select_related("user").order_by("-pk")
    ]


def expected_as_seen(answer: Answer) -> ExpectedAnswer:
    """Return the expected answer at an answer's first grading, which annotators see as feedback."""
    question = answer.question
    if answer.feedback_version == question.gold_version:
        return ExpectedAnswer(question.gold, question.explanation)
    change = Event.objects.get(
        study=question.study_id,
        verb=CHANGED,
        detail__question=question.ref,
        detail__version=answer.feedback_version + 1,
    )
    return _replaced(change)


def was_missed(answer: Answer, study: Study) -> bool:
    """Return whether an answer was initially graded as wrong, regardless of later changes to the expected answer."""
    if answer.graded_version == answer.feedback_version or answer.value is None or answer.always_missed:
        return answer.passed is False
    task = tasktypes.get(study.task_type)
    expected = expected_as_seen(answer).gold
    return not task.grade(answer.question.payload, expected, answer.value, study.options).passed


def _replaced(change: Event) -> ExpectedAnswer:
    return ExpectedAnswer(change.detail["gold"][0], change.detail["explanation"][0])
