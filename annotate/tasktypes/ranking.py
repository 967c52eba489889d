"""The items of a report with their values, which a shared report can list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_ROWS = 1_000


@dataclass(frozen=True)
class RankedRow:
    """An item, as one or more `texts`, with its value between 0 and 1 and, if known, the 95% interval. `printed` is the
    value as readers see it.
    """

    texts: Sequence[str]
    value: float
    printed: str
    low: float | None = None
    high: float | None = None

    @property
    def width(self) -> float:
        """The width of the interval. An unknown interval counts as wider than any other."""
        return 2.0 if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class Ranking:
    """The rows of a list, with the highest or the lowest value first. `noun` names one row, `value` names the values,
    and `note` explains them in one line. `all` is the number of rows in the report, and a long list contains only the
    first `MOST_ROWS`.
    """

    title: str
    noun: str
    value: str
    rows: Sequence[RankedRow]
    all: int
    note: str = ""
    highest_first: bool = True

    @property
    def has_intervals(self) -> bool:
        return any(row.low is not None for row in self.rows)
