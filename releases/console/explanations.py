"""Explanations of the figures on the releases' pages."""

from annotate.tasktypes import Explanation

EXPLANATIONS = {
    "compared_results": Explanation(
        "agreement with a repeat",
        "The final results of both studies are compared for the items that they share. The predicted interval comes "
        "from simulated repeats of the original with new annotators, and contains the figure of a similar repeat with "
        "a probability of 95%. The other intervals come from resampled items or questions. Decisions by researchers "
        "are not included.",
        "Belz (2025), QRA++; Wilks (1941), Determination of sample sizes for setting tolerance limits.",
        "methods#studies-and-their-repeats",
    ),
}
