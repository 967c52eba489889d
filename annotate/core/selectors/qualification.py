"""The attempts of an annotator's qualification, and the remaining practice questions."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Answer, Assignment, Participation, Question, Study


def has_qualification(study: Study) -> bool:
    """Return whether annotators must reach a pass mark on the practice questions."""
    return study.practice and bool(study.qualification_mark)


def tries_begun(participation: Participation) -> int:
    """Return how many times the annotator has begun the practice questions."""
    return participation.assignments.filter(kind=Assignment.Kind.PRACTICE).count()


def tries_left(participation: Participation) -> int:
    """Return the number of attempts that the annotator can still begin. A study without a pass mark has one attempt."""
    allowed = participation.study.qualification_tries if has_qualification(participation.study) else 1
    left = allowed - tries_begun(participation)
    return min(left, practice_questions(participation).count()) if left > 0 else 0


def practice_questions(participation: Participation) -> QuerySet[Question]:
    """Return the practice questions not yet seen by the annotator, in the same order for all annotators."""
    seen = Answer.objects.filter(participation=participation, question_id=OuterRef("pk"))
    questions = Question.objects.filter(study_id=participation.study_id, kind=Question.Kind.PRACTICE)
    return questions.filter(~Exists(seen)).order_by("ref")
