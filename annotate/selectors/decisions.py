"""Data for deciding a question: its content, the annotators' answers and the current decision."""

from __future__ import annotations

from typing import Any

from annotate import tasktypes
from annotate.models import Decision, Item, Question, Study

from .questions import given_answers


def decision_on(question: Question) -> Decision | None:
    return Decision.objects.filter(question=question).select_related("user").first()


def present_question(study: Study, question: Question) -> dict[str, Any]:
    """Return the question in the form that the task type's module shows, with its items in the order of the payload."""
    task = tasktypes.get(study.task_type)
    keys = task.item_keys(question.payload)
    contents = dict(Item.objects.filter(study=study, key__in=keys).values_list("key", "content"))
    return task.present(question.payload, [], contents, study.options)


def given_to_decide(study: Study, question: Question) -> list[dict[str, Any]]:
    """Return the answers that count, oldest first, with the pseudonym, the answer in words, and its value for the
    JavaScript module.
    """
    task = tasktypes.get(study.task_type)
    return [
        {
            "name": row.pseudonym,
            "words": row.words,
            "value": task.reveal(question.payload, [], row.answer.value),
        }
        for row in given_answers(study, question)
        if row.counts
    ]


def decided_value(study: Study, question: Question, decision: Decision | None) -> Any:
    """Return the value of a decision for the task type's module, or None if no decision exists."""
    if decision is None:
        return None
    return tasktypes.get(study.task_type).reveal(question.payload, [], decision.value)
