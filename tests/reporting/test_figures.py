"""Tests that the figures of a paper show the values of the report at their places, in the width of a column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange import extras
from accord_core.exchange.extras import MissingExtraError
from annotate.tasktypes import PaperFigure, Point, agreement_by_annotator, get
from reporting.figures.charts import COLOURS, GREYS, draw, ticks
from reporting.figures.drawing import FONT_SIZE, MILLIMETRE, WIDTHS, Dot, Drawing, Line, Rectangle, Text
from reporting.figures.files import figure_files
from reporting.figures.pdf import UnusableFont, as_pdf

COLUMN = WIDTHS["column"]
ROWS = PaperFigure(
    "agreement",
    "Agreement.",
    "rows",
    {"": [Point(0.5, 0.25, 0.75, "a & <b>"), Point(1, label="c")]},
    "x",
    limits=(0, 1),
)
BARS = PaperFigure("labels", "Labels.", "bars", {"": [Point(200, label="yes"), Point(50, label="no")]}, "labels")
LINES = PaperFigure(
    "reliability",
    "Reliability.",
    "lines",
    {"one": [Point(0.5, x=50), Point(0.7, x=100)], "other": [Point(0.4, x=50), Point(0.6, x=100)]},
    "judgements",
    "ρ",
)
SCORES = PaperFigure("scores", "Scores.", "ranked", {"": [Point(0.9, 0.7, 1.2), Point(0.1, -0.1, 0.3)]}, "", "", (0, 1))
EACH = [ROWS, BARS, LINES, SCORES]


def of(drawing: Drawing, kind: type) -> list[Any]:
    return [shape for shape in drawing.shapes if isinstance(shape, kind)]


def test_dots_and_intervals_are_at_their_values() -> None:
    drawing = draw(ROWS, COLUMN)
    first, second = of(drawing, Dot)
    ticks_at = {text.text: text.x for text in of(drawing, Text) if re.fullmatch(r"[\d.]+", text.text)}
    assert first.x == pytest.approx((ticks_at["0.0"] + ticks_at["1.0"]) / 2)
    assert second.x == pytest.approx(ticks_at["1.0"])
    (whisker,) = [line for line in of(drawing, Line) if line.colour == COLOURS[0]]
    quarter = (ticks_at["1.0"] - ticks_at["0.0"]) / 4
    assert [x for x, _ in whisker.points] == pytest.approx([ticks_at["0.0"] + quarter, ticks_at["0.0"] + 3 * quarter])


def test_bars_are_as_long_as_their_counts() -> None:
    long, short = of(draw(BARS, COLUMN), Rectangle)
    assert long.width == pytest.approx(4 * short.width)
    assert {"200", "50"} <= {text.text for text in of(draw(BARS, COLUMN), Text)}


def test_lines_differ_in_colour_and_dashes() -> None:
    for grey, palette in ((False, COLOURS), (True, GREYS)):
        curves = [
            line for line in of(draw(LINES, COLUMN, grey=grey), Line) if line.width == 1 and line.colour in palette
        ]
        assert len({(line.colour, line.dash) for line in curves}) == 2
    dots = of(draw(LINES, COLUMN), Dot)
    assert dots[0].x == dots[2].x
    assert dots[0].y < dots[2].y  # the higher value is further up


def test_scores_are_in_order_and_their_lines_end_at_the_axis() -> None:
    drawing = draw(SCORES, COLUMN)
    low, high = of(drawing, Dot)
    assert low.x < high.x
    assert low.y > high.y
    top, bottom = high.y - 0.1 * (low.y - high.y) / 0.8, low.y + 0.1 * (low.y - high.y) / 0.8
    whiskers = [line for line in of(drawing, Line) if line.colour == COLOURS[1]]
    assert [y for line in whiskers for _, y in line.points] == pytest.approx(
        [bottom, low.y - 0.2 * (bottom - top), high.y + 0.2 * (bottom - top), top]
    )


@pytest.mark.parametrize("figure", EACH, ids=lambda figure: figure.name)
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_nothing_is_outside_the_drawing(figure: PaperFigure, width: float) -> None:
    drawing = draw(figure, width)
    for line in of(drawing, Line):
        assert all(0 <= x <= width and 0 <= y <= drawing.height for x, y in line.points)
    for text in of(drawing, Text):
        length = 0.55 * FONT_SIZE * len(text.text)
        start = text.x - {"start": 0, "middle": length / 2, "end": length}[text.anchor]
        assert text.upright or (start > -1 and start + length < width + 5)


@pytest.mark.parametrize("figure", EACH, ids=lambda figure: figure.name)
def test_the_svg_file_is_as_wide_as_a_column(figure: PaperFigure) -> None:
    root = ElementTree.fromstring(draw(figure, COLUMN).svg())  # noqa: S314
    assert root.get("width") == "77.0mm"
    shown = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert ("a & <b>" in shown) == (figure is ROWS)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_round_and_between_the_ends(low: float, length: float) -> None:
    found = ticks(low, low + length)
    assert 2 <= len(found) <= 7
    assert all(low - 1e-6 * length <= tick <= low + length * (1 + 1e-6) for tick in found)
    first = f"{found[1] - found[0]:.0e}"[0]
    assert first in "125"


def test_a_pdf_file_embeds_its_font_and_is_always_the_same() -> None:
    data = as_pdf(draw(BARS, COLUMN))
    assert data == as_pdf(draw(BARS, COLUMN))
    assert data.startswith(b"%PDF-")
    assert b"/FontFile2" in data
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
    assert box is not None
    assert float(box[1]) / MILLIMETRE == pytest.approx(77, abs=0.01)


def test_a_font_without_a_letter_is_refused() -> None:
    with pytest.raises(UnusableFont, match="no glyph for ρ"):
        as_pdf(draw(LINES, COLUMN))
    with pytest.raises(UnusableFont, match=r"test_figures\.py is not a TrueType font"):
        as_pdf(draw(BARS, COLUMN), Path(__file__))


def test_without_the_extra_only_svg_files_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> Any:
        raise ModuleNotFoundError(name="reportlab")

    monkeypatch.setattr(extras, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"accord-annotation\[pdf\]"):
        as_pdf(draw(BARS, COLUMN))
    assert set(figure_files(get("chunks"), {"people": []}, pdf=False)) == {"figures.tex"}


def test_many_annotators_are_ranked_without_names() -> None:
    people: list[Mapping[str, Any]] = [{"pseudonym": f"p{n}", "agreement": n / 100} for n in range(60)]
    assert [figure.kind for figure in agreement_by_annotator({"people": people})] == ["ranked"]
    (few,) = agreement_by_annotator({"people": people[:3]})
    assert [point.label for point in few.points] == ["p2", "p1", "p0"]
    assert "confidence" not in few.caption
    assert agreement_by_annotator({}) == []
