"""The sums of annotators' grades on gold questions, which the quality rule uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from django.db.models.functions import Coalesce

from annotate.models import Answer, Participation, Question

GOLD_SUMS = ("tallies", "graded", "forgiven", "forgiven_graded")
Tally = Mapping[str, float]
NO_CHANGES: Mapping[int, Tally] = MappingProxyType({})


def recount(participations: Sequence[Participation], changed: Mapping[int, Tally] = NO_CHANGES) -> None:
    """Set `GOLD_SUMS` from the stored grades, without saving the participations. This needs one query.

    `changed` contains new tallies by the primary key of the answer, which replace the stored tallies.
    """
    at = Coalesce("given_at", "acknowledged_at")  # unanswered gold questions of a batch have no answer
    graded = Answer.objects.filter(
        participation__in=participations, question__kind=Question.Kind.GOLD, tally__isnull=False
    ).annotate(at=at)
    by_participation = defaultdict(list)
    for participation_id, pk, tally, given_at in graded.order_by("pk").values_list(
        "participation", "pk", "tally", "at"
    ):
        by_participation[participation_id].append((changed.get(pk) or tally or {}, given_at))
    for participation in participations:
        _set_sums(participation, by_participation[participation.pk])


def _set_sums(participation: Participation, rows: Sequence[tuple[Tally, datetime]]) -> None:
    participation.tallies, participation.graded = _sum([tally for tally, _ in rows])
    # The quality rule ignores answers graded before the annotator was last restored.
    restored_at = participation.restored_at
    ignored = [tally for tally, at in rows if restored_at and at <= restored_at]
    participation.forgiven, participation.forgiven_graded = _sum(ignored)


def _sum(tallies: list[Tally]) -> tuple[dict[str, float], int]:
    """Return the sum of each tally over all answers, by name, and the number of answers."""
    return {name: sum(tally.get(name, 0) for tally in tallies) for name in _names(tallies)}, len(tallies)


def _names(tallies: Iterable[Tally]) -> list[str]:
    return list(dict.fromkeys(name for tally in tallies for name in tally))
