"""Disputed gold questions: whose annotators disagree with the expected answer, until a reviewer settles the dispute.

A dispute is settled if the expected answer is changed to the annotator's answer, if the question is excluded, or if a
reviewer keeps the expected answer. The audit log contains the last of these, with the time of the latest dispute that
the reviewer has seen, so that later disputes remain open.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accord_core.numerics.intervals import wilson_rank
from annotate import tasktypes
from annotate.core.selectors.counts import GoldTotals, gold_totals
from annotate.models import Answer, Assignment, Question, Study
from annotate.questions.selectors.questions import in_words

KEPT, REOPENED = "kept expected answer", "reopened disputes"  # the verbs of the log entries


@dataclass(frozen=True)
class Dispute:
    """An open dispute, with the primary keys of the answer and its question, and the time of the dispute."""

    answer: int
    question: int
    at: datetime


def open_disputes(study: Study) -> list[Dispute]:
    """Return all open disputes in the order of their time. This needs two queries, and one if there are none."""
    rows: Any = (
        Answer.objects.filter(
            question__study=study,
            question__kind=Question.Kind.GOLD,
            disputed=True,
            passed=False,
            value__isnull=False,
            acknowledged_at__isnull=False,
            participation__excludes_answers=False,
        )
        .exclude(assignment__kind__in=Assignment.NOT_BY_PEOPLE)
        .order_by("acknowledged_at", "pk")
        .values_list("pk", "question", "question__ref", "acknowledged_at")
    )
    disputes = [(Dispute(pk, question, at), ref) for pk, question, ref, at in rows]
    if not disputes:
        return []
    settled = _settled(study, since=disputes[0][0].at)
    return [dispute for dispute, ref in disputes if ref not in settled or dispute.at > settled[ref]]


def disputes_by_question(study: Study) -> Counter[int]:
    """Return the number of open disputes about each disputed gold question, by primary key."""
    return Counter(dispute.question for dispute in open_disputes(study))


def disputed_gold(study: Study) -> list[int]:
    """Return the primary keys of gold questions with open disputes. Questions with the most certain shares of wrong
    answers come first.
    """
    questions = sorted(disputes_by_question(study))
    counted, unanswered = (gold_totals(study) if questions else {}), GoldTotals()

    def rank(pk: int) -> float:
        totals = counted.get(pk, unanswered)
        return wilson_rank(totals.missed, totals.given)

    return sorted(questions, key=rank, reverse=True)


def disputed_questions(study: Study) -> int:
    """Return the number of gold questions with open disputes."""
    return len(disputes_by_question(study))


def is_kept(question: Question) -> bool:
    """Return whether the last decision on disputes about this question was to keep the expected answer."""
    decisions = question.study.events.filter(verb__in=(KEPT, REOPENED), detail__question=question.ref)
    return decisions.order_by("pk").values_list("verb", flat=True).last() == KEPT


@dataclass(frozen=True)
class Objector:
    """An annotator who disputes the expected answer, with the annotator's comment."""

    pseudonym: str
    note: str


@dataclass(frozen=True)
class DisputedAnswer:
    """An answer that one or more annotators defend. `value` has the format of the task type's module."""

    pk: int
    value: Any
    words: str
    by: list[Objector]


def disputed_answers(study: Study, question: Question) -> tuple[list[DisputedAnswer], datetime | None]:
    """Return the answers from open disputes about this question, most frequent first, and the time of the latest
    dispute. This needs one query more than `open_disputes`.
    """
    disputes = [dispute for dispute in open_disputes(study) if dispute.question == question.pk]
    answers = Answer.objects.select_related("participation").in_bulk([dispute.answer for dispute in disputes])
    alike: dict[str, list[Answer]] = {}
    for dispute in disputes:
        answer = answers[dispute.answer]
        alike.setdefault(json.dumps(answer.value, sort_keys=True), []).append(answer)
    task = tasktypes.get(study.task_type)
    shown = [
        DisputedAnswer(
            same[0].pk,
            task.reveal(question.payload, [], same[0].value),
            in_words(study, question, same[0].value),
            [Objector(answer.participation.pseudonym, answer.dispute_note) for answer in same],
        )
        for same in sorted(alike.values(), key=len, reverse=True)
    ]
    return shown, disputes[-1].at if disputes else None


def _settled(study: Study, since: datetime) -> dict[str, datetime]:
    """Return, by the ref of the question, the time of the latest dispute that a reviewer has settled."""
    settled: dict[str, datetime] = {}
    events = study.events.filter(verb__in=(KEPT, REOPENED), at__gte=since).order_by("pk")
    for verb, detail in events.values_list("verb", "detail"):
        if verb == KEPT:
            settled[detail["question"]] = datetime.fromisoformat(detail["until"])
        else:
            settled.pop(detail["question"], None)
    return settled
