"""Queries that read a study's answers in batches, so that memory use does not depend on the study's size."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from django.db.models import Q, QuerySet

from annotate.models import Answer, Assignment, Study

ASSIGNMENTS = 200  # in one batch


def given_answers(study: Study, *, programs: bool = False) -> QuerySet[Answer]:
    """Return the answers and skipped questions of either people or programs, without try-outs and withdrawn answers."""
    return (
        Answer.objects.filter(
            Q(given_at__isnull=False) | Q(skipped_at__isnull=False),
            assignment__study=study,
            participation__excludes_answers=False,
            participation__annotator__is_program=programs,
        )
        .exclude(assignment__kind=Assignment.Kind.TRY)
        .select_related("question", "participation", "assignment")
        .defer("draft", "trace", "later", "tally", "question__payload", "question__gold", "question__explanation")
        .order_by("pk")
    )


def answers_in_batches(study: Study, *, programs: bool = False) -> Iterator[list[Answer]]:
    """Yield the rows of `given_answers`, grouped by assignment, in the order in which the assignments were claimed."""
    claimed = study.assignments.exclude(kind=Assignment.Kind.TRY).order_by("pk").values_list("pk", flat=True)
    keys = array("q", claimed.iterator())
    answers = given_answers(study, programs=programs).order_by("assignment", "position")
    for first in range(0, len(keys), ASSIGNMENTS):
        yield list(answers.filter(assignment__in=keys[first : first + ASSIGNMENTS]))
