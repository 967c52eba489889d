"""Drawings made of lines, rectangles, dots and texts, which are written as SVG or PDF. Lengths are in points of 1/72
inch, and the origin is the upper left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

MILLIMETRE = 72 / 25.4
WIDTHS = {"column": 77 * MILLIMETRE, "page": 160 * MILLIMETRE}  # the widths of the ACL style
FONT_SIZE = 8.0
WIDTH_OF_LETTER = 0.66 * FONT_SIZE  # an upper bound for the mean of a label
FAMILY = "Helvetica, Arial, sans-serif"
INK, GRID = "#222222", "#cccccc"

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Line:
    points: Sequence[tuple[float, float]]
    colour: str = INK
    width: float = 0.8
    dash: float = 0  # length of dashes, or 0 for a solid line


@dataclass(frozen=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    colour: str
    radius: float = 1.8


@dataclass(frozen=True)
class Text:
    """A text whose baseline is at `y`. An upright text is turned to the left around its anchor."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    upright: bool = False


Shape = Line | Rectangle | Dot | Text


@dataclass
class Drawing:
    width: float
    height: float
    title: str
    shapes: list[Shape] = field(default_factory=list)

    def svg(self) -> str:
        """Return the drawing as an SVG file whose size is stated in millimetres."""
        size = f'width="{self.width / MILLIMETRE:.1f}mm" height="{self.height / MILLIMETRE:.1f}mm"'
        view = f'viewBox="0 0 {self.width:.2f} {self.height:.2f}"'
        parts = "\n".join(_svg(shape) for shape in self.shapes)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} font-family="{FAMILY}" font-size="{FONT_SIZE:g}">\n'
            f"<title>{escape(self.title)}</title>\n{parts}\n</svg>\n"
        )


def _svg(shape: Shape) -> str:
    match shape:
        case Line():
            points = " ".join(f"{x:.2f},{y:.2f}" for x, y in shape.points)
            dash = f' stroke-dasharray="{shape.dash:g}"' if shape.dash else ""
            style = f'stroke="{shape.colour}" stroke-width="{shape.width:g}"{dash}'
            return f'<polyline points="{points}" fill="none" {style}/>'
        case Rectangle():
            place = f'x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" height="{shape.height:.2f}"'
            return f'<rect {place} fill="{shape.colour}"/>'
        case Dot():
            return f'<circle cx="{shape.x:.2f}" cy="{shape.y:.2f}" r="{shape.radius:g}" fill="{shape.colour}"/>'
        case Text():
            turned = f' transform="rotate(-90 {shape.x:.2f} {shape.y:.2f})"' if shape.upright else ""
            place = f'x="{shape.x:.2f}" y="{shape.y:.2f}" text-anchor="{shape.anchor}" fill="{INK}"{turned}'
            return f"<text {place}>{escape(shape.text)}</text>"
