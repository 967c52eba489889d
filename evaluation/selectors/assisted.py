"""The programs of a study in which people answer a random part of the questions, and its program-assisted figures."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotate.models import Answer, Assignment, Participation, Question, Report, Study
from annotate.questions.selectors.program_data import BY_PROGRAMS
from annotate.questions.selectors.questions import answers_that_count

KIND = "assisted"  # of the reports, and of the job that calculates them


@dataclass(frozen=True)
class Answered:
    """A program with its number of `answers` in submitted HITs, and the number of all `questions` in the study."""

    program: Participation
    answers: int
    questions: int

    @property
    def is_complete(self) -> bool:
        return self.answers == self.questions


@dataclass(frozen=True)
class Judged:
    """How many of people's `questions` have at least one judgement, and how many questions only programs answer."""

    judged: int
    questions: int
    only_for_programs: int

    @property
    def missing(self) -> int:
        return self.questions - self.judged


def programs_with_answers(study: Study) -> list[Answered]:
    """Return the study's programs in the order in which they joined."""
    questions = study.questions.filter(kind__in=BY_PROGRAMS).count()
    programs = study.participations.filter(annotator__is_program=True).select_related("annotator").order_by("pk")
    return [Answered(each, _answers(each), questions) for each in programs]


def judged_by_people(study: Study) -> Judged:
    """Return the numbers of judged questions and of all questions for people."""
    judgement = answers_that_count(study).filter(question=OuterRef("pk"))
    regular = study.questions.filter(kind=Question.Kind.REGULAR)
    return Judged(
        judged=regular.filter(Exists(judgement)).count(),
        questions=regular.count(),
        only_for_programs=study.questions.filter(kind=Question.Kind.PROGRAM).count(),
    )


def latest(study: Study) -> Report | None:
    """Return the latest program-assisted figures."""
    return study.reports.filter(kind=KIND).defer("input", "people").order_by("-number").first()


def _answers(program: Participation) -> int:
    return Answer.objects.filter(
        participation=program,
        assignment__kind=Assignment.Kind.PROGRAM,
        assignment__state=Assignment.State.DONE,
        question__kind__in=BY_PROGRAMS,
        given_at__isnull=False,
    ).count()
