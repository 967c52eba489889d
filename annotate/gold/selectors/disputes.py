"""Disputed gold questions: whose annotators disagree with the expected answer, until a reviewer settles the dispute.

A dispute is settled if the expected answer is changed to the annotator's answer, if the question is excluded, or if a
reviewer keeps the expected answer. The audit log contains the last of these, with the time of the latest dispute that
the reviewer has seen, so that later disputes remain open.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotate.core.selectors.counts import GoldTotals, gold_totals
from annotate.models import Answer, Assignment, Question, Study
from annotate.numerics.intervals import wilson_rank

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
