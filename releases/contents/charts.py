"""Bar charts as SVG for the page of a dataset, which needs no script.

Each chart is a text of at most about a thousand bytes. Its label lists all values for screen readers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from releases.contents.tables import Kind

MOST_BARS = 12
WIDTH, PLOT, ROW = 360, 150, 26  # the units of the drawings, which are as wide as a phone
LABEL, COUNT = 132, 48
LONGEST_LABEL = 18  # characters
NARROWEST, WIDEST = 1e-9, 1e15  # all numbers together; a step of other ranges has no readable label


class Chart(NamedTuple):
    """A drawing with its title. `rows` contains the label and the count of each bar."""

    title: str
    rows: list[tuple[str, int]]
    svg: str


def chart_of(title: str, kind: Kind, cells: Sequence[str]) -> Chart | None:
    """Return the distribution of a column's cells: columns for the ranges of a number, or bars for up to 12 values.
    Return None if the column has other values, such as texts or IDs, or numbers whose ranges cannot be drawn.
    """
    filled = [cell for cell in cells if cell]
    values = Counter(filled)
    if len(values) < 2:
        return None
    if kind != "text" and len(values) > MOST_BARS:
        numbers = [float(cell) for cell in filled]
        if not NARROWEST < max(numbers) - min(numbers) < WIDEST:
            return None
        rows = ranges(numbers)
        return Chart(title, rows, _columns(title, rows))
    if len(values) > MOST_BARS or len(filled) < 2 * len(values):
        return None
    ordered = sorted(values.items(), key=lambda pair: float(pair[0])) if kind != "text" else values.most_common()
    return bar_chart(title, ordered)


def bar_chart(title: str, rows: Sequence[tuple[str, int]]) -> Chart:
    """Return a chart with one horizontal bar for each row."""
    most = max(count for _, count in rows)
    parts = []
    for place, (label, count) in enumerate(rows):
        length = (WIDTH - LABEL - COUNT) * count / most
        short = label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
        parts.append(
            f'<text x="{LABEL - 8}" y="{ROW * place + 17}" text-anchor="end">{escape(short)}</text>'
            f'<rect x="{LABEL}" y="{ROW * place + 3}" width="{length:.1f}" height="{ROW - 6}"/>'
            f'<text x="{LABEL + length + 6:.1f}" y="{ROW * place + 17}">{count:,}</text>'
        )
    return Chart(title, list(rows), _svg(title, rows, ROW * len(rows), parts))


def ranges(values: Sequence[float]) -> list[tuple[str, int]]:
    """Return the number of values in each of at most 12 ranges, whose width is 1, 2 or 5 times a power of ten. A value
    between two ranges belongs to the upper one, except the largest value.
    """
    low, high = min(values), max(values)
    step = _step((high - low) / MOST_BARS)
    first = math.floor(low / step + 1e-9)
    last = max(first + 1, math.ceil(high / step - 1e-9))
    counts = [0] * (last - first)
    for value in values:
        counts[min(math.floor(value / step + 1e-9) - first, len(counts) - 1)] += 1
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    return [
        (f"{(first + place) * step:.{places}f} to {(first + place + 1) * step:.{places}f}", count)
        for place, count in enumerate(counts)
    ]


def _step(width: float) -> float:
    """Return the smallest step of at least this width. Ranges start at a multiple of the step, so there can be one
    range too many. If the width is close to the step, the next step is used instead.
    """
    power = 10.0 ** math.floor(math.log10(width))
    return next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= width * (1 + 1 / MOST_BARS))


def _columns(title: str, rows: Sequence[tuple[str, int]]) -> str:
    most = max(count for _, count in rows)
    wide = WIDTH / len(rows)
    parts = []
    for place, (_, count) in enumerate(rows):
        height = (PLOT - 20) * count / most
        top = PLOT - height
        parts.append(f'<rect x="{wide * place + 1:.1f}" y="{top:.1f}" width="{wide - 2:.1f}" height="{height:.1f}"/>')
        if count:
            parts.append(
                f'<text x="{wide * (place + 0.5):.1f}" y="{top - 5:.1f}" text-anchor="middle">{count:,}</text>'
            )
    first, last = rows[0][0].split(" to ")[0], rows[-1][0].split(" to ")[1]
    parts.append(f'<path d="M0 {PLOT + 0.5}H{WIDTH}"/>')
    parts.append(f'<text x="0" y="{PLOT + 18}">{first}</text>')
    parts.append(f'<text x="{WIDTH}" y="{PLOT + 18}" text-anchor="end">{last}</text>')
    return _svg(title, rows, PLOT + 24, parts)


def _svg(title: str, rows: Sequence[tuple[str, int]], height: int, parts: Sequence[str]) -> str:
    read = "; ".join(f"{label}: {count:,}" for label, count in rows)
    label = escape(f"{title}. {read}", quote=True)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">{"".join(parts)}</svg>'
