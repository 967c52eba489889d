"""The figures used by the quality rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce

from annotate import tasktypes
from annotate.models import Answer, Participation, Question, Study


@dataclass(frozen=True)
class RuleFigures:
    """The numbers of correct gold answers and all gold answers since an annotator was last restored, and the accuracy
    under the study's quality rule.
    """

    right: int
    given: int
    accuracy: float | None
    threshold: float
    minimum: int
    reason: str  # why the annotator was stopped, or an empty string


def rule_figures(study: Study, annotators: Sequence[Participation]) -> dict[int, RuleFigures]:
    """Return the figures for these annotators by the participation's primary key, in one query."""
    task = tasktypes.get(study.task_type)
    since = Q(participation__restored_at__isnull=True) | Q(graded_at__gt=F("participation__restored_at"))
    graded: Any = (
        Answer.objects.filter(participation__in=annotators, tally__isnull=False, question__kind=Question.Kind.GOLD)
        .annotate(graded_at=Coalesce("given_at", "acknowledged_at"))
        .filter(since)
        .order_by()
        .values("participation")
        .annotate(given=Count("pk"), right=Count("pk", filter=Q(passed=True)))
    )
    counted = {row["participation"]: (row["right"], row["given"]) for row in graded}
    figures = {}
    for annotator in annotators:
        right, given = counted.get(annotator.pk, (0, 0))
        tallies = {name: value - annotator.forgiven.get(name, 0) for name, value in annotator.tallies.items()}
        stopped = annotator.standing == Participation.Standing.STOPPED
        figures[annotator.pk] = RuleFigures(
            right=right,
            given=given,
            accuracy=task.accuracy(tallies, study.rule_measure),
            threshold=float(study.rule_threshold),
            minimum=study.rule_minimum,
            reason=annotator.standing_reason if stopped else "",
        )
    return figures
