"""The files of a paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord_core.exchange.printed_tables import escape_latex
from annotate.tasktypes import PaperFigure, TaskType
from reporting.figures.charts import draw
from reporting.figures.drawing import WIDTHS
from reporting.figures.pdf import as_pdf


def figure_files(
    task: TaskType,
    result: Mapping[str, Any],
    *,
    width: str = "column",
    grey: bool = False,
    pdf: bool = True,
    font: Path | None = None,
) -> dict[str, bytes]:
    """Return a mapping from names to files: each figure as SVG and, with `pdf`, as PDF, and `figures.tex` with the
    captions. `width` is one of `WIDTHS`.

    Raises `UnusableFont` if the font cannot show a label, and `MissingExtraError` if PDF files cannot be written.
    """
    figures = task.paper_figures(result)
    files = {}
    for figure in figures:
        drawing = draw(figure, WIDTHS[width], grey=grey)
        files[f"{figure.name}.svg"] = drawing.svg().encode()
        if pdf:
            files[f"{figure.name}.pdf"] = as_pdf(drawing, font)
    files["figures.tex"] = _latex(figures, wide=width == "page").encode()
    return files


def _latex(figures: Sequence[PaperFigure], *, wide: bool) -> str:
    environment = "figure*" if wide else "figure"
    return "\n".join(
        f"\\begin{{{environment}}}\n\\centering\n\\includegraphics{{{figure.name}}}\n"
        f"\\caption{{{escape_latex(figure.caption)}}}\n\\label{{fig:{figure.name}}}\n\\end{{{environment}}}\n"
        for figure in figures
    )
