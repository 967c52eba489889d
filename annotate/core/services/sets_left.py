"""How many sets an annotator can still answer."""

from __future__ import annotations

from annotate.core.selectors.limits import hit_limit
from annotate.core.selectors.spend import spend_of
from annotate.models import Annotator, Assignment, Participation

from .queue import suitable_hits

MOST = 20  # Annotators plan an hour, not a month, and the cost of counting stays constant.
REGULAR = Assignment.Kind.REGULAR
COUNTED = (Assignment.State.DONE, Assignment.State.SURPLUS)


def sets_left(participation: Participation) -> int | None:
    """Return how many sets the annotator can still submit as things stand, including a set in progress.

    Other annotators can take some of these sets first. Return None if there are more than `MOST`. Tryouts and programs
    have no limit.

    In studies with gold questions, only the annotator's own limit counts: a question that another annotator skips is
    asked again in a new set only if it is not a gold question, so the number of free sets would reveal gold questions.
    """
    if participation.annotator.is_program or participation.annotator.platform == Annotator.Platform.TRY:
        return None
    limits = [_up_to_limit(participation)]
    if not participation.study.gold_block:
        limits.append(_in_progress_and_free(participation))
    left = min((each for each in limits if each is not None), default=MOST + 1)
    return left if left <= MOST else None


def _up_to_limit(participation: Participation) -> int | None:
    limit = hit_limit(participation)
    if limit is None:
        return None
    return max(0, limit - participation.assignments.filter(kind=REGULAR, state__in=COUNTED).count())


def _in_progress_and_free(participation: Participation) -> int:
    study = participation.study
    in_progress = participation.assignments.filter(kind=REGULAR, state=Assignment.State.LEASED).count()
    free = suitable_hits(participation, at_most=MOST + 1)
    affordable = spend_of(study).affordable(study.reward) if study.budget_cap is not None else None
    return in_progress + (free if affordable is None else min(free, affordable))
