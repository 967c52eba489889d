"""A task type's additional figures about annotators in the console, such as reliabilities estimated by a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Z = 1.959964  # 95%, two-sided


@dataclass(frozen=True)
class PersonFigure:
    """A share that each annotator's row in a report contains under `Person.own`.

    `key` is the name of the share. The ends of its 95% interval are under `low` and `high`, or follow from the standard
    error under `error`. `title` names the figure on the annotator's page, and `meaning` explains it.
    """

    key: str
    title: str
    meaning: str
    low: str = ""
    high: str = ""
    error: str = ""

    def interval(self, figures: Mapping[str, Any]) -> tuple[float, float] | None:
        """Return the ends of the interval in an annotator's row, or None if they are unknown. At 0 and 1, a standard
        error does not give an interval, because it is close to 0 even for an estimate from few answers.
        """
        value, low, high, error = (figures.get(name) for name in (self.key, self.low, self.high, self.error))
        if low is not None and high is not None:
            return float(low), float(high)
        if value is None or error is None or round(value, 2) in (0.0, 1.0):
            return None
        return max(0.0, float(value) - Z * float(error)), min(1.0, float(value) + Z * float(error))
