"""Tables of a report's main figures, for comparisons of reports and for shared reports.

A table names each figure and its place in the stored result. Figures are numbers, so the tables contain no texts of
items and no pseudonyms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from accord_core.numerics import printed

Format = Literal["coefficient", "percent", "count", "decimal"]


@dataclass(frozen=True)
class FigureRow:
    """A figure's name, its path in the stored result, such as `words.-1.possible.f1`, and its format.

    The value at this path is a number, an object with `value`, `low` and `high`, or a list whose length is the figure.
    """

    name: str
    place: str
    format: Format = "coefficient"


@dataclass(frozen=True)
class FigureTable:
    """A group of related figures, with a title."""

    title: str
    rows: Sequence[FigureRow]


@dataclass(frozen=True)
class Value:
    """The value of a figure, and its confidence interval. `value` is None if the figure is undefined or missing."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def printed(self, format_: Format) -> str:
        text = formatted(self.value, format_)
        if self.low is None or self.high is None:
            return text
        return f"{text} ({formatted(self.low, format_)} to {formatted(self.high, format_)})"


def value_at(result: Any, place: str) -> Value:
    """Return the value at this path in a stored result."""
    part = result
    for name in place.split("."):
        if isinstance(part, Mapping):
            part = part.get(name)
        elif isinstance(part, list) and part and name.lstrip("-").isdigit():
            part = part[int(name)]
        else:
            part = None
    if isinstance(part, Mapping):
        return Value(part.get("value"), part.get("low"), part.get("high"))
    if isinstance(part, list):
        return Value(len(part))
    return Value(part if isinstance(part, int | float) else None)


def formatted(value: float | None, format_: Format) -> str:
    """Return a figure in the format used in all reports, such as .831, 88.4% or 8,710."""
    if value is None:
        return printed.NONE
    if format_ == "coefficient":
        return printed.coefficient(value)
    if format_ == "percent":
        return printed.percent(value, 1)
    return printed.count(round(value)) if format_ == "count" else f"{value:,.2f}"


def signed(difference: float | None, format_: Format) -> str:
    """Format the difference between two figures with its sign. Differences between percentages are in percentage
    points.
    """
    if difference is None:
        return printed.NONE
    text = f"{100 * abs(difference):.1f} points" if format_ == "percent" else formatted(abs(difference), format_)
    if not any(digit in text for digit in "123456789"):
        return text
    return ("+" if difference > 0 else "−") + text
