"""The answers of one program as a study's data, in which the program is the only annotator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotate.models import Answer, Assignment, Participation, Question
from annotate.tasktypes import AnswerRow, QuestionDraft, StudyData

BY_PROGRAMS = (Question.Kind.REGULAR, Question.Kind.PROGRAM)


def program_data(data: StudyData, program: Participation) -> StudyData:
    """Return people's `data` with the program's answers in place of theirs. The questions also contain those that only
    programs answer. There are no decisions, and no gold answers.
    """
    answers = list(_answers(program))
    return replace(
        data,
        questions=list(_questions(program)),
        answers=answers,
        gold=[],
        skipped=[],
        decisions={},
        keep_both=frozenset(),
        messages=[],
        candidates=[],
    )


def _questions(program: Participation) -> Iterator[QuestionDraft]:
    rows = program.study.questions.filter(kind__in=BY_PROGRAMS).order_by("pk")
    for ref, payload in rows.values_list("ref", "payload").iterator():
        yield QuestionDraft(ref, payload)


def _answers(program: Participation) -> Iterator[AnswerRow]:
    """Yield the program's answers in submitted HITs, in the order of the questions."""
    rows = Answer.objects.filter(
        participation=program,
        assignment__kind=Assignment.Kind.PROGRAM,
        assignment__state=Assignment.State.DONE,
        question__kind__in=BY_PROGRAMS,
        given_at__isnull=False,
    )
    columns = ("question__ref", "question__payload", "value", "shown", "position", "seconds", "given_at")
    for ref, payload, value, shown, position, seconds, at in rows.order_by("question").values_list(*columns):
        yield AnswerRow(
            ref=ref,
            kind=Question.Kind.REGULAR,
            value=value,
            shown=shown,
            pseudonym=program.pseudonym,
            hit=None,
            position=position,
            seconds=seconds,
            given_at=at,
            counts=True,
            reason="",
            passed=None,
            tally=None,
            payload=payload,
        )
