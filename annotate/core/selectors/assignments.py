"""Assignments in the form that annotators' pages receive, without gold marks, expected answers or consecutive IDs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.templatetags.static import static

from annotate import tasktypes
from annotate.core.selectors.activity import collects_activity
from annotate.core.selectors.feedback import feedback_on, got_feedback
from annotate.models import Answer, Assignment, Item, Study
from annotate.models.compiled import Select

ACTIVITY = "dist/signs.js"


def present(assignment: Assignment, answers: Sequence[Answer] | None = None) -> dict[str, Any]:
    """Return all data for the work page. `assignment.participation.study` should be loaded.

    A caller that has loaded the answers passes them as `answers`, in order and with their questions.
    """
    study = assignment.participation.study
    assignment.study = study
    if answers is None:
        answers = list(assignment.answers.select_related("question").order_by("position"))
    return {
        "id": assignment.public_id,
        "kind": Assignment.Kind.PRACTICE if assignment.is_practice else assignment.kind,
        "state": assignment.state,
        "lease_until": assignment.lease_until,
        "longest_lease": assignment.longest_lease,
        "reward": str(assignment.reward),
        "currency": study.currency,
        "questions": _questions(study, assignment, answers),
        "study": {
            "title": study.title,
            "task_type": study.task_type,
            "module": static(tasktypes.get(study.task_type).module),
            "language": study.language,
            "direction": study.direction,
            "skips": study.skips_allowed and not assignment.is_practice,
            "break_minutes": study.break_minutes,
            "activity": static(ACTIVITY) if collects_activity(assignment.participation) else None,
            "pass_mark": float(study.rule_threshold) if study.gold_block else 0,
        },
        "guidelines": {
            "version": study.guidelines_version,
            "read": assignment.participation.guidelines_read,
        },
    }


def _questions(study: Study, assignment: Assignment, answers: Sequence[Answer]) -> list[dict[str, Any]]:
    task = tasktypes.get(study.task_type)
    keys = {key for answer in answers for key in task.item_keys(answer.question.payload)}
    # Some questions contain their own texts and do not refer to items. An item query cannot be compiled without keys.
    contents = {item.key: item.content for item in _items(len(keys))(study.pk, *keys)} if keys else {}
    latest = {answer.position: answer.latest for answer in answers}
    return [
        {
            "position": answer.position,
            "content": task.present(answer.question.payload, answer.shown, contents, study.options),
            "draft": answer.draft,
            "revision": answer.revision,
            "value": _revealed(task, answer, latest[answer.position].value),
            "skipped": latest[answer.position].skipped,
            "final": got_feedback(answer, assignment),
            "feedback": _open_feedback(answer, assignment),
        }
        for answer in answers
    ]


def _revealed(task: tasktypes.TaskType, answer: Answer, value: Any) -> Any:
    return None if value is None else task.reveal(answer.question.payload, answer.shown, value)


@cache
def _items(count: int) -> Select[Item]:
    """Return a compiled query that selects the contents of `count` items by study and keys."""
    return Select(_items_by_key, int, *[str] * count)


def _items_by_key(study_id: int, *keys: str) -> QuerySet[Item]:
    return Item.objects.filter(study=study_id, key__in=keys).only("key", "content")


def _open_feedback(answer: Answer, assignment: Assignment) -> dict[str, Any] | None:
    if answer.acknowledged_at is not None:
        return None
    feedback = feedback_on(answer, assignment)
    return asdict(feedback) if feedback else None
