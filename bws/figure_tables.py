"""The main figures of a best–worst report, for comparisons and shared reports."""

from annotate.tasktypes import FigureRow, FigureTable

FIGURES = (
    FigureTable(
        "Split-half reliability",
        (
            FigureRow("Whole tuples, Spearman", "reliability.whole.spearman.mean"),
            FigureRow("Whole tuples, standard deviation over splits", "reliability.whole.spearman.sd"),
            FigureRow("Whole tuples, lower end of the 95% interval", "reliability.whole.interval.spearman.low"),
            FigureRow("Whole tuples, upper end of the 95% interval", "reliability.whole.interval.spearman.high"),
            FigureRow("Whole tuples, Pearson", "reliability.whole.pearson.mean"),
            FigureRow("Within tuples, Spearman", "reliability.within.spearman.mean"),
            FigureRow("Within tuples, standard deviation over splits", "reliability.within.spearman.sd"),
            FigureRow("Within tuples, lower end of the 95% interval", "reliability.within.interval.spearman.low"),
            FigureRow("Within tuples, upper end of the 95% interval", "reliability.within.interval.spearman.high"),
            FigureRow("Within tuples, Pearson", "reliability.within.pearson.mean"),
            FigureRow("Prediction for all judgements, whole tuples", "reliability.forecast.whole_of_all"),
            FigureRow("Prediction for all judgements, within tuples", "reliability.forecast.within_of_all"),
        ),
    ),
    FigureTable(
        "Scores",
        (
            FigureRow("Items", "scores.key", "count"),
            FigureRow("Agreement between counting and MaxDiff", "scores.methods_agree"),
        ),
    ),
)
