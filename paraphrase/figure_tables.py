"""The main figures of a paraphrase report, for comparisons and shared reports."""

from annotate.tasktypes import FigureRow, FigureTable

FIGURES = (
    FigureTable(
        "Labels",
        (
            FigureRow("Votes", "votes", "count"),
            FigureRow("Sentences", "counts.sentences", "count"),
            FigureRow("Judged candidates", "counts.judged", "count"),
            FigureRow("Good candidates", "counts.good", "count"),
            FigureRow("Bad candidates", "counts.bad", "count"),
            FigureRow("Undecided candidates", "counts.undecided", "count"),
            FigureRow("Pairs that differ between domains", "contrasts", "count"),
        ),
    ),
    FigureTable(
        "Agreement",
        (
            FigureRow("Raw agreement", "agreement.raw_agreement"),
            FigureRow("Cohen’s κ, mean of pairs", "agreement.cohen_kappa_mean"),
            FigureRow("Fleiss’ κ", "agreement.fleiss_kappa"),
            FigureRow("Krippendorff’s α", "agreement.krippendorff_alpha_nominal"),
            FigureRow("Gwet’s AC1", "agreement.gwet_ac1"),
        ),
    ),
    FigureTable(
        "Quality control",
        (
            FigureRow("Quality-control candidates", "worker_accuracy.candidates", "count"),
            FigureRow("Accuracy of annotators", "worker_accuracy.accuracy", "percent"),
            FigureRow("Balanced accuracy", "worker_accuracy.balanced", "percent"),
        ),
    ),
)
