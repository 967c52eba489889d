"""The main figures of a layout report, for comparisons and shared reports."""

from annotate.tasktypes import FigureRow, FigureTable

FIGURES = (
    FigureTable(
        "Agreement",
        (
            FigureRow("Judgements", "judgements", "count"),
            FigureRow("Fields", "fields", "count"),
            FigureRow("First field, raw agreement", "fields.0.agreement.raw_agreement"),
            FigureRow("First field, Fleiss’ κ", "fields.0.agreement.fleiss_kappa"),
            FigureRow("First field, Krippendorff’s α", "fields.0.agreement.krippendorff_alpha_nominal"),
            FigureRow("First field, Gwet’s AC1", "fields.0.agreement.gwet_ac1"),
        ),
    ),
)
