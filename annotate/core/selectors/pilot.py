"""The progress of an open study's pilot."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from annotate.models import Assignment, Slot, Study


@dataclass(frozen=True)
class Pilot:
    """A pilot's progress: the number and cost of its assignments, how many of them are done, and the number and cost of
    the `later` assignments.
    """

    assignments: int
    cost: Decimal
    done: int
    later: int
    later_cost: Decimal

    @property
    def complete(self) -> bool:
        """Return whether all assignments of the pilot are done."""
        return self.done >= self.assignments > 0


def pilot_of(study: Study) -> Pilot | None:
    """Return the progress of the pilot, or None if the study is not in its pilot."""
    if not study.piloting or not study.pilot_hits:
        return None
    slots = Slot.objects.filter(study=study, hit__number__lte=study.pilot_hits).count()
    done = Assignment.objects.filter(
        study=study,
        kind=Assignment.Kind.REGULAR,
        state=Assignment.State.DONE,
        hit__number__lte=study.pilot_hits,
    ).count()
    later = study.assignments_planned - slots
    return Pilot(assignments=slots, cost=study.reward * slots, done=done, later=later, later_cost=study.reward * later)
