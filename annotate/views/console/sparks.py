"""Small charts for table rows: intervals, lines and bars, each with a label in words."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.selectors.annotators import AnnotatorRow
from annotate.templatetags.figures import count, percent

WINDOW = 10  # gold answers in the moving average of a line
INTERVAL_WIDTH, LINE_WIDTH, BAR_WIDTH, HEIGHT = 92.0, 84.0, 13.0, 24.0


@dataclass(frozen=True)
class IntervalSpark:
    label: str
    mark: float
    low: float
    high: float
    share: float
    under: bool


@dataclass(frozen=True)
class LineSpark:
    label: str
    mark: float
    points: str
    x: float
    y: float
    under: bool


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    height: float
    most: bool


@dataclass(frozen=True)
class BarSpark:
    label: str
    width: float
    level: float
    bars: list[Bar]


def interval(row: AnnotatorRow, threshold: float) -> IntervalSpark | None:
    """Return the gold accuracy with its 95% interval, on a scale from 0 to 1 with a mark at the pass mark."""
    if row.share is None or row.low is None or row.high is None:
        return None
    return IntervalSpark(
        f"95% interval {percent(row.low)} to {percent(row.high)}",
        mark=_x(threshold),
        low=_x(row.low),
        high=_x(row.high),
        share=_x(row.share),
        under=row.share < threshold,
    )


def _x(value: float) -> float:
    return round(4 + value * (INTERVAL_WIDTH - 8), 1)


def gold_over_time(row: AnnotatorRow, threshold: float) -> LineSpark | None:
    """Return, for each gold answer, the accuracy over the last ten gold answers, or None if there are fewer than two
    answers.
    """
    if len(row.gold) < 2:
        return None
    shares = [sum(row.gold[max(0, end - WINDOW) : end]) / min(end, WINDOW) for end in range(1, len(row.gold) + 1)]
    step = (LINE_WIDTH - 6) / (len(shares) - 1)
    points = [(round(3 + place * step, 1), _y(share)) for place, share in enumerate(shares)]
    return LineSpark(
        f"gold accuracy over time, now {percent(shares[-1])}",
        _y(threshold),
        " ".join(f"{x},{y}" for x, y in points),
        *points[-1],
        under=shares[-1] < threshold,
    )


def _y(share: float) -> float:
    return round(HEIGHT - 3 - share * (HEIGHT - 6), 1)


def places(row: AnnotatorRow) -> BarSpark | None:
    """Return bars for the annotator's `places`, with a line that marks equal use of all positions.

    The highest bar is marked if the annotator has a flag.
    """
    chosen = row.figures.get("places") or []
    total = sum(chosen)
    if not total:
        return None
    most = max(chosen)
    scale = (HEIGHT - 2) / most
    bars = [
        Bar(
            round(place * BAR_WIDTH, 1), round(HEIGHT - n * scale, 1), round(n * scale, 1), bool(row.flag) and n == most
        )
        for place, n in enumerate(chosen)
    ]
    return BarSpark(
        f"choices by place: {', '.join(count(n) for n in chosen)}",
        len(chosen) * BAR_WIDTH,
        round(HEIGHT - total / len(chosen) * scale, 1),
        bars,
    )
