"""What a researcher sees when deciding a question: its content, what annotators answered, what was decided."""

from __future__ import annotations

from typing import Any

from annotate import tasktypes
from annotate.models import Decision, Item, Question, Study

from .questions import given_answers


def decision_on(question: Question) -> Decision | None:
    return Decision.objects.filter(question=question).select_related("user").first()


def present_question(study: Study, question: Question) -> dict[str, Any]:
    """The question as the task type's module shows it, in the order of the payload."""
    task = tasktypes.get(study.task_type)
    keys = task.item_keys(question.payload)
    contents = dict(Item.objects.filter(study=study, key__in=keys).values_list("key", "content"))
    return task.present(question.payload, [], contents, study.options)


def given_to_decide(study: Study, question: Question) -> list[dict[str, Any]]:
    """Answers that count, oldest first: pseudonym, in words, and as the module reads them."""
    task = tasktypes.get(study.task_type)
    return [
        {
            "name": given.pseudonym,
            "words": given.words,
            "value": task.reveal(question.payload, [], given.answer.value),
        }
        for given in given_answers(study, question)
        if given.counts
    ]


def decided_value(study: Study, question: Question, decision: Decision | None) -> Any:
    """A decision as the module reads it; None before there is one."""
    if decision is None:
        return None
    return tasktypes.get(study.task_type).reveal(question.payload, [], decision.value)
