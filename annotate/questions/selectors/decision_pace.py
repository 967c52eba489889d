"""The time that a reviewer needs for a decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from annotate.models import Study

from .decisions import DECIDED

USUAL = 30.0  # seconds per decision, until a study has enough decisions of its own
FEWEST = 5  # measured times before the study's own median is used
BREAK = timedelta(minutes=5)  # a longer gap between two decisions counts as a break


@dataclass(frozen=True)
class DecisionPace:
    """The median time per decision in seconds, and the number of measured times, which is 0 for the usual value."""

    seconds: float
    measured: int


def decision_pace(study: Study) -> DecisionPace:
    """Return the median time between two consecutive decisions by the same reviewer, or the usual value."""
    times: dict[int | None, list[datetime]] = defaultdict(list)
    for user, at in study.events.filter(verb=DECIDED).order_by("at", "pk").values_list("user", "at"):
        times[user].append(at)
    return pace_of(times)


def pace_of(times: Mapping[int | None, Sequence[datetime]]) -> DecisionPace:
    """Return the pace from the times of each reviewer's decisions, in ascending order."""
    gaps = [later - earlier for at in times.values() for earlier, later in pairwise(at)]
    seconds = [gap.total_seconds() for gap in gaps if gap <= BREAK]
    return DecisionPace(median(seconds), len(seconds)) if len(seconds) >= FEWEST else DecisionPace(USUAL, 0)
