"""Functions for the time that an annotator needed for a HIT, from which the actual hourly wage is calculated."""

from __future__ import annotations

from collections.abc import Iterable


def whole_time(seconds: Iterable[float | None]) -> float | None:
    """Return the sum of the times of a HIT's answers, or None if the time of an answer is unknown."""
    times = list(seconds)
    known = [time for time in times if time is not None]
    return float(sum(known)) if known and len(known) == len(times) else None
