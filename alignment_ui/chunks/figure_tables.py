"""The main figures of a chunk-alignment report, for comparisons and shared reports."""

from accord_core.chunks.numerics.chunks import TYPES
from annotate.tasktypes import FigureRow, FigureTable

FIGURES = (
    FigureTable(
        "Annotations",
        (
            FigureRow("Annotated pairs", "said.pairs", "count"),
            FigureRow("Pairs with two or more annotators", "agreement.pairs", "count"),
            FigureRow("Chunks", "said.chunks", "count"),
            FigureRow("Links", "said.links", "count"),
            FigureRow("Unaligned chunks", "said.left_over", "count"),
        ),
    ),
    FigureTable(
        "Agreement on the official measures (F1)",
        (
            FigureRow("Alignment", "agreement.overall.f1_ali"),
            FigureRow("Type", "agreement.overall.f1_type"),
            FigureRow("Score", "agreement.overall.f1_score"),
            FigureRow("Type and score", "agreement.overall.f1_typ_sco"),
            FigureRow("Mean difference of scores, from 0 to 5", "agreement.overall.score_difference", "decimal"),
        ),
    ),
    FigureTable("Agreement by type (F1)", [FigureRow(name, f"agreement.by_type.{name}") for name in TYPES]),
)
