"""How many sets an annotator can still answer."""

from __future__ import annotations

from annotate.core.selectors.limits import hit_limit
from annotate.core.selectors.spend import spend_of
from annotate.models import Annotator, Assignment, Participation

from .queue import suitable_hits

MOST = 20  # Annotators plan an hour, not a month, and the cost of counting stays constant.
COUNTED = (Assignment.State.DONE, Assignment.State.SURPLUS)


def sets_left(participation: Participation) -> int | None:
    """Return how many sets the annotator can still submit as things stand, including a set in progress.

    Other annotators can take some of these sets first. Return None if there are more than `MOST`. Tryouts and programs
    have no limit.
    """
    if participation.annotator.is_program or participation.annotator.platform == Annotator.Platform.TRY:
        return None
    study, regular = participation.study, participation.assignments.filter(kind=Assignment.Kind.REGULAR)
    in_progress = regular.filter(state=Assignment.State.LEASED).count()
    free = suitable_hits(participation, at_most=MOST + 1)
    if study.budget_cap is not None:
        affordable = spend_of(study).affordable(study.reward)
        free = free if affordable is None else min(free, affordable)
    left = in_progress + free
    limit = hit_limit(participation)
    if limit is not None:
        left = min(left, max(0, limit - regular.filter(state__in=COUNTED).count()))
    return left if left <= MOST else None
