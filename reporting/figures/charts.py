"""Charts of a paper's figures, drawn for the width of a column."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from annotate.tasktypes import PaperFigure, Point
from reporting.figures.drawing import (
    FONT_SIZE,
    GRID,
    WIDTH_OF_LETTER,
    Dot,
    Drawing,
    Line,
    Rectangle,
    Text,
)

COLOURS = ("#0b5fa5", "#c4511b", "#3a7d44", "#7a4fa3")
GREYS = ("#222222", "#777777", "#444444", "#999999")
DASHES = (0, 3, 1.5, 5)
ROW = 11.0  # height of a labelled row
LONGEST_LABEL = 24  # characters
PLOT = 110.0  # height of a plot with a vertical value axis
AXIS = 24.0  # space below a plot for the ticks and the name of the axis
EDGE = 8.0
TICKS = 5

Scale = Callable[[float], float]


def draw(figure: PaperFigure, width: float, *, grey: bool = False) -> Drawing:
    """Return the drawing of a figure. `width` is in points."""
    colours = GREYS if grey else COLOURS
    if figure.kind in ("rows", "bars"):
        return _labelled(figure, width, colours)
    return _upright(figure, width, colours)


def ticks(low: float, high: float) -> list[float]:
    """Return about five round values between two ends, whose distance is 1, 2 or 5 times a power of ten."""
    step = _step((high - low) / TICKS)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [place * step for place in range(first, last + 1)]


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


def _limits(figure: PaperFigure) -> tuple[float, float]:
    if figure.limits is not None:
        return figure.limits
    ends = [end for point in figure.points for end in (point.value, point.low, point.high) if end is not None]
    low = 0.0 if figure.kind == "bars" else min(ends)
    high = max(ends) if max(ends) > low else low + 1
    if figure.kind == "bars":
        return low, high
    step = _step((high - low) / TICKS)
    return step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)


def _labelled(figure: PaperFigure, width: float, colours: Sequence[str]) -> Drawing:
    """Draw labelled rows, which are dots with intervals, or bars."""
    points = figure.points
    low, high = _limits(figure)
    left = WIDTH_OF_LETTER * max(len(_short(point.label)) for point in points) + 4
    right = width - EDGE - (_numbers_width(points) if figure.kind == "bars" else 0)
    bottom = EDGE + ROW * len(points)
    drawing = Drawing(width, bottom + AXIS, figure.caption)
    scale = _scale(low, high, left, right)
    _value_axis(drawing, figure.across, scale, (low, high), (left, right), bottom)
    for place, point in enumerate(points):
        y = EDGE + ROW * (place + 0.5)
        drawing.shapes.append(Text(left - 4, y + FONT_SIZE / 3, _short(point.label), "end"))
        if figure.kind == "bars":
            end = scale(point.value)
            drawing.shapes.append(Rectangle(left, y - ROW / 3, end - left, 2 * ROW / 3, colours[0]))
            drawing.shapes.append(Text(end + 3, y + FONT_SIZE / 3, f"{point.value:,g}"))
            continue
        if point.low is not None and point.high is not None:
            drawing.shapes.append(Line([(scale(point.low), y), (scale(point.high), y)], colours[0]))
        drawing.shapes.append(Dot(scale(point.value), y, colours[0]))
    return drawing


def _value_axis(
    drawing: Drawing, name: str, scale: Scale, limits: tuple[float, float], ends: tuple[float, float], bottom: float
) -> None:
    for value in ticks(*limits):
        x = scale(value)
        drawing.shapes.append(Line([(x, EDGE / 2), (x, bottom)], GRID, 0.4))
        drawing.shapes.append(Text(x, bottom + FONT_SIZE + 1, _tick(value, limits), "middle"))
    drawing.shapes.append(Line([(ends[0], bottom), (ends[1], bottom)]))
    drawing.shapes.append(Text(sum(ends) / 2, bottom + 2 * FONT_SIZE + 4, name, "middle"))


def _upright(figure: PaperFigure, width: float, colours: Sequence[str]) -> Drawing:
    """Draw points over a horizontal axis: in the order of their values, or as lines of one or more series."""
    limits = _limits(figure)
    labels = [_tick(value, limits) for value in ticks(*limits)]
    left = WIDTH_OF_LETTER * max(map(len, labels)) + FONT_SIZE + 8
    right = width - EDGE
    legend = (FONT_SIZE + 3) * len(figure.series) if figure.kind == "lines" else 0
    top = EDGE + legend
    bottom = top + PLOT
    drawing = Drawing(width, bottom + AXIS, figure.caption)
    up = _scale(*limits, bottom, top)
    for value in ticks(*limits):
        drawing.shapes.append(Line([(left, up(value)), (right, up(value))], GRID, 0.4))
        drawing.shapes.append(Text(left - 4, up(value) + FONT_SIZE / 3, _tick(value, limits), "end"))
    drawing.shapes.append(Text(FONT_SIZE, (top + bottom) / 2, figure.up, "middle", upright=True))
    (_ranked if figure.kind == "ranked" else _lines)(drawing, figure, up, (left, right, bottom), colours)
    drawing.shapes.append(Line([(left, bottom), (right, bottom)]))
    drawing.shapes.append(Text((left + right) / 2, bottom + 2 * FONT_SIZE + 4, figure.across, "middle"))
    return drawing


def _ranked(
    drawing: Drawing,
    figure: PaperFigure,
    up: Scale,
    ends: tuple[float, float, float],
    colours: Sequence[str],
) -> None:
    left, right, bottom = ends
    points = sorted(figure.points, key=lambda point: point.value)
    low, high = figure.limits or (-math.inf, math.inf)
    step = (right - left) / len(points)
    for place, point in enumerate(points):
        x = left + step * (place + 0.5)
        if point.low is not None and point.high is not None:
            whisker = [(x, up(max(point.low, low))), (x, up(min(point.high, high)))]
            drawing.shapes.append(Line(whisker, colours[1], min(0.6, step / 2)))
        drawing.shapes.append(Dot(x, up(point.value), colours[0], min(1.2, max(0.4, step / 2))))
    drawing.shapes.append(Text(left, bottom + FONT_SIZE + 1, "1", "start"))
    drawing.shapes.append(Text(right, bottom + FONT_SIZE + 1, f"{len(points):,}", "end"))


def _lines(
    drawing: Drawing,
    figure: PaperFigure,
    up: Scale,
    ends: tuple[float, float, float],
    colours: Sequence[str],
) -> None:
    left, right, bottom = ends
    most = max(point.x for point in figure.points)
    across = _scale(0, most, left, right)
    for value in ticks(0, most):
        drawing.shapes.append(Text(across(value), bottom + FONT_SIZE + 1, f"{value:,g}", "middle"))
    for place, (name, points) in enumerate(figure.series.items()):
        colour, dash = colours[place], DASHES[place]
        y = EDGE + (FONT_SIZE + 3) * place
        drawing.shapes.append(Line([(left, y), (left + 18, y)], colour, 1, dash))
        drawing.shapes.append(Text(left + 22, y + FONT_SIZE / 3, name))
        drawing.shapes.append(Line([(across(point.x), up(point.value)) for point in points], colour, 1, dash))
        drawing.shapes.extend(Dot(across(point.x), up(point.value), colour, 1.6) for point in points)


def _scale(low: float, high: float, first: float, last: float) -> Scale:
    return lambda value: first + (value - low) / (high - low) * (last - first)


def _tick(value: float, limits: tuple[float, float]) -> str:
    """Return a tick label with as many decimals as the distance between ticks requires."""
    step = _step((limits[1] - limits[0]) / TICKS)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{value + 0.0:,.{places}f}".replace("-", "−")


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _numbers_width(points: Sequence[Point]) -> float:
    return WIDTH_OF_LETTER * max(len(f"{point.value:,g}") for point in points) + 4
