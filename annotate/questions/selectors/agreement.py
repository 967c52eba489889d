"""The agreement between a question's answers, and the state of the stored figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import nextafter
from typing import Any

from annotate.core.selectors.counts import totals
from annotate.models import FiguresState, Study
from annotate.tasktypes import TaskType

BELOW_ONE = nextafter(1, 0)
DECISIONS = ("decided", "withdrew decision")  # entries of the history that change no answers


@dataclass(frozen=True)
class Fingerprint:
    """The state of a study's answers. Submissions change the counts. Any other change to counted answers adds a log
    entry.
    """

    judgements: int
    gold_answers: int
    event: int


@dataclass(frozen=True)
class FiguresAge:
    """The time when the figures were last calculated, if ever, and whether they are still current."""

    calculated_at: datetime | None
    current: bool
    judgements: int


def mean_similarity(task: TaskType, payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> float | None:
    """Return the mean similarity over all pairs of answers, as measured by the task type, or None for fewer than two
    answers.
    """
    pairs = list(combinations(values, 2))
    similarities = [task.alike(payload, one, other, options) for one, other in pairs]
    return sum(similarities) / len(similarities) if similarities else None


def queue_agreement(task: TaskType, payload: Any, values: Sequence[Any], options: Mapping[str, Any]) -> float | None:
    """Return the mean similarity, but slightly less than 1 if the answers differ only in what similarity ignores, such
    as sure and possible links. The adjudication queue then contains the question.
    """
    similarity = mean_similarity(task, payload, values, options)
    differs = task.details_disagree and task.agreed(values) is None
    return BELOW_ONE if similarity == 1 and differs else similarity


def fingerprint(study: Study) -> Fingerprint:
    """Return the current state of the study's answers, in two queries."""
    counts = totals(study)
    latest = study.events.exclude(verb__in=DECISIONS).order_by("-at", "-pk").values_list("pk", flat=True).first()
    return Fingerprint(counts.judgements, counts.gold_given, latest or 0)


def figures_age(study: Study) -> FiguresAge:
    """Return the age of the stored figures, in three queries."""
    now, state = fingerprint(study), FiguresState.objects.filter(study=study).first()
    if state is None:
        return FiguresAge(None, current=now.judgements + now.gold_answers == 0, judgements=now.judgements)
    stored = Fingerprint(state.judgements, state.gold_answers, state.event)
    return FiguresAge(state.calculated_at, stored == now, now.judgements)
