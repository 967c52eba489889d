"""Unopened questions, and what a task type has learned from a study's answers."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate import tasktypes
from annotate.models import Answer, Assignment, Decision, Question, Report, Study

LEARNED = "learned"  # the kind of a report that stores what the task type has learned


@dataclass(frozen=True)
class UnopenedCounts:
    """The numbers of unopened and opened regular questions, and of regular questions with an answer or a decision that
    counts.
    """

    unopened: int
    opened: int
    finished: int


def unopened_questions(study: Study) -> QuerySet[Question]:
    """Return the regular questions that no person has opened or decided on, in design order. A question is opened when
    an annotator claims it. A program could open all questions in a few seconds, so programs do not open questions.
    """
    regular = study.questions.filter(kind=Question.Kind.REGULAR)
    by_people = Answer.objects.exclude(assignment__kind=Assignment.Kind.PROGRAM)
    return regular.filter(~_opened(by_people), ~_decided()).order_by("pk")


def unopened_counts(study: Study) -> UnopenedCounts:
    regular = study.questions.filter(kind=Question.Kind.REGULAR)
    unopened = unopened_questions(study).count()
    finished = regular.filter(Q(_opened(Answer.objects.counting())) | Q(_decided()))
    return UnopenedCounts(unopened, regular.count() - unopened, finished.count())


def updates_unopened(study: Study) -> bool:
    """Return whether the study's unopened questions can be updated."""
    return not study.is_draft and tasktypes.get(study.task_type).updates_unopened(study.options)


def latest_learned(study: Study) -> Report | None:
    """Return what the task type learned when the study's questions were last updated, or None if they were never
    updated.
    """
    return study.reports.filter(kind=LEARNED).order_by("-number").first()


def _opened(answers: QuerySet[Answer]) -> Exists:
    return Exists(answers.filter(question=OuterRef("pk")))


def _decided() -> Exists:
    return Exists(Decision.objects.filter(question=OuterRef("pk"), keep_both=False))
