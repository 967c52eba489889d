"""A measure of one system, and the difference between two systems."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Measure:
    """A figure for comparing systems, with its confidence interval.

    `value` is None if the figure is undefined, and `note` then contains the reason. `lower` is true if a lower value is
    better.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    lower: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Difference:
    """The difference between two systems in one measure (first minus second), with its interval and two-sided
    p-value.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    note: str = ""
    lower: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
