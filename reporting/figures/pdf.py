"""Drawings as PDF files with embedded fonts, written by the optional package reportlab."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from accord_core.exchange.extras import import_extra
from reporting.figures.drawing import FONT_SIZE, INK, Dot, Drawing, Line, Rectangle, Text

DEFAULT_NAME = "Figure"
DEFAULT_FONT = "Vera.ttf"  # comes with reportlab and has Latin letters only


class UnusableFont(ValueError):
    """Error raised for a font file that cannot be read, or that has no glyph for a letter."""


def as_pdf(drawing: Drawing, font: Path | None = None) -> bytes:
    """Return a PDF file of the same size. `font` is a TrueType font file. The same drawing always gives the same file.

    Raises `UnusableFont`, and `MissingExtraError` without the package.
    """
    canvases = import_extra("reportlab.pdfgen.canvas", "Writing PDF files")
    fonts = import_extra("reportlab.pdfbase.ttfonts", "Writing PDF files")
    metrics = import_extra("reportlab.pdfbase.pdfmetrics", "Writing PDF files")
    name = DEFAULT_NAME if font is None else font.stem
    try:
        face = fonts.TTFont(name, DEFAULT_FONT if font is None else str(font))
    except fonts.TTFError as error:
        raise UnusableFont(f"{font} is not a TrueType font that can be embedded. Choose another font") from error
    _check_letters(drawing, face, name)
    metrics.registerFont(face)
    buffer = io.BytesIO()
    canvas = canvases.Canvas(buffer, (drawing.width, drawing.height), invariant=True, pageCompression=True)
    canvas.setTitle(drawing.title)
    canvas.setFont(name, FONT_SIZE)
    for shape in drawing.shapes:
        _draw(canvas, shape, drawing.height)
    canvas.save()
    return buffer.getvalue()


def _check_letters(drawing: Drawing, face: Any, name: str) -> None:
    texts = "".join(shape.text for shape in drawing.shapes if isinstance(shape, Text))
    missing = "".join(sorted({letter for letter in texts if ord(letter) not in face.face.charToGlyph}))
    if missing:
        which = "The default font" if name == DEFAULT_NAME else f"The font {name}"
        raise UnusableFont(f"{which} has no glyph for {missing}. Choose another font")


def _draw(canvas: Any, shape: Line | Rectangle | Dot | Text, height: float) -> None:
    """Draw a shape. In PDF files, the origin is the lower left corner."""
    match shape:
        case Line():
            canvas.setStrokeColor(shape.colour)
            canvas.setLineWidth(shape.width)
            canvas.setDash(*([shape.dash, shape.dash] if shape.dash else []))
            path = canvas.beginPath()
            (x, y), *others = shape.points
            path.moveTo(x, height - y)
            for x, y in others:
                path.lineTo(x, height - y)
            canvas.drawPath(path)
        case Rectangle():
            canvas.setFillColor(shape.colour)
            canvas.rect(shape.x, height - shape.y - shape.height, shape.width, shape.height, stroke=0, fill=1)
        case Dot():
            canvas.setFillColor(shape.colour)
            canvas.circle(shape.x, height - shape.y, shape.radius, stroke=0, fill=1)
        case Text():
            canvas.setFillColor(INK)
            canvas.saveState()
            canvas.translate(shape.x, height - shape.y)
            if shape.upright:
                canvas.rotate(90)
            write = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
            write[shape.anchor](0, 0, shape.text)
            canvas.restoreState()
