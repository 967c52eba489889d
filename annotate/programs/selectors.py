"""Programs that joined a study through the API, with their answers alongside the answers of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotate import tasktypes
from annotate.models import Answer, Assignment, Participation, Question, Report, Study

KIND = "programs"  # the kind of the reports that compare programs with people
ROWS = 2_000  # rows that are read at the same time


@dataclass(frozen=True)
class QuestionAnswers:
    """The answers of people and of programs to one question, by pseudonym."""

    payload: Any
    people: dict[str, Any]
    programs: dict[str, Any]


@dataclass(frozen=True)
class GoldResult:
    """A program's numbers of correct gold answers and of all gold answers."""

    right: int
    answers: int


def programs(study: Study) -> list[Participation]:
    """Return the programs that joined through the API, each with its number of submitted HITs. Needs one query."""
    submitted = Count("assignments", filter=Q(assignments__kind=Assignment.Kind.PROGRAM, assignments__state="done"))
    own = study.participations.filter(annotator__is_program=True).select_related("annotator")
    return list(own.annotate(submitted=submitted).order_by("pk"))


def answers_of_programs(study: Study, kind: str = Question.Kind.REGULAR) -> QuerySet[Answer]:
    """Return the answers of programs to questions of this kind in submitted HITs."""
    return _submitted(study, kind).filter(assignment__kind=Assignment.Kind.PROGRAM)


def answers_by_question(study: Study) -> Iterator[QuestionAnswers]:
    """Yield the judgements of people and the answers of programs for each question with such answers."""
    answers = _submitted(study, Question.Kind.REGULAR).order_by("question", "pk")
    columns = ("question", "question__payload", "value", "participation__pseudonym", "assignment__kind")
    rows = answers.values_list(*columns).iterator(chunk_size=ROWS)
    for (_, payload), group in groupby(rows, key=lambda row: row[:2]):
        people: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for _, _, value, pseudonym, kind in group:
            (own if kind == Assignment.Kind.PROGRAM else people)[pseudonym] = value
        yield QuestionAnswers(payload, people, own)


def gold_results(study: Study) -> dict[str, GoldResult]:
    """Return the results of the programs on gold questions, by pseudonym.

    The answers are graded with the current expected answers each time, because programs' grades are not stored.
    """
    task = tasktypes.get(study.task_type)
    rows = answers_of_programs(study, Question.Kind.GOLD).values_list(
        "participation__pseudonym", "question__payload", "question__gold", "value"
    )
    right: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for pseudonym, payload, gold, value in rows.iterator(chunk_size=ROWS):
        answers[pseudonym] += 1
        right[pseudonym] += task.grade(payload, gold, value, study.options).passed
    return {pseudonym: GoldResult(right[pseudonym], count) for pseudonym, count in answers.items()}


def comparisons(study: Study) -> QuerySet[Report]:
    """Return the stored comparisons of programs with people, newest first."""
    return study.reports.filter(kind=KIND).defer("input", "people").order_by("-number")


def _submitted(study: Study, kind: str) -> QuerySet[Answer]:
    return Answer.objects.filter(
        assignment__study=study,
        assignment__kind__in=[Assignment.Kind.REGULAR, Assignment.Kind.PROGRAM],
        assignment__state=Assignment.State.DONE,
        participation__excludes_answers=False,
        question__kind=kind,
        repeat=False,
        excluded="",
        given_at__isnull=False,
    )
