"""The main figures of a word-alignment report, for comparisons and shared reports."""

from annotate.tasktypes import FigureRow, FigureTable

MEASURES = (("F1", "f1"), ("C", "c"))


def _agreement(title: str, part: str) -> FigureTable:
    """Return the agreement over all subcorpora, which is in the last row of `part`."""
    return FigureTable(
        title,
        [
            FigureRow(f"{name}, {links}", f"{part}.-1.{kind}.{measure}")
            for links, kind in (("all links", "possible"), ("sure links", "sure"))
            for name, measure in MEASURES
        ],
    )


FIGURES = (
    FigureTable(
        "Alignments",
        (
            FigureRow("Aligned pairs", "pairs.aligned", "count"),
            FigureRow("Pairs with two or more annotators", "pairs.aligned_twice", "count"),
            FigureRow("Sure links", "aligned.-1.sure", "count"),
            FigureRow("Possible links", "aligned.-1.possible", "count"),
            FigureRow("Unaligned words", "aligned.-1.unaligned", "count"),
        ),
    ),
    _agreement("Agreement on words", "words"),
    _agreement("Agreement on phrase pairs", "phrases"),
    FigureTable(
        "Influence of the pre-alignment",
        (
            FigureRow("Suggested links in answers that started with links", "anchoring.shown.suggested", "percent"),
            FigureRow("Suggested links in answers that started without links", "anchoring.empty.suggested", "percent"),
        ),
    ),
)
