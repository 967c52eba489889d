"""The figures of a paper about a study, as data that can be drawn in any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Json = Any
MOST_NAMED = 40  # annotators with a labelled row


@dataclass(frozen=True)
class Point:
    """A value with the ends of its interval, which are None without an interval. `label` names a row, and `x` is the
    place on the horizontal axis of lines.
    """

    value: float
    low: float | None = None
    high: float | None = None
    label: str = ""
    x: float = 0


@dataclass(frozen=True)
class PaperFigure:
    """A figure with its caption, which contains no numbers, so that a new report does not change it.

    `rows` are labelled points below each other, with the value axis `across`. `bars` are the same with bars from 0.
    `ranked` are points in the order of their values, with the value axis `up`. `lines` connects the points of each
    series. `limits` are the ends of the value axis, or None to derive them from the values.
    """

    name: str
    caption: str
    kind: Literal["rows", "bars", "ranked", "lines"]
    series: Mapping[str, Sequence[Point]]
    across: str = ""
    up: str = ""
    limits: tuple[float, float] | None = None

    @property
    def points(self) -> list[Point]:
        return [point for points in self.series.values() for point in points]


def agreement_by_annotator(result: Mapping[str, Json]) -> list[PaperFigure]:
    """Return the figure with each annotator's agreement with the others, if any annotator has one."""
    people = [person for person in result.get("people", ()) if person.get("agreement") is not None]
    points = [
        Point(person["agreement"], person.get("agreement_low"), person.get("agreement_high"), person["pseudonym"])
        for person in sorted(people, key=lambda person: -person["agreement"])
    ]
    intervals = ", with 95% confidence intervals" if any(point.low is not None for point in points) else ""
    caption = f"Agreement of each annotator with the others{intervals}."
    if len(points) > MOST_NAMED:
        return [
            PaperFigure(
                "annotators", caption, "ranked", {"": points}, across="annotators", up="agreement", limits=(0, 1)
            )
        ]
    figure = PaperFigure("annotators", caption, "rows", {"": points}, across="agreement", limits=(0, 1))
    return [figure] if points else []


def labelled_figure(
    name: str, caption: str, across: str, figures: Mapping[str, Mapping[str, Json]]
) -> list[PaperFigure]:
    """Return a figure with one row per coefficient between 0 and 1, without those that are undefined."""
    points = [
        Point(figure["value"], figure.get("low"), figure.get("high"), label)
        for label, figure in figures.items()
        if figure["value"] is not None
    ]
    low = min([0.0, *(point.value if point.low is None else point.low for point in points)])
    figure = PaperFigure(name, caption, "rows", {"": points}, across=across, limits=(low, 1))
    return [figure] if points else []


def bars_figure(name: str, caption: str, across: str, counts: Mapping[str, int]) -> list[PaperFigure]:
    """Return a figure with one bar per count."""
    points = [Point(count, label=label) for label, count in counts.items()]
    return [PaperFigure(name, caption, "bars", {"": points}, across=across)] if points else []
