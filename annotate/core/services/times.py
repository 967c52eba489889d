"""Functions that determine how long annotators took to complete HITs. These completion times determine the actual
hourly wage.
"""

from __future__ import annotations

from collections.abc import Iterable


def whole_time(seconds: Iterable[float | None]) -> float | None:
    """Return the total answer time for a HIT, or None if the time of any answer is unknown."""
    times = list(seconds)
    known = [time for time in times if time is not None]
    return float(sum(known)) if known and len(known) == len(times) else None
